"""Reads the data file of 13 Days, the package's own or a designer's copy, and checks all of it.

`load` returns the data or raises `DataFileError` with one line: the file, the line in it, the card (agenda,
battleground, option), the field, and what would be right. The checks come in three layers, each relying on the one
before: the text is TOML (`tomllib`), its shape is that of the classes in `data` (`msgspec`), and what it says can be
played (`_faults`). ``docs/cards.md`` lists the checks for designers.
"""

from __future__ import annotations

import difflib
import hashlib
import json
import re
import tomllib
from collections.abc import Collection, Iterable, Iterator, Sequence
from importlib.resources import files
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
from msgspec import inspect

from brinkmanship.engine.errors import DataFileError
from brinkmanship.games.thirteen_days.data import (
    BATTLEGROUNDS,
    MAX_AGENDAS,
    MAX_CARDS,
    MAX_EFFECTS_PER_CARD,
    MAX_TAKE_CARDS,
    TRACKS,
    Agenda,
    AnyEffect,
    Battleground,
    Card,
    Choose,
    Command,
    Condition,
    ExchangeHand,
    GameData,
    Limits,
    Names,
    Option,
    Place,
    PlaceUntil,
    Remove,
    Shift,
    Start,
    TakeCard,
    Track,
)
from brinkmanship.games.thirteen_days.tables import OPTION_VALUES

AREAS = ("defcon_3", "defcon_2", "defcon_1")
"""The areas of a DEFCON track, from the bottom."""

BONUS_OF = {"united_nations": "letter", "television": "defcon", "alliances": "draw"}
"""What step 5 gives to the leader of a battleground."""

GROUPS: dict[str, tuple[str, ...]] = {
    "military": BATTLEGROUNDS[0:3],
    "political": BATTLEGROUNDS[3:6],
    "world_opinion": BATTLEGROUNDS[6:9],
    "all": BATTLEGROUNDS,
}
"""The battlegrounds behind each group name of a `where`; the first three groups are those of the tracks."""

TRACK_OF = {place: track for track in TRACKS for place in GROUPS[track]}


def load(path: str | Path | None = None) -> GameData:
    """Read and check a data file; without a path the package's own ``cards.toml``.

    Raises:
        DataFileError: the file cannot be read or used; the message names file, line, card and field.
    """
    file = "cards.toml (of the package)" if path is None else str(path)
    content = _bytes(path, file)
    text = _text(content, file)
    raw = _parsed(text, file)
    try:
        data = msgspec.convert(raw, GameData)
    except msgspec.ValidationError as error:
        raise _error(file, text, raw, _translated(str(error), raw)) from None
    for fault in chain(_reserved(raw), _faults(data)):
        raise _error(file, text, raw, fault)
    return msgspec.structs.replace(
        data, sha256=hashlib.sha256(content).hexdigest(), file="" if path is None else str(path)
    )


# A place in the data, as ("card", 12, "effects", 0, "max").
_Spot = tuple[str | int, ...]


class _Fault(NamedTuple):
    """What is wrong, and where; the first one found is reported."""

    at: _Spot
    message: str


_Faults = Iterator[_Fault]


def _bytes(path: str | Path | None, file: str) -> bytes:
    try:
        if path is None:
            return files(__package__).joinpath("cards.toml").read_bytes()
        return Path(path).read_bytes()
    except FileNotFoundError:
        raise DataFileError(file, None, "there is no such file") from None
    except IsADirectoryError:
        raise DataFileError(file, None, "this is a folder, not a file of cards (TOML)") from None
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


def _error(file: str, text: str, raw: dict[str, Any], fault: _Fault) -> DataFileError:
    label = _label(fault.at, raw)
    message = f"{label}: {fault.message}" if label else fault.message
    return DataFileError(file, _line(fault.at, text), " ".join(message.splitlines()))


