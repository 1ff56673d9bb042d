"""The rules as tables: `GameData` and the chosen options turned into arrays the compiled functions read.

Rules are passed to every function and never held in module globals, so that two games with different scenarios or
options can be played in one process.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numba import from_dtype

from brinkmanship.engine.errors import OptionError
from brinkmanship.engine.options import OptionValue
from brinkmanship.engine.record import blank_record
from brinkmanship.games.ukrainian_crisis.data import (
    BOXES,
    COUNTRIES,
    KINDS,
    MAX_TYPES,
    MAX_UNITS,
    MAX_ZONES,
    UNIT_TYPES,
    GameData,
)
from brinkmanship.games.ukrainian_crisis.state import (
    MOBILISATION,
    N_COUNTRIES,
    N_RANKS,
    NOWHERE,
    PLACE,
    RESERVE,
    RU,
    UA,
)

# Columns of `Rules.limits`.
TURNS = 0
START_PRESTIGE = 1  # 1 UA, 2 RU
N_TYPES = 3
N_UNITS = 4
N_ZONES = 5
BELARUS_ZONE = 6
MOLDOVA_ZONE = 7
RANKS = 8  # ranks of Resource Cards in play: 3 classes, or 9 numbers (10.1)
LIMITS = 9

# Columns of `Rules.options`: the index of the chosen value, 0 being the default of the rules.
RANDOM_DRAW = 0  # R1
REDRAW_RESOLVE = 1  # R5
FIRST_TURN_COMBAT = 2  # R7
OPEN_DECLARATION = 3  # R8
KEEPS_DIPLOMACY = 4  # R9
HIDE_DIPLOMATIC = 5  # R11
ROLL_AT_REVEAL = 6  # R15
REDUCE_ONE_EACH = 7  # R16
NO_ALLIES_IN_INFORMATION = 8  # R17
NO_CRITICAL_IN_SEGMENTS = 9  # R18
ZONE_CHOOSER = 10  # R20
UNION_NOT_HOME = 11  # R22
CHECK_AFTER_INCOME = 12  # R26
CONTROLLED_ZONES = 13  # R27
RELOCATION_CURES = 14  # R29
NEUTRALISE_SF = 15  # R30
ROMANIA_OPEN = 16  # R31
FROM_RESERVE_ONLY = 17  # R33
RALLY_PER_UNIT = 18  # R34
NAVAL_ONLY = 19  # R36
AZOV = 20  # R37
OWNER_CHOOSES = 21  # R39
NO_LOW_ODDS_HIT = 22  # R47
ORDINARY_CARDS = 23  # 10.1
NO_RANDOMNESS = 24  # 10.2
PLAY_OPTIONS: dict[str, tuple[OptionValue, ...]] = {
    "resource_selection": ("choose", "random_draw"),
    "resolve_turn1": ("discard", "reshuffle_and_redraw"),
    "first_turn_combat": (False, True),
    "declaration": ("simultaneous", "leader_first_open"),
    "ceasefire_keeps_diplomacy": (False, True),
    "show_unused_diplomatic": (True, False),
    "information_roll": ("after_choice", "at_reveal"),
    "reduce_rolls": ("two_own", "one_each"),
    "ally_rp_in_information": (True, False),
    "critical_on_segment_rolls": (True, False),
    "critical_zone_chooser": ("russia", "roller", "random"),
    "union_is_russian_home": (True, False),
    "end_check_after_income": (False, True),
    "own_zone": ("home", "controlled"),
    "relocation_cures": (False, True),
    "neutralise_sf": (False, True),
    "romania_open_to_sf": (False, True),
    "spontaneous_source": ("reserve_or_mobilisation", "reserve_only"),
    "rally_mode": ("once", "per_unit"),
    "amphibious_units": ("all_regulars", "naval_only"),
    "azov_is_black_sea": (False, True),
    "casualty_choice": ("scorer", "owner"),
    "nonrandom_low_odds_defender_hits": ("1", "0"),
    "ordinary_cards": (False, True),
    "no_randomness": (False, True),
}
"""The options of the rules in the order of their column, with their values; the default first."""

ROLLER_CHOOSES = 1  # values of ZONE_CHOOSER
CHANCE_CHOOSES = 2

BOX_OPTIONS = tuple(f"box_{country.lower()}" for country in COUNTRIES)
PRESTIGE_OPTIONS = ("prestige_ua", "prestige_ru")
PRESTIGE_RANGE = (1, 99)
START_OPTIONS: dict[str, tuple[OptionValue, ...]] = {
    **dict.fromkeys(PRESTIGE_OPTIONS, tuple(range(PRESTIGE_RANGE[0], PRESTIGE_RANGE[1] + 1))),
    **dict.fromkeys(BOX_OPTIONS, BOXES),
}
"""Starting values that the players may agree on (3.0); their defaults are those of the scenario."""

OPTION_VALUES = PLAY_OPTIONS | START_OPTIONS
"""Every option with its values."""

# Columns of `Rules.types`.
U_SIDE = 0
U_KIND = 1
U_TYPE = 2
U_CV = 3  # and of the neutralised side, in the next column
U_FIRST = 5  # the units of the type are U_FIRST .. U_END - 1
U_END = 6
TYPE_COLUMNS = 7

REGULAR = KINDS.index("regular")
IRREGULAR = KINDS.index("irregular")
SPECIAL = KINDS.index("special")
AIRBORNE = UNIT_TYPES.index("airborne")
NAVAL = UNIT_TYPES.index("naval")

# Rows of `Rules.zone_sets`, each a set of zones as bits. The first four are the homes.
HOME = 0  # + side
NEUTRAL = 2
CLOSED = 3
ETHNIC = 4  # + side that finds its ethnic colour there
AIRFIELDS = 6
PORTS = 7
BLACK_SEA = 8
BORDER = 9
ZONE_SETS = 10
_HOMES = {"UA": HOME + UA, "RU": HOME + RU, "neutral": NEUTRAL, "closed": CLOSED}
_ETHNIC_COLOURS = (("yellow", "orange"), ("red", "orange"))

SMALL = 0
MEDIUM = 1
MAXIMUM = 2
NUMBER_CLASSES = (SMALL, SMALL, SMALL, SMALL, MEDIUM, MEDIUM, MEDIUM, MAXIMUM, MAXIMUM)
"""The classes of the number cards ace to nine (10.1, R46)."""
COPIES_OF_A_NUMBER = 2

RULES_DTYPE = np.dtype(
    [
        ("limits", np.int16, LIMITS),
        ("options", np.int16, len(PLAY_OPTIONS)),  # index of the chosen value
        ("start_box", np.int16, N_COUNTRIES),
        ("rank", np.int16, N_COUNTRIES),  # Rank of a country
        ("eu", np.int16, N_COUNTRIES),
        ("gives_rp", np.int16, 4),  # by box, from 1
        ("gives_prestige", np.int16, 4),
        ("pack", np.int16, N_RANKS),  # cards of each rank in a pack
        ("class_of", np.int16, N_RANKS),  # SMALL, MEDIUM or MAXIMUM, by rank from 0
        ("results", np.int16, (2, 6)),  # Results Table of Small and Medium (4.1)
        ("attempts", np.int16, 3),  # by class
        ("segments", np.int16, 3),
        ("types", np.int16, (MAX_TYPES, TYPE_COLUMNS)),
        ("type_of", np.int16, MAX_UNITS),
        ("start_unit", np.int16, MAX_UNITS),
        ("vp", np.int16, MAX_ZONES),
        ("adjacent", np.int32, MAX_ZONES),  # bits
        ("zone_sets", np.int32, ZONE_SETS),
    ],
    align=True,
)
"""Everything the compiled functions know of a ruleset. One record, since that is passed by address."""

RULES = from_dtype(RULES_DTYPE)

Rules = Any
"""A record of `RULES_DTYPE`."""

Options = dict[str, OptionValue]


def default_options(data: GameData) -> Options:
    """What the options are when nothing is chosen: the defaults of the rules, starting values from the scenario."""
    options: Options = {name: values[0] for name, values in PLAY_OPTIONS.items()}
    prestige = data.start.prestige
    options |= {"prestige_ua": prestige["UA"], "prestige_ru": prestige["RU"]}
    return options | {f"box_{country.id.lower()}": country.box for country in data.country}


def choose_options(data: GameData, chosen: Mapping[str, OptionValue]) -> Options:
    """All options with their values: the chosen ones, else the defaults.

    Values may be given as texts ("true"), as they come from a command line or a form.

    Raises:
        OptionError: an unknown name, a value the option does not take, or values that exclude each other.
    """
    options = default_options(data)
    for name, value in chosen.items():
        if name not in options:
            raise OptionError(f"Ukrainian Crisis has no option {name!r}; its options are: {', '.join(OPTION_VALUES)}")
        by_text = {_text(known): known for known in OPTION_VALUES[name]}
        if _text(value) not in by_text:
            known = f"a number from 1 to {len(by_text)}" if name in PRESTIGE_OPTIONS else " or ".join(by_text)
            raise OptionError(f"option {name} takes {known}, not {_text(value)!r}")
        options[name] = by_text[_text(value)]
    if options["no_randomness"] and not options["ordinary_cards"]:  # R47
        raise OptionError("option no_randomness=true needs ordinary_cards=true: its numbers are those of the cards")
    if options["no_randomness"] and not options["show_unused_diplomatic"]:  # R49
        raise OptionError(
            "option no_randomness=true needs show_unused_diplomatic=true: those cards decide about Belarus and Moldova"
        )
    return options


def _text(value: OptionValue) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def build(data: GameData, options: Mapping[str, OptionValue]) -> Rules:
    """The tables for checked data (`loading.load`) and complete options (`choose_options`)."""
    rules = blank_record(RULES_DTYPE)
    ordinary = bool(options["ordinary_cards"])
    zone_ids = [zone.id for zone in data.zone]
    rules.limits[:] = (
        data.start.turns,
        *(int(options[name]) for name in PRESTIGE_OPTIONS),
        len(data.unit),
        sum(unit.count for unit in data.unit),
        len(data.zone),
        zone_ids.index("BLR"),
        zone_ids.index("MDA"),
        N_RANKS if ordinary else len(data.resources.pack.values),
    )
    rules.options[:] = [values.index(options[name]) for name, values in PLAY_OPTIONS.items()]
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
        rules.class_of[:3] = (SMALL, MEDIUM, MAXIMUM)
    rules.results[:] = (resources.small, resources.medium)
    rules.attempts[:] = resources.attempts.values
    rules.segments[:] = resources.segments.values


def _units(rules: Rules, data: GameData, zone_ids: Sequence[str]) -> None:
    start = data.start
    boxes = dict(zip(KINDS, (start.regulars_in, start.irregulars_in, start.special_forces_in), strict=True))
    rules.start_unit[:] = NOWHERE
    first = 0
    for index, unit in enumerate(data.unit):
        end = first + unit.count
        cv, cv_neutralised = unit.cv or 0, unit.cv_neutralised or 0
        kind, unit_type = KINDS.index(unit.kind), UNIT_TYPES.index(unit.type)
        side = UA if unit.side == "UA" else RU
        rules.types[index] = (side, kind, unit_type, cv, cv_neutralised, first, end)
        rules.type_of[first:end] = index
        on_map = [
            zone_ids.index(there.zone)
            for there in start.units_on_map
            if (there.side, there.type) == (unit.side, unit.type)
            for _ in range(there.count)
        ]
        box = RESERVE if boxes[unit.kind] == "reserve" else MOBILISATION
        places = sorted([*on_map, *[box] * (unit.count - len(on_map))])
        rules.start_unit[first:end] = [place * PLACE for place in places]
        first = end


def _map(rules: Rules, data: GameData, zone_ids: Sequence[str], azov: bool) -> None:
    sets = [0] * ZONE_SETS
    for index, zone in enumerate(data.zone):
        rules.vp[index] = zone.vp
        rules.adjacent[index] = sum(1 << zone_ids.index(other) for other in zone.adjacent)
        members = {
            _HOMES[zone.home]: True,
            ETHNIC + UA: zone.colour in _ETHNIC_COLOURS[UA],
            ETHNIC + RU: zone.colour in _ETHNIC_COLOURS[RU],
            AIRFIELDS: zone.airfield,
            PORTS: zone.port or (azov and zone.azov_port),  # R37
            BLACK_SEA: zone.sea == "black" or (azov and zone.sea == "azov"),
            BORDER: zone.borders_russia,
        }
        for row, is_member in members.items():
            sets[row] |= is_member << index
    rules.zone_sets[:] = sets
