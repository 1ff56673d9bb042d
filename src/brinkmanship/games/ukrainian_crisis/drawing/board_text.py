"""Ukrainian Crisis in words: the Turn, zones with their units, boxes, relations, the card matrix, both sides."""

from __future__ import annotations

from collections.abc import Sequence

from brinkmanship.drawing.board_text import EMPTY, TextSection, TextTable, cell
from brinkmanship.drawing.phrases import capital
from brinkmanship.games.ukrainian_crisis.drawing.desks import facts_of, stocks
from brinkmanship.games.ukrainian_crisis.drawing.labels import Labels, labels_for
from brinkmanship.games.ukrainian_crisis.drawing.matrix import card_words
from brinkmanship.games.ukrainian_crisis.drawing.position import DrawnPosition, read
from brinkmanship.games.ukrainian_crisis.drawing.tracks import said_of
from brinkmanship.games.ukrainian_crisis.rules.data import AREAS, Country
from brinkmanship.games.ukrainian_crisis.rules.game import UkrainianCrisis
from brinkmanship.games.ukrainian_crisis.rules.state import Place, State
from brinkmanship.text import Words


def board_text(game: UkrainianCrisis, view: State, side: int, words: Words) -> list[TextSection]:
    """Return the position in words; see `Drawing.board_text`."""
    labels, position = labels_for(words, game), read(game, view, side)
    return [
        TextSection(labels.sentence("text.state"), tuple(_state(labels, position))),
        *(TextSection(labels.sides[owner], tuple(_desk(labels, position, owner))) for owner in range(2)),
        TextSection(labels.sentence("crisis.matrix"), tables=(_matrix(labels, position),)),
        TextSection(labels.sentence("tab.zones"), tables=_zones(labels, position)),
        TextSection(labels.sentence("text.boxes"), tables=(_boxes(labels, position),)),
        TextSection(labels.sentence("crisis.relations"), tables=(_relations(labels, position),)),
    ]


def _state(labels: Labels, position: DrawnPosition) -> list[str]:
    scores = [f"{side}: {labels.say('crisis.vp', n=position.scores[n].total)}" for n, side in enumerate(labels.sides)]
    facts = [", ".join(said_of(labels, position)), ", ".join(scores)]
    if position.area >= 0:
        facts.append(f"{labels.sentence('crisis.matrix')}: {labels.area_of(position.area)}")
    return facts + [f"{labels.event(event)} ({labels.say('crisis.immediate')})" for event in position.immediate]


def _desk(labels: Labels, position: DrawnPosition, side: int) -> list[str]:
    """Return a side's points, Resource Cards and Event Card."""
    known = position.held_known[side]
    held = labels.say("crisis.event_held" if position.held[side] else "crisis.no_event")
    facts = [*facts_of(labels, position, side), ", ".join(stocks(labels, position, side))]
    return [capital(fact) for fact in [*facts, labels.event(known) if known else held]]


def _matrix(labels: Labels, position: DrawnPosition) -> TextTable:
    order = position.order or tuple(range(len(AREAS)))
    later = [area for area in range(len(AREAS)) if area not in order]
    rows = tuple(_area(labels, position, area) for area in (*order, *later))
    return TextTable("", (labels.sentence("text.area"), *labels.sides), rows)


def _area(labels: Labels, position: DrawnPosition, area: int) -> tuple[str, ...]:
    cards = [card_words(labels, position, side, area) for side in range(2)]
    return (labels.sentence(f"crisis.area.{AREAS[area]}"), *cards)


def _zones(labels: Labels, position: DrawnPosition) -> tuple[TextTable, ...]:
    numbers = range(len(labels.data.zone))
    held = [number for number in numbers if position.stacks.get(number)]
    free = [number for number in numbers if number not in held]
    tables = (("text.zones_held", held), ("text.zones_free", free))
    return tuple(_zone_table(labels, position, key, some) for key, some in tables if some)


def _zone_table(labels: Labels, position: DrawnPosition, key: str, numbers: Sequence[int]) -> TextTable:
    keys = ("zone", "stake", "control")
    columns = tuple(labels.sentence(f"text.{each}") for each in keys)
    units = labels.sides if key == "text.zones_held" else ()
    rows = tuple(_zone(labels, position, number, with_units=bool(units)) for number in numbers)
    return TextTable(labels.sentence(key), (*columns, *units, labels.sentence("text.borders")), rows)


def _zone(labels: Labels, position: DrawnPosition, number: int, *, with_units: bool) -> tuple[str, ...]:
    zone, controller = labels.data.zone[number], position.controller(number)
    names = {each.id: labels.zone(each) for each in labels.data.zone}
    control = EMPTY if controller is None else labels.sides[controller]
    units = [_units(labels, position, number, side) for side in range(2)] if with_units else []
    stake = cell(labels.zone_facts(position, number))
    return (names[zone.id], stake, control, *units, ", ".join(names[other] for other in zone.adjacent) or EMPTY)


def _units(labels: Labels, position: DrawnPosition, place: int, side: int) -> str:
    """Return a side's units in a place with their Combat Value."""
    strength = position.strength(place, side)
    value = [f"{labels.say('crisis.cv')} {strength}"] if strength else []
    return cell([*labels.stacks(position.at(place, side)), *value])


def _boxes(labels: Labels, position: DrawnPosition) -> TextTable:
    places = ((Place.RESERVE, "reserve"), (Place.MOBILISATION, "mobilisation"))
    rows = tuple(
        (labels.place(id), *(_units(labels, position, place, side) for side in range(2))) for place, id in places
    )
    return TextTable("", (labels.sentence("text.box"), *labels.sides), rows)


def _relations(labels: Labels, position: DrawnPosition) -> TextTable:
    columns = tuple(labels.sentence(f"text.{key}") for key in ("country", "rank", "box"))
    by_box = sorted(labels.data.country, key=lambda country: (-position.boxes[country.id], -country.rank))
    return TextTable("", columns, tuple(_country(labels, position, country) for country in by_box))


def _country(labels: Labels, position: DrawnPosition, country: Country) -> tuple[str, ...]:
    box = position.boxes[country.id]
    return labels.country(country.id), str(country.rank), f"{labels.box(box)} ({box})" if box else EMPTY