def _label(at: _Spot, raw: dict[str, Any]) -> str:
    """The place in words: ``card "quarantine", effects[0].max``."""
    match at:
        case ("card" | "agenda" | "battleground" | "track" as kind, int(index), *rest):
            entry = raw[kind][index]
            name = entry.get("id") if isinstance(entry, dict) else None
            head = f"{kind} {_shown(name)}" if isinstance(name, str) else f"{kind} number {index + 1}"
        case ("options", str(option), *rest):
            head = f'option "{option}"'
        case _:
            head, rest = "", list(at)
    field = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in rest).removeprefix(".")
    return ", ".join(part for part in (head, field) if part)


# Where it stands in the text.


def _line(at: _Spot, text: str) -> int | None:
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
        self.lines: dict[_Spot, int] = {}
        self._tokens: list[tuple[str, int]] = []
        self._next = 0
        self._entries: dict[_Spot, int] = {}  # of every [[array of tables]] so far
        line, counted = 1, 0
        for token in _TOKEN.finditer(text):
            line += text.count("\n", counted, token.start())
            counted = token.start()
            if token.lastgroup:
                self._tokens.append((token[0], line))
        self._tokens.append(("", line))

    def read(self) -> dict[_Spot, int]:
        table: _Spot = ()
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

    def _header(self) -> _Spot:
        line = self._tokens[self._next][1]
        self._take()
        is_array = self._peek() == "["
        if is_array:
            self._take()
        keys = self._keys("]")
        if is_array:
            self._take()
        at: _Spot = ()
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

    def _pair(self, table: _Spot) -> None:
        self._value(table + self._keys("="))

    def _value(self, at: _Spot) -> None:
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


# The shape: what msgspec found, in our words.


def _translated(message: str, raw: dict[str, Any]) -> _Fault:
    """The fault behind a message of msgspec, as "Expected `int` <= 9 - at `$.card[12].effects[0].max`"."""
    what, _, path = message.partition(" - at `$")
    at = _spot(path.removesuffix("`"), raw)
    kind = _type_at(at, raw)
    if unknown := re.fullmatch(r"Object contains unknown field `(.*)`", what, re.DOTALL):
        fields = _fields(kind)
        return _Fault((*at, unknown[1]), f"there is no such field; {_suggestion(unknown[1], fields)}")
    if missing := re.fullmatch(r"Object missing required field `(.*)`", what):
        return _Fault((*at, missing[1]), f"is missing; it must be {_described(_type_at((*at, missing[1]), raw))}")
    if re.match(r"Expected |Invalid |Integer ", what):
        value = _value_at(at, raw)
        hint = _did_you_mean(value, map(str, _literals(kind))) if isinstance(value, str) else ""
        return _Fault(at, f"must be {_described(kind)}, not {_shown(value)}{hint and '; ' + hint}")
    return _Fault(at, what)  # a sentence of the classes in `data`


def _spot(path: str, raw: dict[str, Any]) -> _Spot:
    """The parts of a path of msgspec; where that hides the key of a table behind ``[...]``, the key is found."""
    at: _Spot = ()
    for field, index in re.findall(r"\.([^.\[\]]+)|\[([^\]]+)\]", path):
        at = (*at, _faulty_key(at, raw)) if index == "..." else (*at, field or int(index))
    return at


def _faulty_key(at: _Spot, raw: dict[str, Any]) -> str:
    table = _value_at(at, raw)
    everything = dict(table)
    prefix = "$" + "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in at) + "[...]"
    faulty = ""
    for key, value in everything.items():
        table.clear()
        table[key] = value
        try:
            msgspec.convert(raw, GameData)
        except msgspec.ValidationError as error:
            if prefix in str(error):
                faulty = key
                break
    table.clear()
    table.update(everything)
    return faulty


def _value_at(at: _Spot, raw: dict[str, Any]) -> Any:
    value: Any = raw
    for part in at:
        value = value[part]
    return value


def _type_at(at: _Spot, raw: dict[str, Any]) -> inspect.Type | None:
    """What the classes in `data` expect at a place; None where they know no such place."""
    kind: inspect.Type | None = inspect.type_info(GameData)
    for depth, part in enumerate(at):
        tags = _tags(kind)
        if part == "op" and tags:
            return inspect.LiteralType(tuple(tags))
        if tags:
            value = _value_at(at[:depth], raw)
            kind = tags.get(value.get("op")) if isinstance(value, dict) else None
        kind = _member(kind, part)
    return kind


