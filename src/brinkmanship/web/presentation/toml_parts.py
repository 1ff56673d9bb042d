"""Changed cards and scenarios in the making: a data file (TOML) as its parts, one of which is edited at a time.

A part is a table of the file with all that belongs to it, and the remarks right above it: a card, an agenda, a zone,
the limits. Nothing is understood of it here: the whole file is read as any other, and says what is wrong.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

_HEADER = re.compile(r"\s*(?P<array>\[)?\[\s*(?P<name>[\w.-]+)\s*\]")
_ID = re.compile(r"""\s*id\s*=\s*["'](?P<id>[^"']*)["']""")

WHOLE = "file"
"""Stands for the whole file in place of a part."""


class Part(NamedTuple):
    """A part of a data file."""

    kind: str
    """The name of its table, as "card" or "limits"."""
    id: str
    """What tells it from others of its kind: its id, else its number; "" where it is the only one."""
    first: int
    """Its first line, from 0."""
    end: int
    """The line after its last one."""

    @property
    def key(self) -> str:
        """As addresses name it: "card.quarantine"."""
        return f"{self.kind}.{self.id}" if self.id else self.kind


def parts_of(text: str) -> list[Part]:
    """The parts of a data file, in its order. What comes before the first table is in none."""
    lines = text.splitlines()
    heads: list[tuple[int, str, bool]] = []
    for number, line in enumerate(lines):
        found = _HEADER.match(line)
        if found and not (heads and found["name"].startswith(f"{heads[-1][1]}.")):
            heads.append((number, found["name"], bool(found["array"])))
    begins = [_with_remarks(lines, number) for number, _, _ in heads]
    counts: dict[str, int] = {}
    parts = []
    ends = [*begins, len(lines)][1:]
    for (number, kind, is_array), first, end in zip(heads, begins, ends, strict=True):
        counts[kind] = counts.get(kind, 0) + 1
        ids = (_ID.match(line) for line in lines[number:end])
        own = next((found["id"] for found in ids if found), str(counts[kind])) if is_array else ""
        parts.append(Part(kind, own, first, end))
    return parts


def _with_remarks(lines: Sequence[str], number: int) -> int:
    """The first line of a part whose table begins in a line."""
    while number and lines[number - 1].lstrip().startswith("#"):
        number -= 1
    return number


def part_of(text: str, key: str) -> Part | None:
    """The part with a key; None where there is none."""
    return next((part for part in parts_of(text) if part.key == key), None)


def text_of(text: str, part: Part) -> str:
    """A part as it stands in a data file, without the empty lines after it."""
    return "\n".join(text.splitlines()[part.first : part.end]).rstrip() + "\n"


def with_part(text: str, part: Part, new: str) -> str:
    """A data file with other text in place of a part; empty text takes the part out."""
    lines = text.splitlines()
    inner = [*new.rstrip().splitlines(), ""] if new.strip() else []
    return "\n".join([*lines[: part.first], *inner, *lines[part.end :]]).rstrip() + "\n"


def with_another(text: str, part: Part) -> tuple[str, str]:
    """A data file with a second part like one that has an id, right behind it but without its remarks; and the key of
    the new part."""
    taken = {other.key for other in parts_of(text)}
    number = next(number for number in range(2, len(taken) + 3) if f"{part.key}_{number}" not in taken)
    own = text_of(text, part)
    bare = own[own.index("[[") :]
    return with_part(text, part, f"{own}\n{_called(bare, number)}"), f"{part.key}_{number}"


def _called(text: str, number: int) -> str:
    """A part whose id ends with a number."""
    lines = text.split("\n")
    # Each line on its own and only from its beginning: to search for the id in the whole text takes quadratic time
    # where it consists of white space.
    for place, line in enumerate(lines):
        if found := _ID.match(line):
            lines[place] = f"{line[: found.end('id')]}_{number}{line[found.end('id') :]}"
            break
    return "\n".join(lines)
