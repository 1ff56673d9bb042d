"""The rules as tables: `GameData` and the chosen options turned into arrays the compiled functions read.

Rules are passed to every function and never held in module globals, so that one process can play games with different
scenarios or options.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from enum import IntEnum
from typing import Any, NamedTuple

import numpy as np
from numba import from_dtype

from brinkmanship.engine.errors import OptionError
from brinkmanship.engine.message import Message
from brinkmanship.engine.options import OptionValue, any_of, no_option, takes
from brinkmanship.engine.record import blank_record
from brinkmanship.games.ukrainian_crisis.rules.data import (
    BOXES,
    COUNTRIES,
    KINDS,
    MAX_TYPES,
    MAX_UNITS,
    MAX_ZONES,
    OWN_FILE,
    SCENARIOS,
    UNIT_TYPES,
    GameData,
)
from brinkmanship.games.ukrainian_crisis.rules.names import N_COUNTRIES, N_RANKS, NUMBER_CLASSES, RU, UA, CardClass
from brinkmanship.games.ukrainian_crisis.rules.state import PLACE, Place


class PlayOption(NamedTuple):
    """An option of the rules."""

    name: str
    flag: str
    """The field of `Rules.options`, named for the non-default value. It holds the index of the value."""
    values: tuple[OptionValue, ...]
    """The values, the default first."""


_PLAY_OPTIONS = (
    PlayOption("resource_selection", "random_draw", ("choose", "random_draw")),  # R1
    PlayOption("resolve_turn1", "redraw_resolve", ("discard", "reshuffle_and_redraw")),  # R5
    PlayOption("first_turn_combat", "first_turn_combat", (False, True)),  # R7
    PlayOption("declaration", "open_declaration", ("simultaneous", "leader_first_open")),  # R8
    PlayOption("ceasefire_keeps_diplomacy", "keeps_diplomacy", (False, True)),  # R9
    PlayOption("show_unused_diplomatic", "hide_diplomatic", (True, False)),  # R11
    PlayOption("information_roll", "roll_at_reveal", ("after_choice", "at_reveal")),  # R15
    PlayOption("reduce_rolls", "reduce_one_each", ("two_own", "one_each")),  # R16
    PlayOption("ally_rp_in_information", "no_allies_in_information", (True, False)),  # R17
    PlayOption("critical_on_segment_rolls", "no_critical_in_segments", (True, False)),  # R18
    PlayOption("critical_zone_chooser", "zone_chooser", ("russia", "roller", "random")),  # R20, a `ZoneChooser`
    PlayOption("union_is_russian_home", "union_not_home", (True, False)),  # R22
    PlayOption("end_check_after_income", "check_after_income", (False, True)),  # R26
    PlayOption("own_zone", "controlled_zones", ("home", "controlled")),  # R27
    PlayOption("relocation_cures", "relocation_cures", (False, True)),  # R29
    PlayOption("neutralise_sf", "neutralise_sf", (False, True)),  # R30
    PlayOption("romania_open_to_sf", "romania_open", (False, True)),  # R31
    PlayOption("spontaneous_source", "from_reserve_only", ("reserve_or_mobilisation", "reserve_only")),  # R33
    PlayOption("rally_mode", "rally_per_unit", ("once", "per_unit")),  # R34
    PlayOption("amphibious_units", "naval_only", ("all_regulars", "naval_only")),  # R36
    PlayOption("azov_is_black_sea", "azov", (False, True)),  # R37
    PlayOption("casualty_choice", "owner_chooses", ("scorer", "owner")),  # R39
    PlayOption("nonrandom_low_odds_defender_hits", "no_low_odds_hit", ("1", "0")),  # R47
    PlayOption("ordinary_cards", "ordinary_cards", (False, True)),  # 10.1
    PlayOption("no_randomness", "no_randomness", (False, True)),  # 10.2
)
PLAY_OPTIONS = {option.name: option.values for option in _PLAY_OPTIONS}
"""The options of the rules with their values; the default first."""


class ZoneChooser(IntEnum):
    """The chooser of the zone of Secession and Union: the values of `zone_chooser` (R20)."""

    RUSSIA = 0
    ROLLER = 1
    CHANCE = 2


BOX_OPTIONS = tuple(f"box_{country.lower()}" for country in COUNTRIES)
PRESTIGE_OPTIONS = ("prestige_ua", "prestige_ru")
PRESTIGE_RANGE = (1, 99)
START_OPTIONS: dict[str, tuple[OptionValue, ...]] = {
    **dict.fromkeys(PRESTIGE_OPTIONS, tuple(range(PRESTIGE_RANGE[0], PRESTIGE_RANGE[1] + 1))),
    **dict.fromkeys(BOX_OPTIONS, BOXES),
}
"""Starting values that the players may agree on (3.0); their defaults are those of the scenario."""

SCENARIO_OPTION = "scenario"
"""The option for the scenario: one of the package's own or, not selectable by this option, that of a file."""

