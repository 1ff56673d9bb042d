"""Reader of data files (TOML): the package's own or a designer's copy, with errors that name the line.

`read` returns the data or raises `DataFileError` with one line: the file, the line in it, the card (option ...), the
field, and the expected value, as a message of the catalogues ``faults``. There are three layers of checks, each relying
on the one before: the text is TOML (`tomllib`), its shape is that of the game's classes (`msgspec`), and its content is
playable (the game's `faults`). The functions at the end are checks that games share.
"""

from __future__ import annotations

import difflib
import hashlib
import json
import re
from bisect import bisect_left
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import reduce
from importlib.resources import files
from itertools import chain, islice
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import msgspec
from msgspec import inspect

from brinkmanship.engine.errors import DataFileError
from brinkmanship.engine.message import Argument, Message
from brinkmanship.engine.options import Option, OptionValue
from brinkmanship.engine.struct_types import prepare
from brinkmanship.engine.toml_subprocess import COSTLY, ParseResult, parse, parse_apart

Data = TypeVar("Data", bound=msgspec.Struct)


class DataFile(NamedTuple):
    """A data file as bytes in memory, such as an upload to a server."""

    name: str
    content: bytes


DataSource = str | Path | DataFile
"""A path of a data file, or its content."""

RESERVED = ("sha256", "file")
"""Fields of a game's data that `read` fills: the SHA-256 of its text, and its source ("" = the package)."""

MAX_SHOWN_LENGTH = 120
"""Maximum characters shown of a differing value."""

MAX_BYTES = 1_000_000
"""Maximum file size; messages call it 1 MB."""
MAX_LINE_LENGTH = 2_000
"""Maximum characters of a line. No game comes near either limit."""
MAX_KEY_PARTS = 8
"""Maximum parts of a key; ``a.b.c`` has three. `tomllib` takes quadratic time and memory for a key of many parts."""
MAX_NESTED = 16
"""Maximum number of open brackets and braces."""
MAX_MEANT_LENGTH = 40
MAX_MEANT = 200
"""Maximum length and number of names compared with a misspelt one: a comparison takes more than quadratic time."""

MAX_NAME_LENGTH = 80
"""Maximum characters of a name, an id or a key; the longest in the package has 35."""
MAX_TEXT_LENGTH = 1_000
"""Maximum characters of a value of `TEXTS`; the longest in the package has 131."""
TEXTS = ("summary",)
"""Fields with sentences."""

Foreign = Mapping[str, Collection[str] | None]
"""Words of a shared vocabulary that this game does not have, and therefore does not suggest: by `op`, fields or None
for the whole operation.
"""


def read(
    path: DataSource | None,
    package: str,
    schema: type[Data],
    faults: Callable[[dict[str, Any], Data], Iterator[Fault]],
    foreign: Foreign | None = None,
    own: str = "cards.toml",
) -> Data:
    """Read and check a data file; without one the game's own.

    Args:
        path: the file, as a path or as its content; None: the game's own.
        package: the package of the game.
        schema: the game's class for the whole file, with the fields of `RESERVED`.
        faults: yields the faults of well-formed data that make it unplayable, in the order of the file.
        foreign: words that are not to be suggested.
        own: name of the file in that package.

    Raises:
        DataFileError: the file cannot be read or used; the message names file, line, card and field.
    """
    given = path.name if isinstance(path, DataFile) else "" if path is None else str(path)
    file = given or f"{own} (of the package)"
    content = _bytes(path, package, own, file)
    text = _text(content, file)
    raw = _parsed(text, file, parse_apart if isinstance(path, DataFile) else parse)
    prepare(schema)
    try:
        data = msgspec.convert(raw, schema)
    except msgspec.ValidationError as error:
        raise _error(file, text, raw, _Shape(schema, foreign or {}).fault(error, raw)) from None
    for fault in chain(_reserved(raw), _lengths(raw, ()), faults(raw, data)):
        raise _error(file, text, raw, fault)
    return msgspec.structs.replace(data, sha256=hashlib.sha256(content).hexdigest(), file=given)


