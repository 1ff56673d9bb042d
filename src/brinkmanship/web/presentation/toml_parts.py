"""Split a custom data file (TOML) into parts that can be edited one at a time.

A part is a table of the file with its sub-tables and the comments right above it: a card, an agenda, a zone, the
limits. This module does not interpret the contents: the whole file is parsed and validated like any other.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

_HEADER = re.compile(r"\s*(?P<array>\[)?\[\s*(?P<name>[\w.-]+)\s*\]")
_ID = re.compile(r"""\s*id\s*=\s*["'](?P<id>[^"']*)["']""")

WHOLE = "file"
"""Key of the whole file, in place of a part."""


class TomlPart(NamedTuple):
    """A part of a data file."""

    kind: str
    """Name of its table, e.g. "card" or "limits"."""
    id: str
    """Distinguishes parts of a kind: the id, otherwise the number; "" if the kind has only one part."""
    first: int
    """Its first line, from 0."""
    end: int
    """The line after its last one."""

    @property
    def key(self) -> str:
        """The key used in addresses: "card.quarantine"."""
        return f"{self.kind}.{self.id}" if self.id else self.kind


def parts_of(text: str) -> list[TomlPart]:
    """Return the parts of a data file in order, excluding everything before the first table."""
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
        parts.append(TomlPart(kind, own, first, end))
    return parts


def _with_remarks(lines: Sequence[str], number: int) -> int:
    """Return the first line of a part whose table header is at a line, including the comments above it."""
    while number and lines[number - 1].lstrip().startswith("#"):
        number -= 1
    return number


def part_of(text: str, key: str) -> TomlPart | None:
    """Return the part with a key, or None."""
    return next((part for part in parts_of(text) if part.key == key), None)


def text_of(text: str, part: TomlPart) -> str:
    """Return the text of a part without trailing empty lines."""
    return "\n".join(text.splitlines()[part.first : part.end]).rstrip() + "\n"


def with_part(text: str, part: TomlPart, new: str) -> str:
    """Return the data file with a part replaced by new text; empty text removes the part."""
    lines = text.splitlines()
    inner = [*new.rstrip().splitlines(), ""] if new.strip() else []
    return "\n".join([*lines[: part.first], *inner, *lines[part.end :]]).rstrip() + "\n"


def with_another(text: str, part: TomlPart) -> tuple[str, str]:
    """Return the data file with a copy of a part, and the key of the copy.

    The copy follows the original, without its comments and with a new id.
    """
    taken = {other.key for other in parts_of(text)}
    number = next(number for number in range(2, len(taken) + 3) if f"{part.key}_{number}" not in taken)
    own = text_of(text, part)
    bare = own[own.index("[[") :]
    return with_part(text, part, f"{own}\n{_called(bare, number)}"), f"{part.key}_{number}"


def _called(text: str, number: int) -> str:
    """Return the part with a number appended to its id."""
    lines = text.split("\n")
    # Match line by line from the start: searching the whole text for the id is quadratic if it consists of white
    # space.
    for place, line in enumerate(lines):
        if found := _ID.match(line):
            lines[place] = f"{line[: found.end('id')]}_{number}{line[found.end('id') :]}"
            break
    return "\n".join(lines)
