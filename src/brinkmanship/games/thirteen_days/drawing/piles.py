"""The piles beside the board: deck, discards, and the aftermath stack as sealed envelopes."""

from __future__ import annotations

from brinkmanship.drawing import icons
from brinkmanship.drawing.lettering import text, width
from brinkmanship.drawing.svg import Markup, group, join, num, path, rect
from brinkmanship.games.thirteen_days.drawing.labels import Labels
from brinkmanship.games.thirteen_days.drawing.layout import Layout
from brinkmanship.games.thirteen_days.drawing.position import DrawnPosition

_BESIDE = 42
"""Width of a pile without its name: its picture and gaps."""


def piles(labels: Labels, position: DrawnPosition, layout: Layout, can: frozenset[str]) -> Markup:
    """Draw all three piles with their sizes."""
    box = layout.piles
    counts = {"deck": position.deck, "discard": position.discard, "aftermath": position.aftermath}
    names = {pile: labels.sentence(f"pile.{pile}" if layout.wide else pile) for pile in counts}
    size = max(12, layout.least)
    wanted = [_BESIDE + width(name, size) for name in names.values()]
    spare = (box.w - 12 - sum(wanted)) / len(counts)
    found, x = [], box.x + 12
    for (pile, count), wide in zip(counts.items(), wanted, strict=True):
        step = wide + spare
        words, lit = labels.sentence(pile), pile in can
        found.append(
            group(
                rect(x - 2, box.y + 2, step - 2, box.h - 4, "glass", 4),
                _picture(pile, count, x + 2, box.y + box.h / 2),
                text(x + 40, box.y + box.h / 2 - (2 if layout.wide else 1), str(count), 15 if layout.wide else 16, "b"),
                text(x + 40, box.y + box.h / 2 + 12.5, names[pile], size, "mu", room=step - 42),
                css="pile can" if lit else "pile",
                data_pile=pile,
                role="button" if lit or pile == "discard" else "img",
                tabindex=0 if lit or pile == "discard" else None,
                data_tell=f"{words}: {count}",
                aria_label=f"{words}: {count}",
            )
        )
        x += step
    return group(rect(box.x, box.y, box.w, box.h, "panel"), found, css="piles")


def _picture(pile: str, count: int, x: float, y: float) -> Markup:
    layers = min(3, (count + 5) // 6) if pile != "aftermath" else min(4, count)
    if not layers:
        return rect(x + 2, y - 15, 22, 30, "slot rule", 2)
    if pile == "aftermath":
        return join(icons.envelope(x + i * 3, y - 12 + i * 4, 22) for i in range(layers))
    sheets = [rect(x + 2 + i * 2.5, y - 14 - i * 2.5, 22, 30, "back", 2) for i in range(layers)]
    top_x, top_y = x + 2 + (layers - 1) * 2.5, y - 14 - (layers - 1) * 2.5
    if pile == "deck":
        d = f"M{num(top_x + 4)} {num(top_y + 4)}h14v22h-14zM{num(top_x + 4)} {num(top_y + 4)}l14 22"
    else:
        d = "".join(f"M{num(top_x + 4)} {num(top_y + 7 + 5 * i)}h{14 if i < 3 else 8}" for i in range(4))
    return join(sheets, path(d, "thin"))