Spot = tuple[str | int, ...]
"""A place in the data, for example ("card", 12, "effects", 0, "max")."""


class Fault(NamedTuple):
    """A fault and its place; only the first one found is reported."""

    at: Spot
    message: Message


Faults = Iterator[Fault]


class ShapeError(ValueError):
    """A fault found by a class of a game in ``__post_init__``: values that do not go together."""

    def __init__(self, message: Message) -> None:
        super().__init__(message.key)
        self.message = message


def fault(at: Spot, key: str, **arguments: Argument) -> Fault:
    """Return a fault by its key in the catalogues ``faults``; numbers are formatted as in a file."""
    return Fault(at, _message(key, **arguments))


def _message(key: str, **arguments: Argument) -> Message:
    return Message(f"fault.{key}", {k: str(v) if isinstance(v, int) else v for k, v in arguments.items()})


def _bytes(path: DataSource | None, package: str, own: str, file: str) -> bytes:
    try:
        if path is None:
            return files(package.removesuffix(".rules")).joinpath(own).read_bytes()
        if isinstance(path, DataFile):
            content = path.content
        else:
            with open(path, "rb") as stream:
                content = stream.read(MAX_BYTES + 1)
    except FileNotFoundError:
        raise DataFileError(file, None, _message("no_file")) from None
    except IsADirectoryError:
        raise DataFileError(file, None, _message("folder")) from None
    except OSError as error:
        raise DataFileError(file, None, _message("unreadable", why=str(error.strerror))) from None
    if len(content) > MAX_BYTES:
        raise DataFileError(file, None, _message("too_long"))
    return content


def _text(content: bytes, file: str) -> str:
    try:
        text = content.decode("utf-8-sig")  # some Windows editors write a byte order mark
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise DataFileError(file, line, _message("not_utf8")) from None
    for number, line_text in enumerate(text.split("\n"), 1):
        if len(line_text) > MAX_LINE_LENGTH:
            length = {"characters": len(line_text), "most": MAX_LINE_LENGTH}
            raise DataFileError(file, number, Message("fault.long_line", length))
    return text


def _parsed(text: str, file: str, parse: Callable[[str], ParseResult] = parse) -> dict[str, Any]:
    _refuse_excess(text, file)
    parsed = parse(text)
    if parsed.data is not None:
        return parsed.data
    if parsed.fault is not None:
        raise _toml_error(parsed.fault, text, file)
    if parsed == COSTLY:
        what = _message("toml.costly")
    else:
        what = _message("toml.nested") if parsed.is_nested else _message("toml.number")
    raise DataFileError(file, None, _message("toml", what=what))


def _toml_error(message: str, text: str, file: str) -> DataFileError:
    place = re.search(r" \(at line (\d+), column (\d+)\)$", message)
    if place is None:  # "at end of document"
        what = _of_toml(message.removesuffix(" (at end of document)"))
        return DataFileError(file, text.count("\n") + 1, _message("toml.end", what=what))
    what = _of_toml(message[: place.start()])
    return DataFileError(file, int(place[1]), _message("toml.column", what=what, column=place[2]))


# Linear time: after each repetition the pattern ends or continues with a character that the repetition excludes. The
# end of a string is searched for once: if there is none, `_refuse_excess` stops, as the TOML parser will.
_STRUCTURE = re.compile(r"""#[^\n]*|\"{3}|'{3}|["'\[\]{}=,.\n]""")
_STRING = re.compile(
    r"""
    \"{3} [^"\\]* (?: (?: \\. | "(?!"") ) [^"\\]* )* \"{3,5}
    | '{3} [^']* (?: '(?!'') [^']* )* '{3,5}
    | "(?!"") [^"\\]* (?: \\. [^"\\]* )* "
    | '(?!'') [^']* '
    """,
    re.VERBOSE | re.DOTALL,
)


