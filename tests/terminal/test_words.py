"""Every text the terminal asks for is in its catalogue, and the other way round."""

from __future__ import annotations

import re
from pathlib import Path

from babel.messages.pofile import read_po

import brinkmanship
from brinkmanship.games.thirteen_days.rules.data import TRACKS
from brinkmanship.terminal.commands import COMMANDS
from brinkmanship.terminal.full_screen import FullScreen
from brinkmanship.testing import PROPERTIES
from brinkmanship.text.words import catalogue_file

SOURCES = Path(brinkmanship.__file__).parent
PREFIXES = {
    "terminal/session.py": ["play"],
    "terminal/commands.py": ["play"],
    "terminal/saved_game.py": ["play"],
    "terminal/presenter.py": ["play"],
    "terminal/ending.py": ["play"],
    "terminal/menu.py": ["play", "menu"],
    "cli/commands/game/check.py": ["check"],
    "cli/commands/game/new.py": ["new_game"],
    "cli/commands/lab/exploit.py": ["exploit"],
    "cli/commands/lab/wars.py": ["wars"],
    "terminal/rules.py": ["rules", "show"],
    "terminal/protocol.py": ["play"],
    "terminal/full_screen.py": ["screen"],
    "games/thirteen_days/terminal.py": ["board"],
    "games/cuban/strategy_cards.py": ["board"],
    "cli/commands/show.py": ["show"],
    "cli/commands/replay.py": ["replay", "play"],
    "cli/commands/lab/simulate.py": ["simulate"],
    "cli/usage_errors.py": ["mistake"],
    "cli/commands/serve.py": ["serve"],
    "cli/commands/verify.py": ["verify"],
    "cli/commands/hint.py": ["hint"],
    "terminal/hint_lines.py": ["hint"],
}
COMPOSED = {
    *(f"play.{kind}.{command}" for kind in ("command", "help") for command in COMMANDS),
    *(f"board.{kind}.{track}" for kind in ("track", "track_short") for track in TRACKS),
    *(f"board.mode.{mode}" for mode in ("event", "command", "command_letter")),
    *(f"screen.key.{command}" for _, command in FullScreen.COMMAND_KEYS),
    *(f"check.property.{name}" for name in PROPERTIES),
    *(f"menu.{kind}" for kind in ("place", "remove", "shift")),
    *(f"show.status.{mark}" for mark in ("known", "reconstructed", "disputed", "balanced")),
    *(f"show.status.reconstructed.{basis}" for basis in ("geography", "statistics", "judgement")),
}
"""Keys that are put together from parts."""


def test_the_catalogue_has_exactly_the_keys_that_the_terminal_uses() -> None:
    with catalogue_file("terminal", "en").open("rb") as file:
        known = {entry.id if isinstance(entry.id, str) else entry.id[0] for entry in read_po(file) if entry.id}
    used = set(COMPOSED)
    for source, prefixes in PREFIXES.items():
        quoted = re.findall(r"[\"']([a-z_]+(?:\.[a-z_]+)*)[\"']", (SOURCES / source).read_text(encoding="utf-8"))
        used |= {key for text in quoted for key in (text, *(f"{p}.{text}" for p in prefixes)) if key in known}
    assert known - used == set()
    for source in PREFIXES:
        text = (SOURCES / source).read_text(encoding="utf-8")
        prefix = PREFIXES[source][0]
        said = re.findall(r'(?:self\._?say\w*|presenter\.\w+|offer_to_save)\(\s*"([\w.]+)"', text)
        assert {f"{prefix}.{key}" for key in said} - known == set()
