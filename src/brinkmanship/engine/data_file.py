"""Data files of games: TOML, the package's own or a designer's copy, read with errors that name the line.

`read` returns the data or raises `DataFileError` with one line: the file, the line in it, the card (option ...), the
field, and what would be right. The checks come in three layers, each relying on the one before: the text is TOML
(`tomllib`), its shape is that of the game's classes (`msgspec`), and what it says can be played (the game's `faults`).
The functions at the end are checks that games share.
"""

from __future__ import annotations

import difflib
import hashlib
import json
import re
import tomllib
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from importlib.resources import files
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import msgspec
from msgspec import inspect

from brinkmanship.engine.errors import DataFileError
from brinkmanship.engine.options import Option, OptionValue

Data = TypeVar("Data", bound=msgspec.Struct)

RESERVED = ("sha256", "file")
"""Fields of a game's data that `read` fills: the fingerprint of its text, and where it came from ("" = the package)."""

Foreign = Mapping[str, Collection[str] | None]
"""Words of a shared vocabulary that this game has not, and therefore does not suggest: by `op`, fields or None for the
whole operation."""


def read(
    path: str | Path | None,
    package: str,
    schema: type[Data],
    faults: Callable[[dict[str, Any], Data], Iterator[Fault]],
    foreign: Foreign | None = None,
    own: str = "cards.toml",
) -> Data:
    """Read and check a data file; without a path the game's own one.

    Args:
        package: of the game.
        own: the file in that package.
        schema: the game's class for all of the file, with the fields of `RESERVED`.
        faults: what keeps data of the right shape from being played, in the order of the file.
        foreign: words that are not to be suggested.

    Raises:
        DataFileError: the file cannot be read or used; the message names file, line, card and field.
    """
    file = f"{own} (of the package)" if path is None else str(path)
    content = _bytes(path, package, own, file)
    text = _text(content, file)
    raw = _parsed(text, file)
    try:
        data = msgspec.convert(raw, schema)
    except msgspec.ValidationError as error:
        raise _error(file, text, raw, _Shape(schema, foreign or {}).fault(str(error), raw)) from None
    for fault in chain(_reserved(raw), faults(raw, data)):
        raise _error(file, text, raw, fault)
    return msgspec.structs.replace(
        data, sha256=hashlib.sha256(content).hexdigest(), file="" if path is None else str(path)
    )


Spot = tuple[str | int, ...]
"""A place in the data, as ("card", 12, "effects", 0, "max")."""


class Fault(NamedTuple):
    """What is wrong, and where; the first one found is reported."""

    at: Spot
    message: str


Faults = Iterator[Fault]


def _bytes(path: str | Path | None, package: str, own: str, file: str) -> bytes:
    try:
        if path is None:
            return files(package).joinpath(own).read_bytes()
        return Path(path).read_bytes()
    except FileNotFoundError:
        raise DataFileError(file, None, "there is no such file") from None
    except IsADirectoryError:
        raise DataFileError(file, None, "this is a folder, not a data file (TOML)") from None
    except OSError as error:
        raise DataFileError(file, None, f"cannot be read: {error.strerror}") from None


def _text(content: bytes, file: str) -> str:
    try:
        return content.decode("utf-8-sig")  # some editors on Windows put a byte order mark first
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise DataFileError(file, line, "this is not UTF-8 text; save the file with the encoding UTF-8") from None


def _parsed(text: str, file: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        message = str(error)
        place = re.search(r" \(at line (\d+), column (\d+)\)$", message)
        if place is None:  # "at end of document"
            raise DataFileError(file, text.count("\n") + 1, f"not valid TOML: {message}") from None
        what = message[: place.start()].replace("Cannot overwrite a value", "this field stands there twice")
        raise DataFileError(file, int(place[1]), f"not valid TOML: {what} (column {place[2]})") from None
    except RecursionError:
        raise DataFileError(file, None, "not valid TOML: brackets are nested too deeply") from None


def _error(file: str, text: str, raw: dict[str, Any], fault: Fault) -> DataFileError:
    label = _label(fault.at, raw)
    message = f"{label}: {fault.message}" if label else fault.message
    return DataFileError(file, _line(fault.at, text), " ".join(message.splitlines()))


def _label(at: Spot, raw: dict[str, Any]) -> str:
    """The place in words: ``card "quarantine", effects[0].max``."""
    match at:
        case (str(kind), int(index), *rest):
            entry = raw[kind][index]
            name = entry.get("id") if isinstance(entry, dict) else None
            head = f"{kind} {shown(name)}" if isinstance(name, str) else f"{kind} number {index + 1}"
        case ("options", str(option), *rest):
            head = f'option "{option}"'
        case _:
            head, rest = "", list(at)
    field = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in rest).removeprefix(".")
    return ", ".join(part for part in (head, field) if part)