def _refuse_excess(text: str, file: str) -> None:
    """Refuse a text that `tomllib` would take too long for; takes linear time.

    Raises:
        DataFileError: a key has too many parts, or too many brackets are open at once.
    """
    depth = dots = at = 0
    while found := _STRUCTURE.search(text, at):
        at, mark = found.end(), found[0]
        if mark[0] in "\"'":
            string = _STRING.match(text, found.start())
            if string is None:
                return
            at = string.end()
        elif mark == ".":
            dots += 1
        elif mark[0] != "#":
            dots = 0  # a key is on one line and contains none of these characters
            depth = depth + 1 if mark in "[{" else max(0, depth - 1) if mark in "]}" else depth
        if dots >= MAX_KEY_PARTS or depth > MAX_NESTED:
            what = _message("toml.nested") if depth > MAX_NESTED else _message("toml.parts", most=MAX_KEY_PARTS)
            raise DataFileError(file, text.count("\n", 0, at) + 1, _message("toml", what=what))


TOML_SENTENCES = {
    "Cannot overwrite a value": "twice",
    "Invalid value": "value",
    "Invalid statement": "statement",
    "Expected newline or end of document after a statement": "after_statement",
    "Expected '=' after a key in a key/value pair": "equals",
    r"Expected '\]' at the end of a table declaration": "header",
    "Invalid initial character for a key part": "key",
    "Unclosed array": "unclosed_array",
    "Unclosed inline table": "unclosed_table",
    "Unterminated string": "unclosed_text",
    "Illegal character (?P<character>.*)": "character",
    r"Cannot declare \('(?P<name>.*)',\) twice": "table_twice",
    r"Expected '\]\]' at the end of an array declaration": "headers",
    "Cannot (mutate immutable|redefine) namespace .*": "twice",
    "Duplicate inline table key .*": "twice",
    r"Unescaped '\\' in a string": "backslash",
    "Invalid hex value|Escaped character is not a Unicode scalar value": "backslash",
    r"Expected \W+": "unclosed_text",
    "Found invalid character (?P<character>.*)": "character",
    "Invalid date or datetime": "date",
}
"""Messages of `tomllib` and our keys; for messages of future versions only the place is reported."""


def _of_toml(sentence: str) -> Message:
    for pattern, key in TOML_SENTENCES.items():
        if found := re.fullmatch(pattern, sentence, re.DOTALL):
            return _message(f"toml.{key}", **found.groupdict())
    return _message("toml.other")


def _error(file: str, text: str, raw: dict[str, Any], fault: Fault) -> DataFileError:
    label = _label(fault.at, raw)
    reason = fault.message if label is None else _message("at", at=label, what=fault.message)
    return DataFileError(file, _line(fault.at, text), reason)


def _label(at: Spot, raw: dict[str, Any]) -> Argument | None:
    """Return the place in words: ``card "quarantine", effects[0].max``."""
    head: Message | None = None
    match at:
        case (str(kind), int(index), *rest):
            entry = raw[kind][index]
            name = entry.get("id") if isinstance(entry, dict) else None
            if isinstance(name, str):
                head = _message("place.named", kind=_kind(kind), name=shown(name))
            else:
                head = _message("place.number", kind=_kind(kind), number=index + 1)
        case ("options", str(option), *rest):
            head = _message("place.named", kind=_kind("option"), name=f'"{option}"')
        case _:
            rest = list(at)
    field = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in rest).removeprefix(".")
    if head is not None and field:
        return _message("place.in", head=head, field=field)
    return head or field or None


KINDS = (
    "card",
    "agenda",
    "battleground",
    "track",
    "area",
    "colour",
    "option",
    "country",
    "zone",
    "unit",
    "marker",
)
"""Kinds of records that the catalogues have a word for; others are named as in the file."""


def _kind(kind: str) -> Argument:
    return _message(f"kind.{kind}") if kind in KINDS else kind


