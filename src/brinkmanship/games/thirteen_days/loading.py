"""Reads the data file of 13 Days, the package's own or a designer's copy, and checks all of it.

Reading and its errors are `engine.data_file`, the checks of events `games.events.checks`; ``docs/cards.md`` lists all
checks for designers.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from brinkmanship.engine.data_file import (
    Fault,
    Faults,
    Spot,
    exactly_these,
    known_name,
    names,
    options,
    read,
    shown,
    unique_ids,
)
from brinkmanship.games.events.checks import Dialect, EventChecks, flat, foreign_words
from brinkmanship.games.events.data import AnyEffect, Choose, ExchangeHand, TakeCard
from brinkmanship.games.thirteen_days.data import (
    BATTLEGROUNDS,
    MAX_AGENDAS,
    MAX_CARDS,
    MAX_TAKE_CARDS,
    TRACKS,
    Agenda,
    Battleground,
    Card,
    GameData,
    Limits,
    Start,
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


CHECKS = EventChecks(BATTLEGROUNDS, GROUPS, TRACKS, AREAS)

DIALECT = Dialect(
    title="13 Days",
    other="13 Minutes",
    foreign={
        "move": None,
        "place": ("sites", "area", "movement", "optional"),
        "remove": ("filter", "area", "movement", "optional"),
    },
    words=("just_played", "other_has_cubes", "other_has_no_cubes", "filter list"),
)
"""What battlegrounds that move are needed for."""


def load(path: str | Path | None = None) -> GameData:
    """Read and check a data file; without a path the package's own ``cards.toml``.

    Raises:
        DataFileError: the file cannot be read or used; the message names file, line, card and field.
    """
    return read(path, __package__, GameData, _faults, DIALECT.foreign)


def _faults(raw: dict[str, Any], data: GameData) -> Faults:
    """Everything that keeps the data from being played, in the order of the file."""
    yield from foreign_words(raw, DIALECT)
    yield from _limits(data.limits)
    yield from _areas(data.areas, data.limits)
    yield from _start(data.start, data.limits)
    yield from options(data.options, OPTION_VALUES)
    yield from _battlegrounds(data.battleground)
    yield from _tracks(data.track)
    yield from _agendas(data)
    yield from _cards(data)


def _limits(limits: Limits) -> Faults:
    if limits.turns_per_round >= limits.hand_size:
        yield Fault(
            ("limits", "turns_per_round"),
            f"must be at most hand_size - 1 = {limits.hand_size - 1}, not {limits.turns_per_round}: "
            "one card of each hand is kept for the aftermath",
        )


def _areas(areas: dict[str, list[int]], limits: Limits) -> Faults:
    yield from exactly_these(("areas",), areas, AREAS, "area")
    step = limits.defcon_min
    for name in AREAS:
        steps = areas[name]
        if not steps:
            yield Fault(("areas", name), "must have at least one step")
        for index, given in enumerate(steps):
            if given != step:
                yield Fault(
                    ("areas", name, index),
                    f"must be {step}, not {given}: {', '.join(AREAS)} name every step once, in this order",
                )
            step += 1
    if step != limits.defcon_max + 1:
        yield Fault(("areas", AREAS[-1]), f"must end with step {limits.defcon_max} (limits.defcon_max), not {step - 1}")


def _start(start: Start, limits: Limits) -> Faults:
    if abs(start.prestige) > limits.prestige_lead_max:
        most = limits.prestige_lead_max
        yield Fault(("start", "prestige"), f"must be from -{most} to {most} (prestige_lead_max), not {start.prestige}")
    for name, markers in (("defcon_us", start.defcon_us), ("defcon_ussr", start.defcon_ussr)):
        yield from exactly_these(("start", name), markers, TRACKS, "track")
        for track, step in markers.items():
            if not limits.defcon_min <= step <= limits.defcon_max:
                rule = f"must be a step from {limits.defcon_min} to {limits.defcon_max}, not {step}"
                yield Fault(("start", name, track), rule)
    for name, cubes in (("cubes_us", start.cubes_us), ("cubes_ussr", start.cubes_ussr)):
        yield from _start_cubes(("start", name), cubes, limits)


def _start_cubes(at: Spot, cubes: dict[str, int], limits: Limits) -> Faults:
    for place, count in cubes.items():
        yield from known_name((*at, place), place, BATTLEGROUNDS, "battleground")
        if not 0 <= count <= limits.cubes_per_battleground:
            rule = f"must be from 0 to {limits.cubes_per_battleground} (limits.cubes_per_battleground), not {count}"
            yield Fault((*at, place), rule)
    if sum(cubes.values()) > limits.cubes_per_side:
        rule = f"at most {limits.cubes_per_side} cubes in all (limits.cubes_per_side), not {sum(cubes.values())}"
        yield Fault(at, rule)


def _battlegrounds(battlegrounds: list[Battleground]) -> Faults:
    yield from _same_sequence("battleground", battlegrounds, BATTLEGROUNDS)
    for index, battleground in enumerate(battlegrounds):
        at = ("battleground", index)
        if battleground.track != TRACK_OF[battleground.id]:
            rule = f'must be "{TRACK_OF[battleground.id]}", not {shown(battleground.track)}: places cannot change'
            yield Fault((*at, "track"), rule)
        bonus = BONUS_OF.get(battleground.id)
        if battleground.bonus != bonus:
            rule = f'must be "{bonus}"' if bonus else "must be left out"
            yield Fault((*at, "bonus"), f"{rule}, not {shown(battleground.bonus)}: the bonuses of step 5 cannot move")
        yield from names((*at, "names"), battleground.names)


def _tracks(tracks: list[Track]) -> Faults:
    yield from _same_sequence("track", tracks, TRACKS)
    for index, track in enumerate(tracks):
        yield from names(("track", index, "names"), track.names)


def _same_sequence(kind: str, entries: Sequence[Battleground | Track], expected: tuple[str, ...]) -> Faults:
    """The board is fixed: the arrays of the rules, the journals and the pictures rely on its order."""
    yield from unique_ids(kind, [entry.id for entry in entries])
    for index, entry in enumerate(entries):
        yield from known_name((kind, index, "id"), entry.id, expected, kind)
        if entry.id != expected[index]:
            rule = f'number {index + 1} must be "{expected[index]}", not "{entry.id}": keep the order of the original'
            yield Fault((kind, index, "id"), rule)
        if entry.order != index:
            yield Fault((kind, index, "order"), f"must be {index}, not {entry.order}")
    for missing in expected[len(entries) :]:
        yield Fault((), f'the {kind} "{missing}" is missing; the file needs all of {", ".join(expected)}')


def _agendas(data: GameData) -> Faults:
    yield from unique_ids("agenda", [agenda.id for agenda in data.agenda])
    for index, agenda in enumerate(data.agenda):
        yield from _agenda(("agenda", index), agenda)
    if len(data.agenda) > MAX_AGENDAS:
        rule = f"there can be at most {MAX_AGENDAS} agendas, not {len(data.agenda)}; use `copies` for equal ones"
        yield Fault(("agenda", MAX_AGENDAS), rule)
    limits = data.limits
    needed = 2 * limits.agendas_dealt + 2 * (limits.rounds - 1)
    copies = sum(agenda.copies for agenda in data.agenda)
    if copies < needed:
        yield Fault(
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


def _agenda(at: Spot, agenda: Agenda) -> Faults:
    for name in _AGENDA_NEEDS[agenda.kind]:
        if getattr(agenda, name) is None:
            yield Fault((*at, name), f'is missing; an agenda of kind "{agenda.kind}" needs it')
    for name in _AGENDA_IGNORES[agenda.kind]:
        if getattr(agenda, name):
            yield Fault((*at, name), f'an agenda of kind "{agenda.kind}" has no use for it; take it out')
    if agenda.track is not None:
        yield from known_name((*at, "track"), agenda.track, TRACKS, "track")
    if agenda.battleground is not None:
        yield from known_name((*at, "battleground"), agenda.battleground, BATTLEGROUNDS, "battleground")
    yield from known_name((*at, "flag"), agenda.flag, (*BATTLEGROUNDS, *TRACKS), "battleground or track")
    for index, place in enumerate(agenda.connected):
        yield from known_name((*at, "connected", index), place, BATTLEGROUNDS, "battleground")
        if place == agenda.battleground or place in agenda.connected[:index]:
            rule = f'names other battlegrounds than its own, each once; "{place}" does not belong here'
            yield Fault((*at, "connected", index), rule)
    if agenda.names is not None:
        yield from names((*at, "names"), agenda.names)


def _cards(data: GameData) -> Faults:
    yield from unique_ids("card", [card.id for card in data.card])
    for index, card in enumerate(data.card):
        yield from CHECKS.card(("card", index), card)
    if len(data.card) > MAX_CARDS:
        yield Fault(("card", MAX_CARDS), f"there can be at most {MAX_CARDS} strategy cards, not {len(data.card)}")
    takers = [index for index, card in enumerate(data.card) if any(isinstance(e, TakeCard) for e in flat(card))]
    if len(takers) > MAX_TAKE_CARDS:
        rule = f'at most {MAX_TAKE_CARDS} cards can have op = "take_card"; this is number {MAX_TAKE_CARDS + 1}'
        yield Fault(("card", takers[MAX_TAKE_CARDS], "effects"), rule)
    yield from _deck(data)


def _deck(data: GameData) -> Faults:
    """Discards are never shuffled in again, so that the deck must last for the longest game (R44)."""
    limits = data.limits
    dealt = limits.rounds * 2 * limits.hand_size
    by_events = sum(_drawn(card.effects, card, limits) for card in data.card)
    needed = dealt + limits.rounds + by_events
    if len(data.card) < needed:
        yield Fault(
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