# Where it stands in the text.


def _line(at: Spot, text: str) -> int | None:
    """The line of a place, or of the nearest thing around it; a card, agenda ... stands where its `id` does."""
    lines = _LineReader(text).read()
    while at and at not in lines:
        at = at[:-1]
    return lines.get((*at, "id"), lines.get(at))


_TOKEN = re.compile(
    r"""
    (?P<string> \"{3} (?:[^\\]|\\.)*? \"{3,5} | '{3} .*? '{3,5} | "(?:[^"\\]|\\.)*" | '[^']*' )
    | \#[^\n]*
    | (?P<mark> [\n\[\]{}=,.] )
    | (?P<word> [^\s\[\]{}=,.\#"']+ )
    """,
    re.VERBOSE | re.DOTALL,
)


class _LineReader:
    """Finds the line of every table, field and list entry of a text that `tomllib` has accepted, and reads no more."""

    def __init__(self, text: str) -> None:
        self.lines: dict[Spot, int] = {}
        self._tokens: list[tuple[str, int]] = []
        self._next = 0
        self._entries: dict[Spot, int] = {}  # of every [[array of tables]] so far
        line, counted = 1, 0
        for token in _TOKEN.finditer(text):
            line += text.count("\n", counted, token.start())
            counted = token.start()
            if token.lastgroup:
                self._tokens.append((token[0], line))
        self._tokens.append(("", line))

    def read(self) -> dict[Spot, int]:
        table: Spot = ()
        while token := self._peek():
            if token == "\n":
                self._take()
            elif token == "[":
                table = self._header()
            else:
                self._pair(table)
        return self.lines

    def _peek(self) -> str:
        return self._tokens[self._next][0]

    def _take(self) -> str:
        self._next += 1
        return self._tokens[self._next - 1][0]

    def _header(self) -> Spot:
        line = self._tokens[self._next][1]
        self._take()
        is_array = self._peek() == "["
        if is_array:
            self._take()
        keys = self._keys("]")
        if is_array:
            self._take()
        at: Spot = ()
        for depth, key in enumerate(keys, 1):
            at = (*at, key)
            if is_array and depth == len(keys):
                self.lines.setdefault(at, line)
                self._entries[at] = self._entries.get(at, 0) + 1
            if at in self._entries:
                at = (*at, self._entries[at] - 1)
        self.lines[at] = line
        return at

    def _keys(self, end: str) -> tuple[str, ...]:
        keys = []
        while (token := self._take()) != end:
            if token != ".":
                keys.append(token.strip("\"'"))
        return tuple(keys)

    def _pair(self, table: Spot) -> None:
        self._value(table + self._keys("="))

    def _value(self, at: Spot) -> None:
        opening, self.lines[at] = self._tokens[self._next]
        if opening not in ("[", "{"):
            while self._peek() not in (",", "]", "}", "\n", ""):
                self._take()
            return
        self._take()
        closing = "]" if opening == "[" else "}"
        index = 0
        while self._peek() != closing:
            if self._peek() in ("\n", ","):
                self._take()
            elif opening == "[":
                self._value((*at, index))
                index += 1
            else:
                self._pair(at)
        self._take()


def _reserved(raw: dict[str, Any]) -> Faults:
    for name in RESERVED:
        if name in raw:
            yield Fault((name,), "there is no such field; the program works it out itself")