class Difference(NamedTuple):
    """A difference between two data files."""

    at: str
    """The place, for example ``card · quarantine · cubes``."""
    before: str
    """The value in the first file, as in its text; "" if it has none."""
    after: str


def differences(before: bytes, after: bytes) -> list[Difference]:
    """Return the differences of two data files, except comments and the order of tables with ids.

    Both are files that `read` has accepted.
    """
    return list(_differing(_parsed(_text(before, ""), ""), _parsed(_text(after, ""), ""), ()))


def _differing(before: Any, after: Any, at: tuple[str, ...]) -> Iterator[Difference]:
    if before == after:
        return
    first, second = _by_name(before), _by_name(after)
    if first is None or second is None:
        yield Difference(" · ".join(at), _as_written(before), _as_written(after))
        return
    for name in {**first, **second}:
        yield from _differing(first.get(name), second.get(name), (*at, name))


def _by_name(value: Any) -> dict[str, Any] | None:
    """Return the entries of a table, or of a list of tables by their ids or numbers; None for anything else."""
    if isinstance(value, dict):
        return value
    if isinstance(value, list) and value and all(isinstance(entry, dict) for entry in value):
        return {str(entry.get("id", number)): entry for number, entry in enumerate(value, 1)}
    return None


def _as_written(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, dict) or _by_name(value):
        return shown(value)
    text = json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= MAX_SHOWN_LENGTH else f"{text[: MAX_SHOWN_LENGTH - 4]} ..."


# Line numbers.


def _line(at: Spot, text: str) -> int | None:
    """Return the line of a place, or of the nearest place around it; for a card, agenda ... the line of its `id`."""
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
    """Finds the line of every table, field and list entry in a text that `tomllib` has accepted."""

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
            yield fault((name,), "reserved")


def _lengths(value: Any, at: Spot) -> Faults:
    """Yield a fault for each name or text that is too long for a page."""
    if isinstance(value, dict):
        for key, entry in value.items():
            if len(key) > MAX_NAME_LENGTH:
                yield _too_long(at, key, MAX_NAME_LENGTH)
            yield from _lengths(entry, (*at, key))
    elif isinstance(value, list):
        for index, entry in enumerate(value):
            yield from _lengths(entry, (*at, index))
    elif isinstance(value, str):
        longest = MAX_TEXT_LENGTH if at[-1] in TEXTS else MAX_NAME_LENGTH
        if len(value) > longest:
            yield _too_long(at, value, longest)


def _too_long(at: Spot, text: str, longest: int) -> Fault:
    return Fault(at, Message("fault.long_text", {"characters": len(text), "most": longest}))


