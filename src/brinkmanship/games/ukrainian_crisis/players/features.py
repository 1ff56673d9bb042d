"""Features of the learned value of Ukrainian Crisis: named numbers of a position, with leads as Ukraine's."""

from __future__ import annotations

from enum import IntEnum

import numpy as np
import numpy.typing as npt
from numba import types

from brinkmanship.engine.jit.compile import compiled, internal
from brinkmanship.games.ukrainian_crisis.rules.names import RU, UA, Kind
from brinkmanship.games.ukrainian_crisis.rules.state import PLACE, STATE, Mark, Place, State, TurnType
from brinkmanship.games.ukrainian_crisis.rules.steps.allies import ally_points, ally_prestige
from brinkmanship.games.ukrainian_crisis.rules.tables import RULES, Rules

FEATURES = types.Array(types.float64, 1, "C")
Features = npt.NDArray[np.float64]

LOW = 8
"""Prestige at and below which the end of the game is near."""


class Feature(IntEnum):
    """The columns, each scaled to a magnitude of about 1; those with a side begin with Ukraine's."""

    ONE = 0
    WAR = 1  # there was a Combat Turn
    PRESTIGE_IN_PEACE = 2  # the lead while there was none
    PRESTIGE_AT_WAR = 3
    LOW_PRESTIGE = 4  # + side: how far below `LOW`
    VERY_LOW_PRESTIGE = 6  # + side: how far below half of it
    ALLY_PRESTIGE = 8  # Prestige that the allies would give in the Turns left
    ALLY_POINTS = 9
    SAFE_IN_PEACE = 10  # the points of zones where only Ukraine can fight, less those where only Russia can
    SAFE_AT_WAR = 11
    CONTESTED = 12  # points of zones where both have units, by the lead of Combat Value there
    UNIONS = 13
    REGULARS = 14  # + side: on the map and not neutralised
    MILITIA = 16  # + side
    NEUTRALISED = 18  # + side
    MOBILISED = 20  # + side: Regulars and Irregulars waiting in Mobilisation
    SPECIAL = 22  # Russian Special Forces on the map
    MEDIUM_CARDS = 23  # Ukraine has more in its pack than Russia
    MAXIMUM_CARDS = 24
    COMBAT_TURN = 25  # this Turn is one
    PRESTIGE_SQUARED = 26  # with its sign


N_FEATURES = Feature.PRESTIGE_SQUARED + 1


@internal(types.void, RULES, STATE, types.boolean, FEATURES)
def write_map(rules: Rules, state: State, war: bool, out: Features) -> None:
    """Write the features of the map and the units."""
    standing_ua, standing_ru = 0, 0
    for unit in range(rules.n_units):
        entry = int(state.unit[unit])
        kind = rules.types[rules.type_of[unit]].kind
        side = int(rules.types[rules.type_of[unit]].side)
        if entry < 0 or entry >= Place.RESERVE * PLACE:
            waits = kind != Kind.SPECIAL and entry // PLACE == Place.MOBILISATION
            out[Feature.MOBILISED + side] += waits / 5
        elif kind == Kind.SPECIAL:
            out[Feature.SPECIAL] += 0.2
        elif entry & Mark.NEUTRALISED:
            out[Feature.NEUTRALISED + side] += 0.2
        else:
            out[(Feature.REGULARS if kind == Kind.REGULAR else Feature.MILITIA) + side] += 0.2
            if side == UA:
                standing_ua |= 1 << (entry // PLACE)
            else:
                standing_ru |= 1 << (entry // PLACE)
    zones = rules.home[UA] & ~int(state.union)
    safe = 0.0
    for zone in range(rules.n_zones):
        if int(state.union) >> zone & 1:
            out[Feature.UNIONS] -= rules.vp[zone] / 5
        elif zones >> zone & 1:
            safe += rules.vp[zone] * ((standing_ua >> zone & 1) - (standing_ru >> zone & 1)) / 10
    out[Feature.SAFE_AT_WAR if war else Feature.SAFE_IN_PEACE] = safe
    contested = zones & standing_ua & standing_ru
    for unit in range(rules.n_units):
        entry = int(state.unit[unit])
        unit_type = rules.types[rules.type_of[unit]]
        on_map = 0 <= entry < Place.RESERVE * PLACE and entry & Mark.NEUTRALISED == 0
        if on_map and contested >> (entry // PLACE) & 1 and unit_type.kind != Kind.SPECIAL:
            cv = unit_type.cv[0] if unit_type.side == UA else -unit_type.cv[0]
            out[Feature.CONTESTED] += cv * rules.vp[entry // PLACE] / 20


@compiled(types.void, RULES, STATE, FEATURES)
def write_features(rules: Rules, state: State, out: Features) -> None:
    """Write the features of a full state or a view to `out`, float64[N_FEATURES]."""
    left = rules.turns - state.turn
    war = state.combat_turns > 0 or state.turn_type == TurnType.COMBAT
    lead = (float(state.prestige[UA]) - float(state.prestige[RU])) / 10
    for column in range(N_FEATURES):
        out[column] = 0.0
    out[Feature.ONE] = 1.0
    out[Feature.WAR] = 1.0 if war else 0.0
    out[Feature.PRESTIGE_AT_WAR if war else Feature.PRESTIGE_IN_PEACE] = lead
    out[Feature.PRESTIGE_SQUARED] = lead * abs(lead) / 2
    for side in range(2):
        out[Feature.LOW_PRESTIGE + side] = max(LOW - state.prestige[side], 0) / LOW
        out[Feature.VERY_LOW_PRESTIGE + side] = max(LOW - 2 * state.prestige[side], 0) / LOW
    out[Feature.ALLY_PRESTIGE] = ally_prestige(rules, state) * left / 10
    out[Feature.ALLY_POINTS] = ally_points(rules, state) * left / 10
    out[Feature.MEDIUM_CARDS] = (state.pack[UA, 1] - state.pack[RU, 1]) / 4
    out[Feature.MAXIMUM_CARDS] = (state.pack[UA, 2] - state.pack[RU, 2]) / 2
    out[Feature.COMBAT_TURN] = 1.0 if state.turn_type == TurnType.COMBAT else 0.0
    write_map(rules, state, war, out)