class _Shape:
    """The shape of a data file: what msgspec found, in our words."""

    def __init__(self, schema: type[msgspec.Struct], foreign: Foreign) -> None:
        self.schema = schema
        self.foreign = foreign

    def fault(self, message: str, raw: dict[str, Any]) -> Fault:
        """The fault behind a message of msgspec, as "Expected `int` <= 9 - at `$.card[12].effects[0].max`"."""
        what, _, path = message.partition(" - at `$")
        at = self._spot(path.removesuffix("`"), raw)
        kind = self._type_at(at, raw)
        if unknown := re.fullmatch(r"Object contains unknown field `(.*)`", what, re.DOTALL):
            fields = self._fields(kind)
            return Fault((*at, unknown[1]), f"there is no such field; {suggestion(unknown[1], fields)}")
        if missing := re.fullmatch(r"Object missing required field `(.*)`", what):
            return Fault(
                (*at, missing[1]), f"is missing; it must be {_described(self._type_at((*at, missing[1]), raw))}"
            )
        if re.match(r"Expected |Invalid |Integer ", what):
            value = _value_at(at, raw)
            hint = _did_you_mean(value, map(str, _literals(kind))) if isinstance(value, str) else ""
            return Fault(at, f"must be {_described(kind)}, not {shown(value)}{hint and '; ' + hint}")
        return Fault(at, what)  # a sentence of the classes themselves

    def _spot(self, path: str, raw: dict[str, Any]) -> Spot:
        """The parts of a path of msgspec; where that hides the key of a table behind ``[...]``, the key is found."""
        at: Spot = ()
        for field, index in re.findall(r"\.([^.\[\]]+)|\[([^\]]+)\]", path):
            at = (*at, self._faulty_key(at, raw)) if index == "..." else (*at, field or int(index))
        return at

    def _faulty_key(self, at: Spot, raw: dict[str, Any]) -> str:
        table = _value_at(at, raw)
        everything = dict(table)
        prefix = "$" + "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in at) + "[...]"
        faulty = ""
        for key, value in everything.items():
            table.clear()
            table[key] = value
            try:
                msgspec.convert(raw, self.schema)
            except msgspec.ValidationError as error:
                if prefix in str(error):
                    faulty = key
                    break
        table.clear()
        table.update(everything)
        return faulty

    def _type_at(self, at: Spot, raw: dict[str, Any]) -> inspect.Type | None:
        """What the schema expects at a place; None where they know no such place."""
        kind: inspect.Type | None = inspect.type_info(self.schema)
        for depth, part in enumerate(at):
            tags = self._tags(kind)
            if part == "op" and tags:
                return inspect.LiteralType(tuple(tags))
            if tags:
                value = _value_at(at[:depth], raw)
                kind = tags.get(value.get("op")) if isinstance(value, dict) else None
            kind = _member(kind, part)
        return kind

    def _tags(self, kind: inspect.Type | None) -> dict[Any, inspect.StructType]:
        """The classes behind each `op`, where the type is an effect."""
        members = kind.types if isinstance(kind, inspect.UnionType) else ()
        return {
            member.tag: member
            for member in members
            if isinstance(member, inspect.StructType) and self.foreign.get(str(member.tag), ()) is not None
        }

    def _fields(self, kind: inspect.Type | None) -> list[str]:
        """The names of the fields of a table, `op` first where it has one."""
        if isinstance(kind, inspect.UnionType):
            kind = next((one for one in kind.types if isinstance(one, inspect.StructType)), None)
        if not isinstance(kind, inspect.StructType):
            return []
        strange = self.foreign.get(str(kind.tag)) or ()
        names = [field.encode_name for field in kind.fields if field.encode_name not in strange]
        return [kind.tag_field, *names] if kind.tag_field else [name for name in names if name not in RESERVED]


def _value_at(at: Spot, raw: dict[str, Any]) -> Any:
    value: Any = raw
    for part in at:
        value = value[part]
    return value


def _member(kind: inspect.Type | None, part: str | int) -> inspect.Type | None:
    if isinstance(kind, inspect.UnionType):  # "... or nothing"
        kind = next((one for one in kind.types if not isinstance(one, inspect.NoneType)), None)
    match kind:
        case inspect.ListType():
            return kind.item_type
        case inspect.DictType():
            return kind.value_type
        case inspect.StructType():
            return next((field.type for field in kind.fields if field.encode_name == part), None)
        case _:
            return None


def _literals(kind: inspect.Type | None) -> list[Any]:
    kinds = kind.types if isinstance(kind, inspect.UnionType) else (kind,)
    return [value for one in kinds if isinstance(one, inspect.LiteralType) for value in one.values]