OPTION_VALUES: dict[str, tuple[OptionValue, ...]] = {SCENARIO_OPTION: SCENARIOS} | PLAY_OPTIONS | START_OPTIONS
"""Every option with its values."""

_ETHNIC_COLOURS = (("yellow", "orange"), ("red", "orange"))

COPIES_OF_A_NUMBER = 2

UNIT_DTYPE = np.dtype(
    [
        ("side", np.int16),
        ("kind", np.int16),
        ("type", np.int16),
        ("cv", np.int16, 2),  # of the full and of the neutralised side
        ("first", np.int16),  # the units of the type are first .. end - 1
        ("end", np.int16),
    ]
)
"""All counters of one side and type."""

RULES_DTYPE = np.dtype(
    [
        ("turns", np.int16),
        ("start_prestige", np.int16, 2),
        ("n_types", np.int16),
        ("n_units", np.int16),
        ("n_zones", np.int16),
        ("n_ranks", np.int16),  # ranks of Resource Cards in play: 3 classes, or 9 numbers (10.1)
        ("belarus", np.int16),  # zones that events open
        ("moldova", np.int16),
        ("options", [(option.flag, np.int16) for option in _PLAY_OPTIONS]),
        ("start_box", np.int16, N_COUNTRIES),
        ("rank", np.int16, N_COUNTRIES),  # Rank of a country
        ("eu", np.int16, N_COUNTRIES),
        ("gives_rp", np.int16, 4),  # by box, from 1
        ("gives_prestige", np.int16, 4),
        ("pack", np.int16, N_RANKS),  # cards of each rank in a pack
        ("class_of", np.int16, N_RANKS),  # a `CardClass`, by rank from 0
        ("results", np.int16, (2, 6)),  # Results Table of Small and Medium (4.1)
        ("attempts", np.int16, 3),  # by class
        ("segments", np.int16, 3),
        ("types", UNIT_DTYPE, MAX_TYPES),
        ("type_of", np.int16, MAX_UNITS),
        ("start_unit", np.int16, MAX_UNITS),
        ("vp", np.int16, MAX_ZONES),
        ("adjacent", np.int32, MAX_ZONES),  # zones, as bits, and so are all that follow
        ("home", np.int32, 2),
        ("neutral", np.int32),
        ("closed", np.int32),
        ("ethnic", np.int32, 2),  # where a side finds its ethnic colour
        ("airfields", np.int32),
        ("ports", np.int32),
        ("black_sea", np.int32),
        ("border", np.int32),
    ],
    align=True,
)
"""Everything the compiled functions know of a ruleset, in one record, which is passed by address."""

RULES = from_dtype(RULES_DTYPE)

Rules = Any
"""A record of `RULES_DTYPE`."""

Options = dict[str, OptionValue]


def default_options(data: GameData) -> Options:
    """Return the default options: the defaults of the rules, starting values from the scenario."""
    options: Options = {SCENARIO_OPTION: OWN_FILE if data.file else SCENARIOS[0]}
    options |= {name: values[0] for name, values in PLAY_OPTIONS.items()}
    prestige = data.start.prestige
    options |= {"prestige_ua": prestige["UA"], "prestige_ru": prestige["RU"]}
    return options | {f"box_{country.id.lower()}": country.box for country in data.country}


def scenario_of(chosen: Mapping[str, OptionValue]) -> str:
    """Return the package's scenario named by the chosen options; the default if they name none that exists."""
    name = _text(chosen.get(SCENARIO_OPTION, SCENARIOS[0]))
    return name if name in SCENARIOS else SCENARIOS[0]  # `choose_options` reports the fault


def choose_options(data: GameData, chosen: Mapping[str, OptionValue]) -> Options:
    """Return all options with their values: the chosen ones, else the defaults.

    Values may be given as texts ("true"), as they come from a command line or a form.

    Raises:
        OptionError: an unknown name, a value the option does not take, or values that exclude each other.
    """
    options = default_options(data)
    for name, value in chosen.items():
        if name not in options:
            raise no_option("Ukrainian Crisis", name, OPTION_VALUES)
        if name == SCENARIO_OPTION and data.file and value != OWN_FILE:
            raise OptionError(Message("fault.option.own_scenario", {"name": name}))
        by_text = {_text(known): known for known in (*OPTION_VALUES[name], *([OWN_FILE] if data.file else []))}
        if _text(value) not in by_text:
            number = Message("fault.type.range", {"least": "1", "most": str(len(by_text))})
            raise takes(name, number if name in PRESTIGE_OPTIONS else any_of(by_text), value)
        options[name] = by_text[_text(value)]
    if options["no_randomness"] and not options["ordinary_cards"]:  # R47
        raise OptionError(Message("fault.option.needs_cards"))
    if options["no_randomness"] and not options["show_unused_diplomatic"]:  # R49
        raise OptionError(Message("fault.option.needs_diplomatic"))
    return options


