"""Loader of a scenario of Ukrainian Crisis (the package's own or a copy), with all checks (section 13.7)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

import msgspec

from brinkmanship.engine.data_file import (
    DataSource,
    Faults,
    Spot,
    exactly_these,
    fault,
    id_twice,
    known_name,
    missing_entry,
    names,
    read,
    said,
    shown,
)
from brinkmanship.engine.message import Message
from brinkmanship.games.ukrainian_crisis.rules.data import (
    BOXES,
    COUNTRIES,
    MAX_TYPES,
    MAX_UNITS,
    MAX_ZONES,
    SCENARIOS,
    GameData,
    Unit,
    Zone,
)
from brinkmanship.games.ukrainian_crisis.rules.names import N_AREAS

NAMED_BY_EVENTS = ("BLR", "MDA")
"""Zones that Event Cards open, which every scenario must have."""


FILES = dict(zip(SCENARIOS, ("scenario.toml", "balanced.toml"), strict=True))
"""The package's own scenarios."""


def load(path: DataSource | None = None, scenario: str = SCENARIOS[0]) -> GameData:
    """Read and check a scenario, by default the package's own of the given name.

    Raises:
        DataFileError: the file cannot be read or used; the message names file, line, record and field.
    """
    return read(path, __package__ or "", GameData, _faults, own=FILES[scenario])


def _faults(raw: dict[str, Any], data: GameData) -> Faults:  # noqa: ARG001 - the reader's signature
    """Yield every fault that makes a scenario unplayable, in the order of the file."""
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
        yield fault(("resources", "pack"), "pack", least=N_AREAS * data.start.turns, each=N_AREAS, value=cards)
    for name in ("attempts", "segments"):
        table = getattr(data.resources, name)
        for card, number in zip(("small", "medium", "maximum"), table.values, strict=True):
            if number == 0:
                yield fault(("resources", name, card), "at_least", least=1)


def _tracks(data: GameData) -> Faults:
    boxes = data.tracks.relations.boxes
    if [(box.id, box.index) for box in boxes] != [(box, index) for index, box in enumerate(BOXES, 1)]:
        yield fault(("tracks", "relations", "boxes"), "boxes", boxes=", ".join(BOXES))
    if sorted(data.tracks.unit_boxes.boxes) != ["mobilisation", "reserve"]:
        yield fault(("tracks", "unit_boxes", "boxes"), "unit_boxes")


def _countries(data: GameData) -> Faults:
    for index, country in enumerate(data.country):
        at = ("country", index)
        yield from known_name((*at, "id"), country.id, COUNTRIES, "country")
        if country.id in [other.id for other in data.country[:index]]:
            yield fault((*at, "id"), "twice", name=shown(country.id))
        yield from names((*at, "names"), country.names)
    for missing in set(COUNTRIES) - {country.id for country in data.country}:
        yield missing_entry("country", missing, COUNTRIES)


def _zones(data: GameData) -> Faults:
    ids = [zone.id for zone in data.zone]
    if len(ids) > MAX_ZONES:
        yield fault(("zone", MAX_ZONES), "most_zones", most=MAX_ZONES, value=len(ids))
    for index, zone in enumerate(data.zone):
        yield from _zone(("zone", index), zone, index, ids, data.zone)
    for name in NAMED_BY_EVENTS:
        if name not in ids:
            yield fault((), "zone_of_event", name=shown(name))
        elif data.zone[ids.index(name)].home != "neutral":
            yield fault(("zone", ids.index(name), "home"), "neutral")
    for home in ("UA", "RU"):
        if home not in [zone.home for zone in data.zone]:
            yield fault((), "no_home", home=shown(home))
    yield from _totals(data)


