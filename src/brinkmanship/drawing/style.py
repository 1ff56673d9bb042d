"""Shared style of all pictures: colours for a light and a dark theme, fonts, and the CSS classes of drawings.

`stylesheet` is the style sheet of a page, whose theme is set by ``<html data-theme="dark">`` or by the system.
`embedded` is the same for a standalone picture. A drawing names roles ("us", "muted"), never a colour, and has no
``style`` attributes, so that it works under a strict Content-Security-Policy.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Literal

Theme = Literal["light", "dark", "auto"]

PALETTE: dict[str, tuple[str, str]] = {
    # role: (light: paper and ink, dark: an ink-blue table under a lamp)
    "paper": ("#f4efe3", "#131a24"),
    "panel": ("#fbf8f0", "#1b2431"),
    "sunk": ("#ebe5d5", "#10161f"),
    "ink": ("#22262b", "#ece6d8"),
    "muted": ("#625d50", "#a9a597"),
    "faint": ("#b9b09a", "#4a5464"),
    "rule": ("#d3cab5", "#323d4d"),
    "sea": ("#e4e9e5", "#172231"),
    "land": ("#eee6d2", "#222d3a"),
    "coast": ("#cfc4a8", "#39475a"),
    "us": ("#1d5488", "#86b9ea"),
    "us-fill": ("#245c8f", "#3a76b3"),
    "us-edge": ("#8fb7da", "#cfe4f7"),
    "us-tint": ("#dfe8ee", "#1f3247"),
    "ussr": ("#a32a1f", "#f49a8b"),
    "ussr-fill": ("#b4382c", "#c9493a"),
    "ussr-edge": ("#5f130c", "#3a0d08"),
    "ussr-tint": ("#f3e0d9", "#3b2528"),
    "military": ("#8a4b0c", "#e3a25c"),
    "political": ("#336b34", "#86c088"),
    "opinion": ("#6a4191", "#c1a2e2"),
    "opinion-tint": ("#ece6ee", "#241f33"),
    "ethnic-red": ("#f2d3c7", "#64282f"),
    "ethnic-red-ink": ("#cf8d7d", "#c26a62"),
    "ethnic-yellow": ("#f4ecbd", "#5b5a22"),
    "ethnic-yellow-ink": ("#a98f33", "#d8c766"),
    "ethnic-orange": ("#efcb90", "#7d4a17"),
    "danger-1": ("#e3a394", "#7c342c"),
    "danger-1-ink": ("#b4382c", "#e0705f"),
    "danger-2": ("#f1dfae", "#4e4226"),
    "danger-2-ink": ("#b08a2e", "#a98a45"),
    "danger-3": ("#e6ece2", "#20303a"),
    "card": ("#fffdf6", "#f0e9d9"),
    "card-ink": ("#22262b", "#22262b"),
    "card-muted": ("#625d50", "#5d584b"),
    "card-us": ("#1d5488", "#1d5488"),
    "card-ussr": ("#a32a1f", "#a32a1f"),
    "card-un": ("#57544a", "#57544a"),
    "card-accent": ("#966a00", "#966a00"),
    "accent": ("#966a00", "#f2b63c"),
    "accent-tint": ("#fdedc4", "#352e1c"),
    "gold": ("#f2b63c", "#f2b63c"),
}
"""Every colour by its role. Text roles reach AA on `paper`, `panel` and the tints; `accent`, the
line around whatever can be chosen, reaches 3:1 on every ground (`tests/games/*/test_drawing.py`)."""

FONTS = {
    "sans": "'Brink Sans', 'IBM Plex Sans', 'Noto Sans', 'Segoe UI', sans-serif",
    "condensed": "'Brink Condensed', 'IBM Plex Sans Condensed', 'Noto Sans Condensed', 'Roboto Condensed', "
    "'Arial Narrow', 'Liberation Sans Narrow', sans-serif",
    "mono": "'Brink Mono', 'IBM Plex Mono', 'DejaVu Sans Mono', monospace",
}

_RULES = """
.brink text{font-family:var(--condensed);fill:var(--ink);font-variant-numeric:tabular-nums}
.brink .b{font-weight:600}
.brink .m{font-family:var(--mono)}
.brink .sp{letter-spacing:.08em}
.brink text.mu{fill:var(--muted)}
.brink text.us,.brink .us-ink{fill:var(--us)}
.brink text.ussr,.brink .ussr-ink{fill:var(--ussr)}
.brink text.on{fill:var(--panel)}
.brink .military{fill:var(--military)}
.brink .political{fill:var(--political)}
.brink .world_opinion{fill:var(--opinion)}
.brink .page{fill:var(--paper)}
.brink .panel{fill:var(--panel);stroke:var(--rule)}
.brink .scale{fill:var(--panel)}
.brink .sunk{fill:var(--sunk);stroke:var(--rule)}
.brink .bare{fill:none;stroke:none}
.brink .sea{fill:var(--sea)}
.brink .land{fill:var(--land);stroke:var(--coast);stroke-width:1.6}
.brink .lines{fill:none;stroke:var(--coast);stroke-width:1.2;opacity:.38}
.brink .frame{fill:none;stroke:var(--rule)}
.brink .opinion{fill:var(--opinion-tint);stroke:none}
.brink .rule{fill:none;stroke:var(--rule)}
.brink .line{fill:none;stroke:var(--ink);stroke-width:1.5}
.brink .thin{fill:none;stroke:var(--muted);stroke-width:1}
.brink .round{fill:none;stroke:var(--ink);stroke-width:2}
.brink .dot{fill:var(--faint)}
.brink .inkfill{fill:var(--ink)}
.brink .c.us{fill:var(--us-fill);stroke:var(--us-edge);stroke-width:1.6}
.brink .c.ussr{fill:var(--ussr-fill);stroke:var(--ussr-edge);stroke-width:1.6}
.brink .hollow.us{fill:var(--panel);stroke:var(--us);stroke-width:1.8}
.brink .hollow.ussr{fill:var(--panel);stroke:var(--ussr);stroke-width:1.8}
.brink .note.us{fill:none;stroke:var(--us);stroke-width:1.3}
.brink .note.ussr{fill:none;stroke:var(--ussr);stroke-width:1.3}
.brink .slot{fill:none;stroke-width:1;stroke-dasharray:1.5 2.2;opacity:.62}
.brink .free{fill:none;stroke-width:2.6;stroke-linecap:round;opacity:.5}
.brink .free.us{stroke:var(--us)}
.brink .free.ussr{stroke:var(--ussr)}
.brink .slot.us,.brink .lead.us{stroke:var(--us)}
.brink .slot.ussr,.brink .lead.ussr{stroke:var(--ussr)}
.brink .lead{fill:none;stroke-width:2}
.brink .g{stroke-dasharray:2.5 2;opacity:.9}
.brink .g.c.us{fill:var(--us-tint);stroke:var(--us)}
.brink .g.c.ussr{fill:var(--ussr-tint);stroke:var(--ussr)}
.brink .gone{fill:none;stroke:var(--ink);stroke-width:2.2}
.brink .way{fill:none;stroke:var(--ink);stroke-width:1.4;stroke-dasharray:3 2.5}
.brink .tie{fill:none;stroke:var(--muted);stroke-width:1.4;stroke-dasharray:1.5 4;stroke-linecap:round}
.brink .tie.us{stroke:var(--us);stroke-width:3;stroke-dasharray:none}
.brink .tie.ussr{stroke:var(--ussr);stroke-width:3;stroke-dasharray:7 3;stroke-linecap:butt}
.brink .knot{fill:var(--panel);stroke:var(--muted)}
.brink .knot.us{fill:var(--us-fill);stroke:var(--us-edge)}
.brink .knot.ussr{fill:var(--ussr-fill);stroke:var(--ussr-edge)}
.brink text.white{fill:#fff}
.brink .pole{fill:none;stroke:var(--ink);stroke-width:1.5}
.brink .cloth.us{fill:var(--us-fill);stroke:var(--us-edge)}
.brink .cloth.ussr{fill:var(--ussr-fill);stroke:var(--ussr-edge)}
.brink .star{fill:#fff}
.brink .rope{fill:none;stroke:var(--muted);stroke-width:4.5;stroke-linecap:round}
.brink .strand{fill:none;stroke:var(--paper);stroke-width:4.5;stroke-dasharray:1 5}
.brink .danger-1{fill:var(--danger-1)}
.brink .danger-2{fill:var(--danger-2)}
.brink .danger-3{fill:var(--danger-3)}
.brink .hatch{fill:none;stroke:var(--danger-1-ink);stroke-width:2}
.brink .dots{fill:var(--danger-2-ink)}
.brink .gap{fill:none;stroke:var(--panel);stroke-width:1.5}
.brink .mercury.us{fill:var(--us-fill)}
.brink .mercury.ussr{fill:var(--ussr-fill)}
.brink .paperlike{fill:var(--panel);stroke:var(--ink);stroke-width:1.3}
.brink .back{fill:var(--panel);stroke:var(--muted)}
.brink .back.us{fill:var(--us-tint);stroke:var(--us)}
.brink .back.ussr{fill:var(--ussr-tint);stroke:var(--ussr)}
.brink .tag{fill:var(--panel);stroke:var(--muted)}
.brink .lamp{fill:var(--ink)}
.brink .warn{fill:var(--ink)}
.brink .warn.off{fill:none;stroke:var(--ink);stroke-width:1.3}
.brink .place>.panel{stroke:var(--faint)}
.brink .culprit{fill:none;stroke:var(--ink);stroke-width:3}
.brink .can{cursor:pointer}
.brink .can>.panel,.brink .can>.glass{stroke:var(--accent);stroke-width:2.2}
.brink .can>.panel{fill:var(--accent-tint)}
.brink .ghosts .sunk{stroke:none}
.brink .ghost-card{fill-opacity:.82;stroke:var(--ink);stroke-dasharray:5 3}
.brink .area.can~.place:not(.can){pointer-events:none}
.brink .glass{fill:var(--panel);fill-opacity:0;stroke:none}
.brink .can:focus{outline:none}
.brink .can:is(:hover,.lit)>:is(.panel,.glass){stroke-width:3.6}
.brink .can.chosen>:is(.panel,.glass){stroke-width:4.6}
.brink .can:focus-visible>:is(.panel,.glass){stroke:var(--ink);stroke-width:3.6}
.brink .tick circle{fill:var(--gold);stroke:#22262b}
.brink .tick path{fill:none;stroke:#22262b;stroke-width:2.2;stroke-linecap:round}
.brink .memo{fill:var(--card);stroke:var(--faint)}
.brink .memo~text,.brink .memo~g text{fill:var(--card-ink)}
.brink .memo~text.mu,.brink .memo~g text.mu{fill:var(--card-muted)}
.brink .memo~.band.us,.brink .memo~g .sq.us,.brink .memo~g text.us,.brink .memo~text.us{fill:var(--card-us)}
.brink .memo~.band.ussr,.brink .memo~g .sq.ussr,.brink .memo~g text.ussr,.brink .memo~text.ussr{fill:var(--card-ussr)}
.brink .memo~.band.un,.brink .memo~g .sq.un,.brink .memo~g text.un,.brink .memo~text.un{fill:var(--card-un)}
.brink .memo~.rule,.brink .memo~g .rule{stroke:#d3cab5}
.brink .memo~.military{fill:#8a4b0c}
.brink .memo~.political{fill:#336b34}
.brink .memo~.world_opinion{fill:#6a4191}
.brink .memo~.strip,.brink .memo~g .strip{color:var(--card-ink)}
.brink .memo~g .military,.face .strip .military{fill:#8a4b0c}
.brink .memo~g .political,.face .strip .political{fill:#336b34}
.brink .memo~g .world_opinion,.face .strip .world_opinion{fill:#6a4191}
.brink .strip text,.brink .strip .i{fill:currentColor}
.brink .strip :is(.s,.t,.fine,.empty,.plate){fill:none;stroke:currentColor;stroke-width:1.5;stroke-linejoin:round}
.brink .strip .t{stroke-width:2.4}
.brink .strip .i.fine{fill:currentColor}
.brink .strip .fine{stroke-width:1.2}
.brink .strip .empty{stroke-dasharray:2.2 1.8}
.brink .strip .plate{stroke-width:1;opacity:.75}
.brink .strip .left{fill:none;stroke-width:1.8}
.brink .strip .left.us{stroke:var(--us-fill)}
.brink .strip .left.ussr{stroke:var(--ussr-fill)}
.brink .strip .plus{fill:none;stroke:#fff;stroke-width:2}
.brink .strip .ring{fill:none;stroke:currentColor;stroke-width:2}
.brink .stamp{fill:none;stroke-width:2}
.brink .stamp.us{stroke:var(--card-us)}
.brink .stamp.ussr{stroke:var(--card-ussr)}
.brink .stamp.un{stroke:var(--card-un)}
.brink .seal{fill:none;stroke:var(--card-ink);stroke-width:1.4}
.brink .cover.us{fill:var(--us-fill);stroke:var(--us-edge)}
.brink .cover.ussr{fill:var(--ussr-fill);stroke:var(--ussr-edge)}
.brink .cover.un{fill:var(--muted);stroke:var(--faint)}
.brink .pennant{fill:#fff;stroke:#fff;stroke-width:3}
.brink .weave{fill:none;stroke:#fff;opacity:.35}
.brink .hatched{opacity:.45}
.brink text.halo{paint-order:stroke;stroke:var(--panel);stroke-width:3px;stroke-linejoin:round}
.brink .plot{fill:none;stroke-width:2.4;stroke-linejoin:round}
.brink .plot.us{stroke:var(--us)}
.brink .plot.ussr{stroke:var(--ussr);stroke-dasharray:6 2.5}
.brink .plot.ink{stroke:var(--ink)}
.brink .zone{fill:none;stroke:var(--muted);stroke-width:1}
.brink .zone.enclave{stroke:var(--ink);stroke-width:2}
.brink .zone.beyond{fill:var(--sunk);stroke:var(--coast)}
.brink .zone.foreign{fill:var(--land)}
.brink .zone.us-ru{fill:var(--ussr-tint)}
.brink .zone.shut{fill:var(--sunk)}
.brink .zone-ground>.zone{pointer-events:all}
.brink .zone-ground.can>.zone{stroke:var(--accent);stroke-width:2.6}
.brink .zone-ground.can:is(:hover,.lit)>.zone{stroke-width:4}
.brink .zone-ground.can.chosen>.zone{stroke-width:5}
.brink .ethnic-red{fill:var(--ethnic-red)}
.brink .ethnic-yellow{fill:var(--ethnic-yellow)}
.brink .ethnic-orange{fill:var(--ethnic-orange)}
.brink .ethnic.red{fill:none;stroke:var(--ethnic-red-ink);stroke-width:1}
.brink .ethnic.yellow{fill:var(--ethnic-yellow-ink)}
.brink .swatch{stroke:var(--muted)}
.brink .reach{fill:none;stroke:none;pointer-events:all}
.brink .worth{fill:var(--panel);stroke:var(--ink)}
.brink .port{fill:none;stroke:var(--ink);stroke-width:1.4;stroke-linecap:round}
.brink .sign{fill:none;stroke-width:1.2}
.brink .sign.on{stroke:#fff}
.brink .sign.ink{stroke:var(--ink)}
.brink .sign.us{stroke:var(--us)}
.brink .sign.ussr{stroke:var(--ussr)}
.brink .turn{fill:var(--panel);stroke:var(--faint)}
.brink .turn.past{fill:var(--sunk)}
.brink .turn.fought{fill:var(--muted);stroke:var(--ink)}
.brink .die{fill:var(--panel);stroke:var(--ink)}
.brink .row-cell{fill:none;stroke:var(--rule)}
.brink .row-cell.read{stroke:var(--ink);stroke-width:1.8}
.brink .zone-things,.brink [data-tell]{cursor:pointer}
.brink .wash.us{fill:var(--us-tint)}
.brink .wash.ussr{fill:var(--ussr-tint)}
"""


def stylesheet() -> str:
    """Return colours, fonts and classes for a page that contains drawings."""
    light, dark = _colours(0), _colours(1)
    return (
        f":root{{color-scheme:light dark;{_fonts()}{light}}}\n"
        f"@media (prefers-color-scheme:dark){{:root:not([data-theme=light]){{{dark}}}}}\n"
        f":root[data-theme=light]{{color-scheme:light}}\n:root[data-theme=dark]{{color-scheme:dark;{dark}}}\n" + _RULES
    )


def embedded(theme: Theme = "light") -> str:
    """Return the same for inside a standalone picture; "auto" follows the viewer's system."""
    colours = f".brink{{{_fonts()}{_colours(1 if theme == 'dark' else 0)}}}"
    if theme == "auto":
        colours += f"@media (prefers-color-scheme:dark){{.brink{{{_colours(1)}}}}}"
    return colours + _RULES.replace("\n", "")


@cache
def flat() -> str:
    """Return the light style for programs that know little CSS: no variables, no siblings, no states.

    Cards have the colours of the paper around them there, so their rules need not look for a sibling.
    """
    values = {role: colours[0] for role, colours in PALETTE.items()} | FONTS
    rules = re.sub(r"var\(--([\w-]+)\)", lambda found: values[found[1]], _RULES).replace(".memo~", "")
    return "".join(_simple(rule) for rule in rules.strip().split("\n"))


def _simple(rule: str) -> str:
    """Return a rule with `:is(...)` written out; nothing if it is about states or siblings."""
    selectors, brace, properties = rule.partition("{")
    found = re.fullmatch(r"(.*):is\((.*)\)", selectors)
    if found:
        selectors = ",".join(found[1] + one for one in found[2].split(","))
    return "" if re.search("[:~]", selectors) else selectors + brace + properties


def _colours(room: int) -> str:
    return "".join(f"--{role}:{colours[room]};" for role, colours in PALETTE.items())


def _fonts() -> str:
    return "".join(f"--{name}:{families};" for name, families in FONTS.items())