def _text(value: OptionValue) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def build(data: GameData, options: Mapping[str, OptionValue]) -> Rules:
    """Return the tables for checked data (`loading.load`) and complete options (`choose_options`)."""
    rules = blank_record(RULES_DTYPE)
    ordinary = bool(options["ordinary_cards"])
    zone_ids = [zone.id for zone in data.zone]
    rules.turns = data.start.turns
    rules.start_prestige = [int(options[name]) for name in PRESTIGE_OPTIONS]
    rules.n_types = len(data.unit)
    rules.n_units = sum(unit.count for unit in data.unit)
    rules.n_zones = len(data.zone)
    rules.n_ranks = N_RANKS if ordinary else len(data.resources.pack.values)
    rules.belarus = zone_ids.index("BLR")
    rules.moldova = zone_ids.index("MDA")
    rules.options = tuple(option.values.index(options[option.name]) for option in _PLAY_OPTIONS)
    countries = sorted(data.country, key=lambda country: COUNTRIES.index(country.id))
    rules.start_box[:] = [BOXES.index(str(options[name])) + 1 for name in BOX_OPTIONS]
    rules.rank[:] = [country.rank for country in countries]
    rules.eu[:] = [country.eu for country in countries]
    for box in data.tracks.relations.boxes:
        rules.gives_rp[box.index] = box.gives_rp
        rules.gives_prestige[box.index] = box.gives_prestige
    _resources(rules, data, ordinary)
    _units(rules, data, zone_ids)
    _map(rules, data, zone_ids, azov=bool(options["azov_is_black_sea"]))
    return rules


def _resources(rules: Rules, data: GameData, ordinary: bool) -> None:
    resources = data.resources
    if ordinary:
        rules.pack[:] = COPIES_OF_A_NUMBER
        rules.class_of[:] = NUMBER_CLASSES
    else:
        rules.pack[: len(resources.pack.values)] = resources.pack.values
        rules.class_of[: len(CardClass)] = list(CardClass)
    rules.results[:] = (resources.small, resources.medium)
    rules.attempts[:] = resources.attempts.values
    rules.segments[:] = resources.segments.values


def _units(rules: Rules, data: GameData, zone_ids: Sequence[str]) -> None:
    start = data.start
    boxes = dict(zip(KINDS, (start.regulars_in, start.irregulars_in, start.special_forces_in), strict=True))
    rules.start_unit[:] = Place.NOWHERE
    first = 0
    for index, unit in enumerate(data.unit):
        end = first + unit.count
        cv, cv_neutralised = unit.cv or 0, unit.cv_neutralised or 0
        kind, unit_type = KINDS.index(unit.kind), UNIT_TYPES.index(unit.type)
        side = UA if unit.side == "UA" else RU
        rules.types[index] = (side, kind, unit_type, (cv, cv_neutralised), first, end)
        rules.type_of[first:end] = index
        on_map = [
            zone_ids.index(there.zone)
            for there in start.units_on_map
            if (there.side, there.type) == (unit.side, unit.type)
            for _ in range(there.count)
        ]
        box = Place.RESERVE if boxes[unit.kind] == "reserve" else Place.MOBILISATION
        places = sorted([*on_map, *[box] * (unit.count - len(on_map))])
        rules.start_unit[first:end] = [place * PLACE for place in places]
        first = end


def _map(rules: Rules, data: GameData, zone_ids: Sequence[str], azov: bool) -> None:
    for index, zone in enumerate(data.zone):
        rules.vp[index] = zone.vp
        rules.adjacent[index] = sum(1 << zone_ids.index(other) for other in zone.adjacent)
    rules.home = [_bits(zone.home == home for zone in data.zone) for home in ("UA", "RU")]
    rules.neutral = _bits(zone.home == "neutral" for zone in data.zone)
    rules.closed = _bits(zone.home == "closed" for zone in data.zone)
    rules.ethnic = [_bits(zone.colour in colours for zone in data.zone) for colours in _ETHNIC_COLOURS]
    rules.airfields = _bits(zone.airfield for zone in data.zone)
    rules.ports = _bits(zone.port or (azov and zone.azov_port) for zone in data.zone)  # R37
    rules.black_sea = _bits(zone.sea == "black" or (azov and zone.sea == "azov") for zone in data.zone)
    rules.border = _bits(zone.borders_russia for zone in data.zone)


def _bits(members: Iterable[bool]) -> int:
    return sum(is_member << index for index, is_member in enumerate(members))