def _tags(kind: inspect.Type | None) -> dict[Any, inspect.StructType]:
    """The classes behind each `op`, where the type is an effect."""
    members = kind.types if isinstance(kind, inspect.UnionType) else ()
    return {member.tag: member for member in members if isinstance(member, inspect.StructType)}


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


def _fields(kind: inspect.Type | None) -> list[str]:
    """The names of the fields of a table, `op` first where it has one."""
    if isinstance(kind, inspect.UnionType):
        kind = next((one for one in kind.types if isinstance(one, inspect.StructType)), None)
    if not isinstance(kind, inspect.StructType):
        return []
    names = [field.encode_name for field in kind.fields]
    return [kind.tag_field, *names] if kind.tag_field else [name for name in names if name not in _RESERVED]


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
            return _one_of(kind.values)
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


def _shown(value: Any) -> str:
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


def _one_of(values: Iterable[Any]) -> str:
    *most, last = [_shown(value) for value in values]
    return f"{', '.join(most)} or {last}" if most else last


def _suggestion(name: str, known: Collection[str]) -> str:
    hint = _did_you_mean(name, known)
    return f"{hint or 'known'}{' Known' if hint else ''}: {', '.join(known)}"


def _did_you_mean(name: str, known: Iterable[str]) -> str:
    close = difflib.get_close_matches(name, list(known), 1)
    return f'did you mean "{close[0]}"?' if close else ""


# What it says: can it be played?

_RESERVED = ("sha256", "file")  # fields of `GameData` that `load` fills


def _reserved(raw: dict[str, Any]) -> _Faults:
    for name in _RESERVED:
        if name in raw:
            yield _Fault((name,), "there is no such field; the program works it out itself")


def _faults(data: GameData) -> _Faults:
    """Everything that keeps the data from being played, in the order of the file."""
    yield from _limits(data.limits)
    yield from _areas(data.areas, data.limits)
    yield from _start(data.start, data.limits)
    yield from _options(data.options)
    yield from _battlegrounds(data.battleground)
    yield from _tracks(data.track)
    yield from _agendas(data)
    yield from _cards(data)


def _limits(limits: Limits) -> _Faults:
    if limits.turns_per_round >= limits.hand_size:
        yield _Fault(
            ("limits", "turns_per_round"),
            f"must be at most hand_size - 1 = {limits.hand_size - 1}, not {limits.turns_per_round}: "
            "one card of each hand is kept for the aftermath",
        )


def _areas(areas: dict[str, list[int]], limits: Limits) -> _Faults:
    yield from _exactly_these(("areas",), areas, AREAS, "area")
    step = limits.defcon_min
    for name in AREAS:
        steps = areas[name]
        if not steps:
            yield _Fault(("areas", name), "must have at least one step")
        for index, given in enumerate(steps):
            if given != step:
                yield _Fault(
                    ("areas", name, index),
                    f"must be {step}, not {given}: {', '.join(AREAS)} name every step once, in this order",
                )
            step += 1
    if step != limits.defcon_max + 1:
        yield _Fault(
            ("areas", AREAS[-1]), f"must end with step {limits.defcon_max} (limits.defcon_max), not {step - 1}"
        )


def _start(start: Start, limits: Limits) -> _Faults:
    if abs(start.prestige) > limits.prestige_lead_max:
        most = limits.prestige_lead_max
        yield _Fault(("start", "prestige"), f"must be from -{most} to {most} (prestige_lead_max), not {start.prestige}")
    for name, markers in (("defcon_us", start.defcon_us), ("defcon_ussr", start.defcon_ussr)):
        yield from _exactly_these(("start", name), markers, TRACKS, "track")
        for track, step in markers.items():
            if not limits.defcon_min <= step <= limits.defcon_max:
                rule = f"must be a step from {limits.defcon_min} to {limits.defcon_max}, not {step}"
                yield _Fault(("start", name, track), rule)
    for name, cubes in (("cubes_us", start.cubes_us), ("cubes_ussr", start.cubes_ussr)):
        yield from _start_cubes(("start", name), cubes, limits)