class _Shape:
    """Translates errors of msgspec about the shape of a data file into our messages."""

    def __init__(self, schema: type[msgspec.Struct], foreign: Foreign) -> None:
        self.schema = schema
        self.foreign = foreign

    def fault(self, error: msgspec.ValidationError, raw: dict[str, Any]) -> Fault:
        """Return the fault for an error of msgspec such as "Expected `int` <= 9 - at `$.card[12].effects[0].max`"."""
        what, _, path = str(error).partition(" - at `$")
        at = self._spot(path.removesuffix("`"), raw)
        kind = self._type_at(at, raw)
        if unknown := re.fullmatch(r"Object contains unknown field `(.*)`", what, re.DOTALL):
            fields = self._fields(kind)
            return fault((*at, unknown[1]), "no_field", known=suggestion(unknown[1], fields))
        if missing := re.fullmatch(r"Object missing required field `(.*)`", what):
            spot = (*at, missing[1])
            return fault(spot, "missing", what=_described(self._type_at(spot, raw)))
        if re.match(r"Expected |Invalid |Integer ", what):
            value = _value_at(at, raw)
            if isinstance(value, str) and (meant := _meant(value, map(str, _literals(kind)))):
                return fault(at, "must_be.meant", what=_described(kind), value=said(value), name=meant)
            return fault(at, "must_be", what=_described(kind), value=said(value))
        if isinstance(error.__cause__, ShapeError):
            return Fault(at, error.__cause__.message)
        return fault(at, "plain", what=what)  # a message from a class of the game

    def _spot(self, path: str, raw: dict[str, Any]) -> Spot:
        """Return the parts of a path of msgspec; a table key that it hides behind ``[...]`` is searched for."""
        at: Spot = ()
        for part in re.finditer(r"\.([^.\[\]]+)|\[(\d+|\.\.\.)\]", path):
            field, index = part.groups()
            if index != "...":
                at = (*at, field or int(index))
                continue
            key = self._faulty_key(at, raw, f"${path[: part.end()]}")
            if key is None:
                break
            at = (*at, key)
        return at

    def _faulty_key(self, at: Spot, raw: dict[str, Any], prefix: str) -> str | None:
        """Return the key of the first faulty entry of a table, found by bisection.

        Args:
            at: the place of the table.
            raw: the data of the file.
            prefix: the path in the error up to this key; for nested tables it hides both keys.
        """
        table = _value_at(at, raw)
        everything = list(table.items())

        def is_faulty_with(count: int) -> bool:
            table.clear()
            table.update(everything[:count])
            try:
                msgspec.convert(raw, self.schema)
            except msgspec.ValidationError as error:
                return prefix in str(error)
            return False

        count = bisect_left(range(len(everything)), True, key=lambda index: is_faulty_with(index + 1))
        table.clear()
        table.update(everything)
        return everything[count][0] if count < len(everything) else None

    def _type_at(self, at: Spot, raw: dict[str, Any]) -> inspect.Type | None:
        """Return the type that the schema expects at a place; None if the schema has no such place."""
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
        """Return the classes by their `op`, if the type is an effect."""
        members = kind.types if isinstance(kind, inspect.UnionType) else ()
        return {
            member.tag: member
            for member in members
            if isinstance(member, inspect.StructType) and self.foreign.get(str(member.tag), ()) is not None
        }

    def _fields(self, kind: inspect.Type | None) -> list[str]:
        """Return the names of the fields of a table, `op` first if it has one."""
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


def _described(kind: inspect.Type | None) -> Argument:
    """Return a type in words: "a whole number from 0 to 9"."""
    match kind:
        case inspect.UnionType():
            parts: list[Argument] = []
            for part in (_described(one) for one in kind.types if not isinstance(one, inspect.NoneType)):
                if part not in parts:
                    parts.append(part)
            return reduce(lambda most, last: _message("type.or", most=most, last=last), parts)
        case inspect.IntType(ge=None, le=None):
            return _message("type.whole")
        case inspect.IntType():
            return _message("type.range", least=str(kind.ge), most=str(kind.le))
        case inspect.LiteralType():
            return one_of(kind.values)
        case inspect.StrType():
            return _message("type.text")
        case inspect.BoolType():
            return _message("type.truth")
        case inspect.ListType(min_length=None):
            return _message("type.list")
        case inspect.ListType():
            return _message("type.list.entries", least=str(kind.min_length), most=str(kind.max_length))
        case _:
            return _message("type.table", braces=BRACES)


# Words for messages.


BRACES = "{ ... }"
"""A table, shortened."""


def said(value: Any) -> Argument:
    """Return a value of a file for use in a sentence."""
    if isinstance(value, list):
        return _message("value.list", entries=len(value))
    if isinstance(value, dict):
        return _message("type.table", braces=BRACES)
    if value is None:
        return _message("value.nothing")
    return shown(value)


def shown(value: Any) -> str:
    """Return a value as in the file, shortened, on one line."""
    if isinstance(value, list):
        return "[ ... ]"
    if isinstance(value, dict):
        return BRACES
    if isinstance(value, str | bool | int):
        text = json.dumps(value, ensure_ascii=False)
        return text if len(text) <= 60 else f"{text[:56]} ..."
    return str(value)