def _zone(at: Spot, zone: Zone, index: int, ids: Sequence[str], zones: Sequence[Zone]) -> Faults:
    if zone.id in ids[:index]:
        yield id_twice((*at, "id"), "zone", zone.id)
    if zone.order != index:
        yield fault((*at, "order"), "must_be.order", what=index, value=zone.order)
    yield from names((*at, "names"), zone.names)
    for number, other in enumerate(zone.adjacent):
        spot = (*at, "adjacent", number)
        yield from known_name(spot, other, ids, "zone")
        if other == zone.id:
            yield fault(spot, "own_neighbour")
        if other in zone.adjacent[:number]:
            yield fault(spot, "twice", name=shown(other))
        if zone.id not in zones[ids.index(other)].adjacent:
            yield fault(spot, "both_ways", other=shown(other), zone=shown(zone.id))
    if zone.home != "UA":
        for field, plain in (("colour", "none"), ("vp", 0), ("borders_russia", False)):
            if getattr(zone, field) != plain:
                given = said(getattr(zone, field))
                yield fault((*at, field), "must_be.ukraine", what=shown(plain), value=given)


def _totals(data: GameData) -> Faults:
    """Check the sums of Victory Points, a safeguard for values typed in by hand."""
    sums: Counter[str] = Counter()
    for zone in data.zone:
        sums[zone.colour] += zone.vp
        sums["all"] += zone.vp
    for colour in ("red", "orange", "yellow", "all"):
        total = getattr(data.formula.vp_totals, colour)
        if total != sums[colour]:
            yield fault(("formula", "vp_totals", colour), "sum.zones", value=total, sum=sums[colour])


def _units(data: GameData) -> Faults:
    if len(data.unit) > MAX_TYPES:
        yield fault(("unit", MAX_TYPES), "most_types", most=MAX_TYPES, value=len(data.unit))
    for index, unit in enumerate(data.unit):
        yield from _unit(("unit", index), unit, data.unit[:index])
    units = sum(unit.count for unit in data.unit)
    markers = sum(marker.count for marker in data.marker)
    if units > MAX_UNITS:
        yield fault(("counters", "units"), "most_units", most=MAX_UNITS, value=units)
    for name, count in (("units", units), ("markers", markers), ("total", units + markers)):
        if getattr(data.counters, name) != count:
            yield fault(("counters", name), "sum.records", value=getattr(data.counters, name), sum=count)


def _unit(at: Spot, unit: Unit, earlier: Iterable[Unit]) -> Faults:
    if unit.id in [other.id for other in earlier]:
        yield fault((*at, "type"), "unit_twice", side=shown(unit.side), type=shown(unit.type))
    if (unit.kind == "special") != (unit.type == "special"):
        yield fault((*at, "type"), "special_type")
    if unit.kind == "special" and unit.side != "RU":
        yield fault((*at, "side"), "special_side")
    for field in ("cv", "cv_neutralised"):
        value = getattr(unit, field)
        if unit.kind == "special" and value is not None:
            yield fault((*at, field), "special_value")
        if unit.kind != "special" and value is None:
            yield fault((*at, field), "missing", what=Message("fault.type.range", {"least": "0", "most": "9"}))


def _units_on_map(data: GameData) -> Faults:
    zones = {zone.id: zone for zone in data.zone}
    left = {(unit.side, unit.type): unit.count for unit in data.unit}
    for index, there in enumerate(data.start.units_on_map):
        at = ("start", "units_on_map", index)
        yield from known_name((*at, "zone"), there.zone, zones, "zone")
        if (there.side, there.type) not in left:
            yield fault((*at, "type"), "no_units", side=there.side, type=shown(there.type))
        left[there.side, there.type] -= there.count
        if left[there.side, there.type] < 0:
            yield fault((*at, "count"), "too_few_units")
        home = zones[there.zone].home
        if home == "closed" or (there.side == "UA" and home != "UA"):
            yield fault((*at, "zone"), "no_entry", side=there.side, zone=shown(there.zone))


def _known_fields(data: GameData) -> Faults:
    """Check that `known` lists existing fields, so that no typing error makes a known value look reconstructed."""
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
        fields = [name for name in record.__struct_fields__ if name not in ("known", "balanced")]
        for listed in ("known", "balanced"):
            for index, field in enumerate(getattr(record, listed, ())):
                yield from known_name((*at, listed, index), field, fields, "field")