def _described(kind: inspect.Type | None) -> str:
    """A type in words: "a whole number from 0 to 9"."""
    match kind:
        case inspect.UnionType():
            parts = [_described(one) for one in kind.types if not isinstance(one, inspect.NoneType)]
            return " or ".join(dict.fromkeys(parts))
        case inspect.IntType(ge=None, le=None):
            return "a whole number"
        case inspect.IntType():
            return f"a whole number from {kind.ge} to {kind.le}"
        case inspect.LiteralType():
            return one_of(kind.values)
        case inspect.StrType():
            return "a text in quotes"
        case inspect.BoolType():
            return "true or false"
        case inspect.ListType(min_length=None):
            return "a list [ ... ]"
        case inspect.ListType():
            return f"a list [ ... ] with {kind.min_length} to {kind.max_length} entries"
        case _:
            return "a table { ... }"


# Words for messages.


def shown(value: Any) -> str:
    """A value as it stands in the file, shortened, on one line."""
    if isinstance(value, list):
        return f"a list of {len(value)}"
    if isinstance(value, dict):
        return "a table { ... }"
    if value is None:
        return "nothing"
    if isinstance(value, str | bool | int):
        text = json.dumps(value, ensure_ascii=False)
        return text if len(text) <= 60 else f"{text[:56]} ..."
    return str(value)


def one_of(values: Iterable[Any]) -> str:
    """Values as a list with "or"."""
    *most, last = [shown(value) for value in values]
    return f"{', '.join(most)} or {last}" if most else last


def suggestion(name: str, known: Collection[str]) -> str:
    """What may have been meant, and what there is."""
    hint = _did_you_mean(name, known)
    return f"{hint or 'known'}{' Known' if hint else ''}: {', '.join(known)}"


def _did_you_mean(name: str, known: Iterable[str]) -> str:
    close = difflib.get_close_matches(name, list(known), 1)
    return f'did you mean "{close[0]}"?' if close else ""


# Checks that many of them share.


def known_name(at: Spot, name: str, known: Collection[str], what: str) -> Faults:
    """A name that must be one of the known ones."""
    if name not in known:
        yield Fault(at, f"there is no {what} {shown(name)}; {suggestion(name, known)}")


def exactly_these(at: Spot, given: Collection[str], expected: Collection[str], what: str) -> Faults:
    """Names that must be all of the expected ones."""
    for name in given:
        yield from known_name((*at, name), name, expected, what)
    for name in expected:
        if name not in given:
            yield Fault((*at, name), f"is missing; the file needs all of {', '.join(expected)}")


def unique_ids(kind: str, ids: list[str]) -> Faults:
    """Ids that must be well-formed and all different."""
    for index, name in enumerate(ids):
        if not re.fullmatch(r"[a-z][a-z0-9_]*", name):
            yield Fault((kind, index, "id"), "must be made of a-z, 0-9 and _, beginning with a letter: moves use it")
        if name in ids[:index]:
            yield Fault((kind, index, "id"), f'"{name}" is the id of an earlier {kind}; every id must be different')


def names(at: Spot, names: Mapping[str, str]) -> Faults:
    """The names of a thing by language."""
    if "en" not in names:
        yield Fault((*at, "en"), 'is missing; a name needs at least English, as { en = "Quarantine" }')
    for language, name in names.items():
        if not name.strip():
            yield Fault((*at, language), "must not be empty")


def options(given: Mapping[str, Option], values: Mapping[str, Sequence[OptionValue]]) -> Faults:
    """Whether the options of a file are those of the game, each with the values it takes."""
    yield from exactly_these(("options",), given, values, "option")
    for name, option in given.items():
        if option.range is not None:
            least, most = option.range
            if not isinstance(option.default, int) or not least <= option.default <= most:
                yield Fault(
                    ("options", name, "default"), f"must be from {least} to {most}, not {shown(option.default)}"
                )
            continue
        if option.default not in values[name]:
            yield Fault(("options", name, "default"), f"must be {one_of(values[name])}, not {shown(option.default)}")
        rest = [value for value in values[name] if value != option.default]
        if sorted(map(str, option.other)) != sorted(map(str, rest)) or not set(option.other) <= set(rest):
            yield Fault(
                ("options", name, "other"),
                f"must hold the other values, here [{', '.join(map(shown, rest))}], "
                f"not [{', '.join(map(shown, option.other))}]",
            )