def one_of(values: Iterable[Any]) -> Argument:
    """Return values as a list with "or"."""
    *most, last = [shown(value) for value in values]
    return _message("type.or", most=", ".join(most), last=last) if most else last


def suggestion(name: str, known: Collection[str]) -> Message:
    """Return the most similar name and the list of known ones."""
    meant = _meant(name, known)
    return _message("meant", name=meant, known=", ".join(known)) if meant else _message("known", known=", ".join(known))


def _meant(name: str, known: Iterable[str]) -> str:
    if len(name) > MAX_MEANT_LENGTH:
        return ""
    short = (other for other in known if len(other) <= MAX_MEANT_LENGTH)
    close = difflib.get_close_matches(name, list(islice(short, MAX_MEANT)), 1)
    return close[0] if close else ""


# Checks that games share.


NAMED = (
    "battleground",
    "battleground or group",
    "battleground or track",
    "track",
    "area",
    "colour",
    "option",
    "side",
    "country",
    "zone",
    "field",
)
"""Kinds of names that the catalogues have a "no such ..." sentence for."""


def known_name(at: Spot, name: str, known: Collection[str], what: str) -> Faults:
    """Check that a name is one of the known ones; `what` is its kind, preferably one of `NAMED`."""
    if name in known:
        return
    if what in NAMED:
        key = f"unknown.{what.replace(' ', '_')}"
        yield fault(at, key, name=shown(name), known=suggestion(name, known))
    else:
        yield fault(at, "unknown", what=what, name=shown(name), known=suggestion(name, known))


def exactly_these(at: Spot, given: Collection[str], expected: Collection[str], what: str) -> Faults:
    """Check that names are exactly the expected ones."""
    for name in given:
        yield from known_name((*at, name), name, expected, what)
    for name in expected:
        if name not in given:
            yield fault((*at, name), "missing_all", all=", ".join(expected))


def missing_entry(kind: str, name: str, expected: Collection[str]) -> Fault:
    """Return the fault for a missing record that every file needs."""
    return fault((), "missing_entry", kind=_kind(kind), name=shown(name), all=", ".join(expected))


def unique_ids(kind: str, ids: list[str]) -> Faults:
    """Check that ids are well-formed and all different."""
    seen: set[str] = set()
    for index, name in enumerate(ids):
        if not re.fullmatch(r"[a-z][a-z0-9_]*", name):
            yield fault((kind, index, "id"), "id_form")
        if name in seen:
            yield id_twice((kind, index, "id"), kind, name)
        seen.add(name)


def id_twice(at: Spot, kind: str, name: str) -> Fault:
    """Return the fault for an id that an earlier record has."""
    return fault(at, "id_twice", name=shown(name), kind=_kind(kind))


def names(at: Spot, names: Mapping[str, str]) -> Faults:
    """Check the names of a thing by language."""
    if "en" not in names:
        yield fault((*at, "en"), "no_english", example='{ en = "Quarantine" }')
    for language, name in names.items():
        if not name.strip():
            yield fault((*at, language), "empty")


def options(given: Mapping[str, Option], values: Mapping[str, Sequence[OptionValue]]) -> Faults:
    """Check that the options of a file are those of the game, each with the values it takes."""
    yield from exactly_these(("options",), given, values, "option")
    for name, option in given.items():
        if option.range is not None:
            least, most = option.range
            if not isinstance(option.default, int) or not least <= option.default <= most:
                yield fault(("options", name, "default"), "range", least=least, most=most, value=said(option.default))
            continue
        if option.default not in values[name]:
            what = one_of(values[name])
            yield fault(("options", name, "default"), "must_be", what=what, value=said(option.default))
        rest = [value for value in values[name] if value != option.default]
        if sorted(map(str, option.other)) != sorted(map(str, rest)) or not set(option.other) <= set(rest):
            others, given_ones = (", ".join(map(shown, some)) for some in (rest, option.other))
            yield fault(("options", name, "other"), "other_values", values=others, given=given_ones)