def _start_cubes(at: _Spot, cubes: dict[str, int], limits: Limits) -> _Faults:
    for place, count in cubes.items():
        yield from _known((*at, place), place, BATTLEGROUNDS, "battleground")
        if not 0 <= count <= limits.cubes_per_battleground:
            rule = f"must be from 0 to {limits.cubes_per_battleground} (limits.cubes_per_battleground), not {count}"
            yield _Fault((*at, place), rule)
    if sum(cubes.values()) > limits.cubes_per_side:
        rule = f"at most {limits.cubes_per_side} cubes in all (limits.cubes_per_side), not {sum(cubes.values())}"
        yield _Fault(at, rule)


def _options(options: dict[str, Option]) -> _Faults:
    yield from _exactly_these(("options",), options, OPTION_VALUES, "option")
    for name, option in options.items():
        values = OPTION_VALUES[name]
        if option.default not in values:
            yield _Fault(("options", name, "default"), f"must be {_one_of(values)}, not {_shown(option.default)}")
        rest = [value for value in values if value != option.default]
        if sorted(map(str, option.other)) != sorted(map(str, rest)) or not set(option.other) <= set(rest):
            yield _Fault(
                ("options", name, "other"),
                f"must hold the other values, here [{', '.join(map(_shown, rest))}], "
                f"not [{', '.join(map(_shown, option.other))}]",
            )


def _battlegrounds(battlegrounds: list[Battleground]) -> _Faults:
    yield from _same_sequence("battleground", battlegrounds, BATTLEGROUNDS)
    for index, battleground in enumerate(battlegrounds):
        at = ("battleground", index)
        if battleground.track != TRACK_OF[battleground.id]:
            rule = f'must be "{TRACK_OF[battleground.id]}", not {_shown(battleground.track)}: places cannot change'
            yield _Fault((*at, "track"), rule)
        bonus = BONUS_OF.get(battleground.id)
        if battleground.bonus != bonus:
            rule = f'must be "{bonus}"' if bonus else "must be left out"
            yield _Fault((*at, "bonus"), f"{rule}, not {_shown(battleground.bonus)}: the bonuses of step 5 cannot move")
        yield from _names((*at, "names"), battleground.names)


def _tracks(tracks: list[Track]) -> _Faults:
    yield from _same_sequence("track", tracks, TRACKS)
    for index, track in enumerate(tracks):
        yield from _names(("track", index, "names"), track.names)


def _same_sequence(kind: str, entries: Sequence[Battleground | Track], expected: tuple[str, ...]) -> _Faults:
    """The board is fixed: the arrays of the rules, the journals and the pictures rely on its order."""
    yield from _unique_ids(kind, [entry.id for entry in entries])
    for index, entry in enumerate(entries):
        yield from _known((kind, index, "id"), entry.id, expected, kind)
        if entry.id != expected[index]:
            rule = f'number {index + 1} must be "{expected[index]}", not "{entry.id}": keep the order of the original'
            yield _Fault((kind, index, "id"), rule)
        if entry.order != index:
            yield _Fault((kind, index, "order"), f"must be {index}, not {entry.order}")
    for missing in expected[len(entries) :]:
        yield _Fault((), f'the {kind} "{missing}" is missing; the file needs all of {", ".join(expected)}')


def _agendas(data: GameData) -> _Faults:
    yield from _unique_ids("agenda", [agenda.id for agenda in data.agenda])
    for index, agenda in enumerate(data.agenda):
        yield from _agenda(("agenda", index), agenda)
    if len(data.agenda) > MAX_AGENDAS:
        rule = f"there can be at most {MAX_AGENDAS} agendas, not {len(data.agenda)}; use `copies` for equal ones"
        yield _Fault(("agenda", MAX_AGENDAS), rule)
    limits = data.limits
    needed = 2 * limits.agendas_dealt + 2 * (limits.rounds - 1)
    copies = sum(agenda.copies for agenda in data.agenda)
    if copies < needed:
        yield _Fault(
            (),
            f"there are {copies} agenda cards, at least {needed} are needed: two leave the game in every round, and "
            f"2 x {limits.agendas_dealt} (limits.agendas_dealt) are dealt in round {limits.rounds}",
        )


