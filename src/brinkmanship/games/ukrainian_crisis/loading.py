"""Reads a scenario of Ukrainian Crisis, the package's own or a copy of it, and checks all of it (section 13.7)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import msgspec

from brinkmanship.engine.data_file import Fault, Faults, Spot, exactly_these, known_name, names, read, shown
from brinkmanship.games.ukrainian_crisis.data import (
    BOXES,
    COUNTRIES,
    MAX_TYPES,
    MAX_UNITS,
    MAX_ZONES,
    GameData,
    Unit,
    Zone,
)
from brinkmanship.games.ukrainian_crisis.state import N_AREAS

NAMED_BY_EVENTS = ("BLR", "MDA")
"""Zones that event cards open, so that every scenario has to have them."""


def load(path: str | Path | None = None) -> GameData:
    """Read and check a scenario; without a path the package's own ``scenario.toml``.

    Raises:
        DataFileError: the file cannot be read or used; the message names file, line, record and field.
    """
    return read(path, __package__ or "", GameData, _faults, own="scenario.toml")


def _faults(raw: dict[str, Any], data: GameData) -> Faults:  # noqa: ARG001 - the reader's signature
    """Everything that keeps a scenario from being played, in the order of the file."""
    yield from names(("names",), data.names)
    yield from _start(data)
    yield from _resources(data)
    yield from _tracks(data)
    yield from _countries(data)
    yield from _zones(data)
    yield from _units(data)
    yield from _units_on_map(data)
    yield from _known_fields(data)


def _start(data: GameData) -> Faults:
    yield from exactly_these(("start", "prestige"), data.start.prestige, ("UA", "RU"), "side")


def _resources(data: GameData) -> Faults:
    cards = sum(data.resources.pack.values)
    if cards < N_AREAS * data.start.turns:
        rule = f"must have at least {N_AREAS * data.start.turns} cards, {N_AREAS} for each Turn, not {cards}"
        yield Fault(("resources", "pack"), rule)
    for name in ("attempts", "segments"):
        table = getattr(data.resources, name)
        for card, number in zip(("small", "medium", "maximum"), table.values, strict=True):
            if number == 0:
                yield Fault(("resources", name, card), "must be at least 1")


def _tracks(data: GameData) -> Faults:
    boxes = data.tracks.relations.boxes
    if [(box.id, box.index) for box in boxes] != [(box, index) for index, box in enumerate(BOXES, 1)]:
        rule = f"must be the boxes {', '.join(BOXES)} with the indexes 1, 2, 3: rules and events name them"
        yield Fault(("tracks", "relations", "boxes"), rule)
    if sorted(data.tracks.unit_boxes.boxes) != ["mobilisation", "reserve"]:
        yield Fault(("tracks", "unit_boxes", "boxes"), "must be reserve and mobilisation")


def _countries(data: GameData) -> Faults:
    for index, country in enumerate(data.country):
        at = ("country", index)
        yield from known_name((*at, "id"), country.id, COUNTRIES, "country")
        if country.id in [other.id for other in data.country[:index]]:
            yield Fault((*at, "id"), f'"{country.id}" stands there twice')
        yield from names((*at, "names"), country.names)
    for missing in set(COUNTRIES) - {country.id for country in data.country}:
        yield Fault((), f'the country "{missing}" is missing; the track needs all of {", ".join(COUNTRIES)}')


def _zones(data: GameData) -> Faults:
    ids = [zone.id for zone in data.zone]
    if len(ids) > MAX_ZONES:
        yield Fault(("zone", MAX_ZONES), f"there can be at most {MAX_ZONES} zones, not {len(ids)}")
    for index, zone in enumerate(data.zone):
        yield from _zone(("zone", index), zone, index, ids, data.zone)
    for name in NAMED_BY_EVENTS:
        if name not in ids:
            yield Fault((), f'the zone "{name}" is missing; an event card names it')
        elif data.zone[ids.index(name)].home != "neutral":
            yield Fault(("zone", ids.index(name), "home"), 'must be "neutral": an event card opens this zone')
    for home in ("UA", "RU"):
        if home not in [zone.home for zone in data.zone]:
            yield Fault((), f'there must be at least one zone with home = "{home}"')
    yield from _totals(data)


def _zone(at: Spot, zone: Zone, index: int, ids: Sequence[str], zones: Sequence[Zone]) -> Faults:
    if zone.id in ids[:index]:
        yield Fault((*at, "id"), f'"{zone.id}" is the id of an earlier zone; every id must be different')
    if zone.order != index:
        yield Fault((*at, "order"), f"must be {index}, not {zone.order}: zones stand in their order")
    yield from names((*at, "names"), zone.names)
    for number, other in enumerate(zone.adjacent):
        spot = (*at, "adjacent", number)
        yield from known_name(spot, other, ids, "zone")
        if other == zone.id:
            yield Fault(spot, "a zone is not adjacent to itself")
        if other in zone.adjacent[:number]:
            yield Fault(spot, f'"{other}" stands there twice')
        if zone.id not in zones[ids.index(other)].adjacent:
            yield Fault(spot, f'"{other}" must name "{zone.id}" too: one moves there and back')
    if zone.home != "UA":
        for field, plain in (("colour", "none"), ("vp", 0), ("borders_russia", False)):
            if getattr(zone, field) != plain:
                rule = f"must be {shown(plain)}, not {shown(getattr(zone, field))}: only zones of Ukraine have it"
                yield Fault((*at, field), rule)


def _totals(data: GameData) -> Faults:
    """The sums of Victory Points are a check of values typed in by hand."""
    sums: Counter[str] = Counter()
    for zone in data.zone:
        sums[zone.colour] += zone.vp
        sums["all"] += zone.vp
    for colour in ("red", "orange", "yellow", "all"):
        total = getattr(data.formula.vp_totals, colour)
        if total != sums[colour]:
            rule = f"is {total}, but the zones add up to {sums[colour]}; correct the zones or this sum"
            yield Fault(("formula", "vp_totals", colour), rule)


def _units(data: GameData) -> Faults:
    if len(data.unit) > MAX_TYPES:
        yield Fault(("unit", MAX_TYPES), f"there can be at most {MAX_TYPES} kinds of unit, not {len(data.unit)}")
    for index, unit in enumerate(data.unit):
        yield from _unit(("unit", index), unit, data.unit[:index])
    units = sum(unit.count for unit in data.unit)
    markers = sum(marker.count for marker in data.marker)
    if units > MAX_UNITS:
        yield Fault(("counters", "units"), f"there can be at most {MAX_UNITS} units, not {units}")
    for name, count in (("units", units), ("markers", markers), ("total", units + markers)):
        if getattr(data.counters, name) != count:
            rule = f"is {getattr(data.counters, name)}, but the records below add up to {count}"
            yield Fault(("counters", name), rule)


def _unit(at: Spot, unit: Unit, earlier: Iterable[Unit]) -> Faults:
    if unit.id in [other.id for other in earlier]:
        yield Fault((*at, "type"), f'there is an earlier record for "{unit.side}" and "{unit.type}"; put them together')
    if (unit.kind == "special") != (unit.type == "special"):
        yield Fault((*at, "type"), 'must be "special" exactly where the kind is "special"')
    if unit.kind == "special" and unit.side != "RU":
        yield Fault((*at, "side"), 'must be "RU": only Russia has Special Forces')
    for field in ("cv", "cv_neutralised"):
        value = getattr(unit, field)
        if unit.kind == "special" and value is not None:
            yield Fault((*at, field), "must be left out: Special Forces never fight")
        if unit.kind != "special" and value is None:
            yield Fault((*at, field), "is missing; it must be a whole number from 0 to 9")


def _units_on_map(data: GameData) -> Faults:
    zones = {zone.id: zone for zone in data.zone}
    left = {(unit.side, unit.type): unit.count for unit in data.unit}
    for index, there in enumerate(data.start.units_on_map):
        at = ("start", "units_on_map", index)
        yield from known_name((*at, "zone"), there.zone, zones, "zone")
        if (there.side, there.type) not in left:
            yield Fault((*at, "type"), f'{there.side} has no units of type "{there.type}"')
        left[there.side, there.type] -= there.count
        if left[there.side, there.type] < 0:
            yield Fault((*at, "count"), "there are not so many counters of this type")
        home = zones[there.zone].home
        if home == "closed" or (there.side == "UA" and home != "UA"):
            yield Fault((*at, "zone"), f'{there.side} units cannot enter "{there.zone}"')


def _known_fields(data: GameData) -> Faults:
    """`known` lists fields that exist, so that no typing error makes a known value look reconstructed."""
    single: list[tuple[Spot, msgspec.Struct]] = [
        (("start",), data.start),
        (("resources",), data.resources),
        (("tracks", "relations"), data.tracks.relations),
        (("tracks", "general"), data.tracks.general),
        (("tracks", "unit_boxes"), data.tracks.unit_boxes),
        (("formula",), data.formula),
        (("counters",), data.counters),
    ]
    lists: dict[str, Sequence[msgspec.Struct]] = {
        "country": data.country,
        "zone": data.zone,
        "unit": data.unit,
        "marker": data.marker,
    }
    for kind, records in lists.items():
        single += [((kind, index), record) for index, record in enumerate(records)]
    for at, record in single:
        fields = [name for name in record.__struct_fields__ if name != "known"]
        for index, field in enumerate(getattr(record, "known", ())):
            yield from known_name((*at, "known", index), field, fields, "field")
