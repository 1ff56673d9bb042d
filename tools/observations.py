"""Generate docs/research/observations.md: every column of every game's tensors, with its comment in the sources.

python tools/observations.py            writes the page
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path

import brinkmanship as brink
from brinkmanship.games.registry import BUILT_IN
from brinkmanship.research.observation import VIEWERS, Field, Observation

PAGE = Path(__file__).parent.parent / "docs" / "research" / "observations.md"
FRAME = "brinkmanship.games.cuban.frame"

WHERE_NO_COMMENT = {
    "card": "the card in play",
    "task": "what is in progress, a `Task`",
    "prestige": "Prestige of a side",
    "hand_size": "cards in `hand`, which the other side does not see",
    "unseen_size": "cards in `unseen`, likewise",
}
"""Meanings of fields without a comment in the sources."""

HEAD = """# The columns of the observation tensors

Look up what a column of a [tensor](interfaces.md) means. `python tools/observations.py` makes this page from the
sources.

A row is made of one viewer's view: what the viewer does not know is blank in it. *one of a..b*: a column for each
value, 1 in that of the value; *bits*: a column for each bit from the lowest on; *number*: the number itself. A field
with a shape has this many columns for each of its numbers, in C order. Unused rows of a stack are 0. Sides, places,
cards and other things are numbered as in the data files.
"""


def notes(text: str) -> dict[str, str]:
    """Return the comments behind the fields of a record, by the name of the field."""
    named = re.findall(r'^\s+\("(\w+)", .*\),  # (.*)$', text, re.MULTILINE)
    return dict(named + re.findall(r"^    (\w+): int  # (.*)$", text, re.MULTILINE))


def source(module: str) -> str:
    """Return the text of a module."""
    return Path(import_module(module).__file__ or "").read_text("utf-8")


def table(game_id: str) -> str:
    """Return the columns of a game as a table."""
    observation = Observation(brink.load(game_id))
    before, _, record = source(type(observation.game).__module__.removesuffix(".game") + ".state").partition(
        "\nDTYPE ="
    )
    said, of_stack = notes(record), notes(before) or notes(source(FRAME))
    lines = [
        f"\n## {observation.game.title}\n",
        f"int16[{observation.size}]\n",
        "| columns | field | holds | meaning |",
        "|---|---|---|---|",
        f"| 0-{VIEWERS - 1} | reader | one of 0..{VIEWERS - 1} | {', '.join(observation.game.sides)}, an onlooker |",
    ]
    rows: dict[int, str] = {}
    stack = [field for field in observation.fields if "." in field.name]
    width = len({field.name for field in stack})
    for field in observation.fields:
        _, _, inner = field.name.partition(".")
        if inner and field in stack[width:]:
            continue
        meaning = (of_stack if inner else said).get(inner or field.name) or WHERE_NO_COMMENT[inner or field.name]
        shape = f"[{', '.join(map(str, field.shape))}]" if field.shape and field.shape != (1,) else ""
        name = f"stack[0].{inner}" if inner else field.name
        rows[field.first] = f"| {_columns([field])} | `{name}{shape}` | {field.kinds} | {meaning} |"
    if others := stack[width:]:
        last = len(stack) // width - 1
        rows[others[0].first] = f"| {_columns(others)} | `stack[1]` to `stack[{last}]` | | each as `stack[0]` |"
    return "\n".join([*lines, *(rows[first] for first in sorted(rows))]) + "\n"


def _columns(fields: Sequence[Field]) -> str:
    first, last = fields[0].first, fields[-1].first + fields[-1].columns - 1
    return f"{first}-{last}" if last > first else str(first)


def page() -> str:
    """Return the whole page."""
    return HEAD + "".join(table(game_id) for game_id in BUILT_IN)


if __name__ == "__main__":
    PAGE.write_text(page(), "utf-8")