# The fields each kind of agenda must have, and those it has no use for.
_AGENDA_NEEDS = {"track": ("track",), "battleground": ("battleground",), "letter": ("names",)}
_AGENDA_IGNORES = {
    "track": ("battleground", "award", "connected"),
    "battleground": ("track", "award"),
    "letter": ("track", "battleground", "bonus", "connected"),
}


def _agenda(at: _Spot, agenda: Agenda) -> _Faults:
    for name in _AGENDA_NEEDS[agenda.kind]:
        if getattr(agenda, name) is None:
            yield _Fault((*at, name), f'is missing; an agenda of kind "{agenda.kind}" needs it')
    for name in _AGENDA_IGNORES[agenda.kind]:
        if getattr(agenda, name):
            yield _Fault((*at, name), f'an agenda of kind "{agenda.kind}" has no use for it; take it out')
    if agenda.track is not None:
        yield from _known((*at, "track"), agenda.track, TRACKS, "track")
    if agenda.battleground is not None:
        yield from _known((*at, "battleground"), agenda.battleground, BATTLEGROUNDS, "battleground")
    yield from _known((*at, "flag"), agenda.flag, (*BATTLEGROUNDS, *TRACKS), "battleground or track")
    for index, place in enumerate(agenda.connected):
        yield from _known((*at, "connected", index), place, BATTLEGROUNDS, "battleground")
        if place == agenda.battleground or place in agenda.connected[:index]:
            rule = f'names other battlegrounds than its own, each once; "{place}" does not belong here'
            yield _Fault((*at, "connected", index), rule)
    if agenda.names is not None:
        yield from _names((*at, "names"), agenda.names)


def _cards(data: GameData) -> _Faults:
    yield from _unique_ids("card", [card.id for card in data.card])
    for index, card in enumerate(data.card):
        yield from _card(("card", index), card)
    if len(data.card) > MAX_CARDS:
        yield _Fault(("card", MAX_CARDS), f"there can be at most {MAX_CARDS} strategy cards, not {len(data.card)}")
    takers = [index for index, card in enumerate(data.card) if any(isinstance(e, TakeCard) for e in _flat(card))]
    if len(takers) > MAX_TAKE_CARDS:
        rule = f'at most {MAX_TAKE_CARDS} cards can have op = "take_card"; this is number {MAX_TAKE_CARDS + 1}'
        yield _Fault(("card", takers[MAX_TAKE_CARDS], "effects"), rule)
    yield from _deck(data)


def _deck(data: GameData) -> _Faults:
    """Discards are never shuffled in again, so that the deck must last for the longest game (R44)."""
    limits = data.limits
    dealt = limits.rounds * 2 * limits.hand_size
    by_events = sum(_drawn(card.effects, card, limits) for card in data.card)
    needed = dealt + limits.rounds + by_events
    if len(data.card) < needed:
        yield _Fault(
            (),
            f"the deck can run out (R44): there are {len(data.card)} strategy cards, and a game can draw {needed} "
            f"({dealt} dealt, {limits.rounds} for the bonus of step 5, {by_events} by take_card and exchange_hand)",
        )


def _drawn(effects: list[AnyEffect], card: Card, limits: Limits) -> int:
    """The most cards these effects draw."""
    drawn = 0
    for effect in effects:
        match effect:
            case TakeCard():
                drawn += 1
            case ExchangeHand():
                # Who has just played the card has one less; a trigger, or another chooser, may find a full hand.
                has_played = card.side == "un" and effect.by == "actor"
                drawn += limits.hand_size - has_played
            case Choose():
                drawn += max(_drawn(branch.effects, card, limits) for branch in effect.options)
    return drawn


