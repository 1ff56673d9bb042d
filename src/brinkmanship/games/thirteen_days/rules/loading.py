"""Loading of the 13 Days data file, the package's own or a designer's copy, with all checks.

Reading and its errors are in `engine.data_file`, the checks of events in `games.cuban.checks`;
``docs/design/cards.md`` has the format and its limits for designers.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from brinkmanship.engine.data_file import (
    DataSource,
    Faults,
    Spot,
    exactly_these,
    fault,
    known_name,
    missing_entry,
    names,
    options,
    read,
    said,
    shown,
    unique_ids,
)
from brinkmanship.games.cuban.checks import Dialect, EventChecks, flat, foreign_words
from brinkmanship.games.cuban.data import AnyEffect, Choose, ExchangeHand, TakeCard
from brinkmanship.games.thirteen_days.rules.data import (
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
from brinkmanship.games.thirteen_days.rules.tables import OPTION_VALUES

AREAS = ("defcon_3", "defcon_2", "defcon_1")
"""The areas of a DEFCON track, from the bottom."""

BONUS_OF = {"united_nations": "letter", "television": "defcon", "alliances": "draw"}
"""Battlegrounds with a bonus for their leader in step 5, and the bonus."""

GROUPS: dict[str, tuple[str, ...]] = {
    "military": BATTLEGROUNDS[0:3],
    "political": BATTLEGROUNDS[3:6],
    "world_opinion": BATTLEGROUNDS[6:9],
    "all": BATTLEGROUNDS,
}
"""The battlegrounds of each group name of a `where`; the first three groups are those of the tracks."""

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
"""Words of the shared vocabulary that belong to 13 Minutes: they need battlegrounds that move."""


def load(path: DataSource | None = None) -> GameData:
    """Read and check a data file; without a path the package's own ``cards.toml``.

    Raises:
        DataFileError: the file cannot be read or used; the message names file, line, card and field.
    """
    return read(path, __package__, GameData, _faults, DIALECT.foreign)


def _faults(raw: dict[str, Any], data: GameData) -> Faults:
    """Yield everything that makes the data unplayable, in the order of the file."""
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
        most = limits.hand_size - 1
        yield fault(("limits", "turns_per_round"), "at_most.turns", most=most, value=limits.turns_per_round)


def _areas(areas: dict[str, list[int]], limits: Limits) -> Faults:
    yield from exactly_these(("areas",), areas, AREAS, "area")
    step = limits.defcon_min
    for name in AREAS:
        steps = areas[name]
        if not steps:
            yield fault(("areas", name), "no_step")
        for index, given in enumerate(steps):
            if given != step:
                yield fault(("areas", name, index), "step_order", step=step, value=given, areas=", ".join(AREAS))
            step += 1
    if step != limits.defcon_max + 1:
        yield fault(("areas", AREAS[-1]), "last_step", step=limits.defcon_max, value=step - 1)


def _start(start: Start, limits: Limits) -> Faults:
    if abs(start.prestige) > limits.prestige_lead_max:
        most = limits.prestige_lead_max
        lead = "prestige_lead_max"
        yield fault(("start", "prestige"), "range.limit", least=-most, most=most, limit=lead, value=start.prestige)
    for name, markers in (("defcon_us", start.defcon_us), ("defcon_ussr", start.defcon_ussr)):
        yield from exactly_these(("start", name), markers, TRACKS, "track")
        for track, step in markers.items():
            if not limits.defcon_min <= step <= limits.defcon_max:
                least, most = limits.defcon_min, limits.defcon_max
                yield fault(("start", name, track), "range.step", least=least, most=most, value=step)
    for name, cubes in (("cubes_us", start.cubes_us), ("cubes_ussr", start.cubes_ussr)):
        yield from _start_cubes(("start", name), cubes, limits)


def _start_cubes(at: Spot, cubes: dict[str, int], limits: Limits) -> Faults:
    for place, count in cubes.items():
        yield from known_name((*at, place), place, BATTLEGROUNDS, "battleground")
        if not 0 <= count <= limits.cubes_per_battleground:
            most, limit = limits.cubes_per_battleground, "limits.cubes_per_battleground"
            yield fault((*at, place), "range.limit", least=0, most=most, limit=limit, value=count)
    if sum(cubes.values()) > limits.cubes_per_side:
        yield fault(at, "cubes_in_all", most=limits.cubes_per_side, value=sum(cubes.values()))


def _battlegrounds(battlegrounds: list[Battleground]) -> Faults:
    yield from _same_sequence("battleground", battlegrounds, BATTLEGROUNDS)
    for index, battleground in enumerate(battlegrounds):
        at = ("battleground", index)
        if battleground.track != TRACK_OF[battleground.id]:
            track = shown(TRACK_OF[battleground.id])
            yield fault((*at, "track"), "must_be.places", what=track, value=said(battleground.track))
        bonus = BONUS_OF.get(battleground.id)
        if battleground.bonus != bonus:
            given = said(battleground.bonus)
            if bonus:
                yield fault((*at, "bonus"), "must_be.bonus", what=shown(bonus), value=given)
            else:
                yield fault((*at, "bonus"), "no_bonus", value=given)
        yield from names((*at, "names"), battleground.names)


def _tracks(tracks: list[Track]) -> Faults:
    yield from _same_sequence("track", tracks, TRACKS)
    for index, track in enumerate(tracks):
        yield from names(("track", index, "names"), track.names)


def _same_sequence(kind: str, entries: Sequence[Battleground | Track], expected: tuple[str, ...]) -> Faults:
    """Check the order of entries; the arrays of the rules, the journals and the pictures rely on the fixed board."""
    yield from unique_ids(kind, [entry.id for entry in entries])
    for index, entry in enumerate(entries):
        yield from known_name((kind, index, "id"), entry.id, expected, kind)
        if entry.id != expected[index]:
            name, given = shown(expected[index]), shown(entry.id)
            yield fault((kind, index, "id"), "order", number=index + 1, name=name, value=given)
        if entry.order != index:
            yield fault((kind, index, "order"), "must_be", what=index, value=entry.order)
    for missing in expected[len(entries) :]:
        yield missing_entry(kind, missing, expected)


def _agendas(data: GameData) -> Faults:
    yield from unique_ids("agenda", [agenda.id for agenda in data.agenda])
    for index, agenda in enumerate(data.agenda):
        yield from _agenda(("agenda", index), agenda)
    if len(data.agenda) > MAX_AGENDAS:
        yield fault(("agenda", MAX_AGENDAS), "most_agendas", most=MAX_AGENDAS, value=len(data.agenda))
    limits = data.limits
    needed = 2 * limits.agendas_dealt + 2 * (limits.rounds - 1)
    copies = sum(agenda.copies for agenda in data.agenda)
    if copies < needed:
        dealt, rounds = limits.agendas_dealt, limits.rounds
        yield fault((), "agenda_cards", copies=copies, needed=needed, dealt=dealt, rounds=rounds)


# The fields each kind of agenda must have, and those it does not use.
_AGENDA_NEEDS = {"track": ("track",), "battleground": ("battleground",), "letter": ("names",)}
_AGENDA_IGNORES = {
    "track": ("battleground", "award", "connected"),
    "battleground": ("track", "award"),
    "letter": ("track", "battleground", "bonus", "connected"),
}


def _agenda(at: Spot, agenda: Agenda) -> Faults:
    for name in _AGENDA_NEEDS[agenda.kind]:
        if getattr(agenda, name) is None:
            yield fault((*at, name), "agenda_needs", kind=shown(agenda.kind))
    for name in _AGENDA_IGNORES[agenda.kind]:
        if getattr(agenda, name):
            yield fault((*at, name), "agenda_ignores", kind=shown(agenda.kind))
    if agenda.track is not None:
        yield from known_name((*at, "track"), agenda.track, TRACKS, "track")
    if agenda.battleground is not None:
        yield from known_name((*at, "battleground"), agenda.battleground, BATTLEGROUNDS, "battleground")
    yield from known_name((*at, "flag"), agenda.flag, (*BATTLEGROUNDS, *TRACKS), "battleground or track")
    for index, place in enumerate(agenda.connected):
        yield from known_name((*at, "connected", index), place, BATTLEGROUNDS, "battleground")
        if place == agenda.battleground or place in agenda.connected[:index]:
            yield fault((*at, "connected", index), "connected", name=shown(place))
    if agenda.names is not None:
        yield from names((*at, "names"), agenda.names)


def _cards(data: GameData) -> Faults:
    yield from unique_ids("card", [card.id for card in data.card])
    for index, card in enumerate(data.card):
        yield from CHECKS.card(("card", index), card)
    if len(data.card) > MAX_CARDS:
        yield fault(("card", MAX_CARDS), "most_cards", most=MAX_CARDS, value=len(data.card))
    takers = [index for index, card in enumerate(data.card) if any(isinstance(e, TakeCard) for e in flat(card))]
    if len(takers) > MAX_TAKE_CARDS:
        at = ("card", takers[MAX_TAKE_CARDS], "effects")
        yield fault(at, "most_takers", most=MAX_TAKE_CARDS, number=MAX_TAKE_CARDS + 1)
    yield from _deck(data)


def _deck(data: GameData) -> Faults:
    """Check that the deck lasts for the longest game: discards are never shuffled in again (R44)."""
    limits = data.limits
    dealt = limits.rounds * 2 * limits.hand_size
    by_events = sum(_drawn(card.effects, card, limits) for card in data.card)
    needed = dealt + limits.rounds + by_events
    if len(data.card) < needed:
        counts = {"dealt": dealt, "rounds": limits.rounds, "events": by_events}
        yield fault((), "deck_short", cards=len(data.card), needed=needed, **counts)


def _drawn(effects: list[AnyEffect], card: Card, limits: Limits) -> int:
    """Return the maximum number of cards these effects draw."""
    drawn = 0
    for effect in effects:
        match effect:
            case TakeCard():
                drawn += 1
            case ExchangeHand():
                # The side that has just played the card has one less; a trigger, or another chooser, may find
                # a full hand.
                has_played = card.side == "un" and effect.by == "actor"
                drawn += limits.hand_size - has_played
            case Choose():
                drawn += max(_drawn(branch.effects, card, limits) for branch in effect.options)
    return drawn