def _card(at: _Spot, card: Card) -> _Faults:
    yield from _names((*at, "names"), card.names)
    yield from _effects((*at, "effects"), card.effects)
    count = sum(1 for _ in _flat(card))
    if count > MAX_EFFECTS_PER_CARD:
        rule = f"a card can have at most {MAX_EFFECTS_PER_CARD} effects, counting those inside `choose`, not {count}"
        yield _Fault((*at, "effects"), rule)


def _flat(card: Card) -> Iterator[AnyEffect]:
    """All effects of a card, those inside `choose` too."""
    waiting = list(reversed(card.effects))
    while waiting:
        effect = waiting.pop()
        yield effect
        if isinstance(effect, Choose):
            waiting.extend(inner for branch in effect.options for inner in branch.effects)


def _effects(at: _Spot, effects: list[AnyEffect]) -> _Faults:
    if not effects:
        yield _Fault(at, "must have at least one effect")
    for index, effect in enumerate(effects):
        yield from _effect((*at, index), effect)
        if (
            isinstance(effect, Shift)
            and effect.steps is not None
            and not any(isinstance(earlier, Shift) for earlier in effects[:index])
        ):
            yield _Fault((*at, index, "steps"), '"as_moved_before" needs an earlier shift in the same list')


def _effect(at: _Spot, effect: AnyEffect) -> _Faults:
    if effect.condition is not None:
        yield from _condition((*at, "if"), effect.condition)
    yield from _parties(at, effect)
    yield from _amount(at, effect)
    match effect:
        case Place(where=where):
            yield from _where(at, where)
            if effect.each == 0:
                yield _Fault((*at, "each"), "must be at least 1; leave it out for no limit on one battleground")
        case PlaceUntil():
            yield from _place_until(at, effect)
        case Remove():
            yield from _remove(at, effect)
        case Command(where=where) if where:  # an empty list: anywhere
            yield from _where(at, where)
        case Shift():
            yield from _shift(at, effect)
        case Choose():
            yield from _choose(at, effect)


def _condition(at: _Spot, condition: Condition) -> _Faults:
    for name, what, known in (
        ("leader_on", "battleground", BATTLEGROUNDS),
        ("at", "battleground", BATTLEGROUNDS),
        ("track", "track", TRACKS),
        ("area", "area", AREAS),
    ):
        value = getattr(condition, name)
        if value is not None:
            yield from _known((*at, name), value, known, what)


_NEVER_TV_LEADER = (Choose, ExchangeHand, TakeCard)


def _parties(at: _Spot, effect: AnyEffect) -> _Faults:
    parties = {name: getattr(effect, name) for name in ("by", "of") if hasattr(effect, name)}
    if isinstance(effect, TakeCard):
        for name, only in (("by", "actor"), ("of", "opponent")):
            if parties[name] != only:
                yield _Fault((*at, name), f'must be "{only}" in a take_card, not "{parties[name]}"')
    for name, party in parties.items():
        if party != "tv_leader":
            continue
        if isinstance(effect, _NEVER_TV_LEADER):
            op = effect.__struct_config__.tag
            yield _Fault((*at, name), f'"tv_leader" cannot be used with op = "{op}"; use actor, opponent, us or ussr')
        elif effect.condition is None or effect.condition.leader_on != "television":
            rule = '"tv_leader" needs if = { leader_on = "television" } in the same effect: there may be no leader'
            yield _Fault((*at, name), rule)


def _amount(at: _Spot, effect: AnyEffect) -> _Faults:
    """How many: exactly one of the fields that can say it, and `min` only below a `max`."""
    match effect:
        case Place():
            fields: tuple[str, ...] = ("max", "exactly")
        case Remove():
            fields = ("max", "exactly", "amount")
        case Shift():
            fields = ("max", "exactly", "steps")
        case _:
            return
    given = [name for name in fields if getattr(effect, name) is not None]
    if len(given) != 1:
        spot = (*at, given[1]) if given else at
        yield _Fault(spot, f"needs exactly one of {', '.join(fields)}; it has {' and '.join(given) or 'none'}")
    if effect.min and not (effect.max == "all" or (effect.max is not None and effect.min <= effect.max)):
        rule = "needs a max" if effect.max is None else f"must be at most max = {effect.max}, not {effect.min}"
        yield _Fault((*at, "min"), rule)


def _where(at: _Spot, where: list[str]) -> _Faults:
    if not where:
        yield _Fault((*at, "where"), 'must name at least one battleground or group; ["all"] is anywhere')
    for index, name in enumerate(where):
        yield from _known((*at, "where", index), name, (*BATTLEGROUNDS, *GROUPS), "battleground or group")


def _place_until(at: _Spot, effect: PlaceUntil) -> _Faults:
    if len(effect.where) != 1 or effect.where[0] in GROUPS:
        rule = f'must be one battleground, as ["italy"], not [{", ".join(map(_shown, effect.where))}]'
        yield _Fault((*at, "where"), rule)
    yield from _where(at, effect.where)
    if not effect.stop:
        yield _Fault((*at, "stop"), "must name at least one of leads_by_1, battleground_full, supply_empty")


def _remove(at: _Spot, effect: Remove) -> _Faults:
    yield from _where(at, effect.where)
    if effect.amount is not None and effect.sites is None:
        yield _Fault((*at, "sites"), 'is missing; amount = "half_up" is taken from exactly so many battlegrounds')
    places = {place for name in effect.where for place in GROUPS.get(name, (name,))}
    if effect.sites is not None and effect.sites > len(places):
        rule = f"must be at most {len(places)}, the number of battlegrounds in `where`, not {effect.sites}"
        yield _Fault((*at, "sites"), rule)


def _shift(at: _Spot, effect: Shift) -> _Faults:
    if not effect.tracks:
        yield _Fault((*at, "tracks"), f"must name at least one of {', '.join(TRACKS)}")
    for index, track in enumerate(effect.tracks):
        yield from _known((*at, "tracks", index), track, TRACKS, "track")
        if track in effect.tracks[:index]:
            yield _Fault((*at, "tracks", index), f'"{track}" stands there twice')
    if effect.pick == "up_to_two" and len(effect.tracks) < 2:
        yield _Fault((*at, "pick"), '"up_to_two" needs at least 2 tracks to pick from')
    if effect.pick == "all" and effect.exactly is None:
        yield _Fault((*at, "pick"), '"all" needs `exactly`: the markers move together, nobody chooses')
    forced = '"all"' if effect.pick == "all" else '"as_moved_before"' if effect.steps else ""
    if forced and effect.dir == "either":
        yield _Fault((*at, "dir"), f'must be "up" or "down" with {forced}, not "either"')


def _choose(at: _Spot, effect: Choose) -> _Faults:
    for index, branch in enumerate(effect.options):
        spot = (*at, "options", index)
        if branch.requires is not None:
            yield from _condition((*spot, "requires"), branch.requires)
        yield from _effects((*spot, "effects"), branch.effects)


# Checks that many of them share.


def _known(at: _Spot, name: str, known: Collection[str], what: str) -> _Faults:
    if name not in known:
        yield _Fault(at, f"there is no {what} {_shown(name)}; {_suggestion(name, known)}")


def _exactly_these(at: _Spot, given: Collection[str], expected: Collection[str], what: str) -> _Faults:
    for name in given:
        yield from _known((*at, name), name, expected, what)
    for name in expected:
        if name not in given:
            yield _Fault((*at, name), f"is missing; the file needs all of {', '.join(expected)}")


def _unique_ids(kind: str, ids: list[str]) -> _Faults:
    for index, name in enumerate(ids):
        if not re.fullmatch(r"[a-z][a-z0-9_]*", name):
            yield _Fault((kind, index, "id"), "must be made of a-z, 0-9 and _, beginning with a letter: moves use it")
        if name in ids[:index]:
            yield _Fault((kind, index, "id"), f'"{name}" is the id of an earlier {kind}; every id must be different')


def _names(at: _Spot, names: Names) -> _Faults:
    if "en" not in names:
        yield _Fault((*at, "en"), 'is missing; a name needs at least English, as { en = "Quarantine" }')
    for language, name in names.items():
        if not name.strip():
            yield _Fault((*at, language), "must not be empty")
