"""Evaluation of a position of Ukrainian Crisis for a side, in Victory Points, from what a view shows."""

from __future__ import annotations

from numba import types

from brinkmanship.engine.jit.compile import internal
from brinkmanship.games.ukrainian_crisis.rules.names import RU, UA, Kind
from brinkmanship.games.ukrainian_crisis.rules.state import PLACE, STATE, Mark, Place, State, Step, TurnType
from brinkmanship.games.ukrainian_crisis.rules.steps.allies import ally_prestige
from brinkmanship.games.ukrainian_crisis.rules.tables import RULES, Rules

# In Victory Points of a zone or of unhalved Prestige.
INCOME = 0.8  # a point of Prestige the allies would bring in a later Turn
WAR_TO_COME = 0.5  # probability that a game without a Combat Turn still has one
LOW = 6  # Prestige below it is in danger of running out
DANGER = 0.7  # each point that is missing there
CONTROL = 0.6  # controlling a zone now
SHARE = 0.5  # having all the Combat Value in a zone
NEUTRALISED_SHARE = 0.25  # of the Combat Value of a neutralised unit
MOBILISED = 0.3  # a Regular or Irregular waiting to be deployed
STANDING = 0.8  # a Regular on the map, wherever it is
OPENED = 0.25  # Special Forces where Irregulars could follow


@internal(types.float64, STATE)
def war_share(state: State) -> float:
    """Return the probability that the game is scored as one with a Combat Turn."""
    if state.combat_turns > 0 or state.turn_type == TurnType.COMBAT:
        return 1.0
    return 0.0 if state.step == Step.GAME_END else WAR_TO_COME


@internal(types.float64, RULES, STATE)
def prestige_lead(rules: Rules, state: State) -> float:
    """Return Ukraine's lead in Prestige, with the expected Prestige from its allies in the Turns left."""
    lead = float(state.prestige[UA]) - float(state.prestige[RU])
    if state.prestige[UA] == 0 or state.prestige[RU] == 0:  # the game is about to end
        return lead
    lead -= DANGER * (max(LOW - state.prestige[UA], 0) - max(LOW - state.prestige[RU], 0))
    return lead + INCOME * ally_prestige(rules, state) * (rules.turns - state.turn)


@internal(types.float64, RULES, STATE, types.int64, types.int64)
def strength(rules: Rules, state: State, side: int, zone: int) -> float:
    """Return the Combat Value of a side in a zone; that of neutralised units counts in part."""
    total = 0.0
    for unit in range(rules.n_units):
        entry = state.unit[unit]
        unit_type = rules.type_of[unit]
        if entry // PLACE == zone and rules.types[unit_type].side == side:
            value = float(rules.types[unit_type].cv[0])
            total += NEUTRALISED_SHARE * value if entry & Mark.NEUTRALISED else value
    return total


@internal(types.float64, RULES, STATE)
def union_lead(rules: Rules, state: State) -> float:
    """Return the Victory Points of the zones that joined Russia, from Ukraine's point of view."""
    lead = 0.0
    for zone in range(rules.n_zones):
        if int(state.union) >> zone & 1:
            lead -= rules.vp[zone]
    return lead


@internal(types.float64, RULES, STATE)
def zones_lead(rules: Rules, state: State) -> float:
    """Return Ukraine's lead on the map: zones controlled and contested, and units in Mobilisation."""
    fighting = 0
    available = 0
    opened = 0
    full_ua = 0
    full_ru = 0
    lead = 0.0
    for unit in range(rules.n_units):
        entry = int(state.unit[unit])
        unit_type = rules.type_of[unit]
        side = rules.types[unit_type].side
        kind = rules.types[unit_type].kind
        sign = 1.0 if side == UA else -1.0
        if entry < Place.RESERVE * PLACE:
            zone = entry // PLACE
            if kind != Kind.SPECIAL:
                fighting |= 1 << zone
                if entry & Mark.NEUTRALISED == 0 and side == UA:
                    full_ua |= 1 << zone
                elif entry & Mark.NEUTRALISED == 0:
                    full_ru |= 1 << zone
            elif entry & Mark.NEUTRALISED == 0:
                opened |= 1 << zone
            if kind == Kind.REGULAR:
                lead += sign * STANDING
        else:
            if kind != Kind.SPECIAL and entry // PLACE == Place.MOBILISATION:
                lead += sign * MOBILISED
            if kind == Kind.IRREGULAR and side == RU:
                available += 1
    for zone in range(rules.n_zones):
        here = 1 << zone
        if int(state.union) & here or rules.home[UA] & here == 0:
            continue
        points = float(rules.vp[zone])
        if fighting & here:
            own = strength(rules, state, UA, zone)
            his = strength(rules, state, RU, zone)
            control = (full_ua >> zone & 1) - (full_ru >> zone & 1)
            lead += points * (CONTROL * control + SHARE * (own - his) / (own + his + 1.0))
        if available > 0 and opened & rules.ethnic[RU] & here:
            lead -= OPENED * points
    return lead + union_lead(rules, state)


@internal(types.float64, RULES, STATE, types.boolean)
def lead_in(rules: Rules, state: State, war: bool) -> float:
    """Return Ukraine's lead if the game has a Combat Turn, or none (section 9)."""
    if war:
        return 0.5 * prestige_lead(rules, state) + zones_lead(rules, state)
    return prestige_lead(rules, state) + union_lead(rules, state)


@internal(types.float64, RULES, STATE, types.int64)
def promise(rules: Rules, state: State, side: int) -> float:
    """Return the worth of the position to a side; it does not depend on cards that a view hides."""
    share = war_share(state)
    lead = share * lead_in(rules, state, True) + (1.0 - share) * lead_in(rules, state, False)
    return lead if side == UA else -lead


@internal(types.float64, STATE)
def worth_of_prestige(state: State) -> float:
    """Return the worth of a point of Prestige at the end: half a point if there is war."""
    return 1.0 - 0.5 * war_share(state)


@internal(types.float64, RULES, STATE, types.int64)
def force(rules: Rules, state: State, side: int) -> float:
    """Return the Combat Value that a side can fight with on the map; Irregulars, which never move, count half."""
    total = 0.0
    for unit in range(rules.n_units):
        entry = state.unit[unit]
        unit_type = rules.type_of[unit]
        if entry < Place.RESERVE * PLACE and entry & Mark.NEUTRALISED == 0 and rules.types[unit_type].side == side:
            total += rules.types[unit_type].cv[0] * (1.0 if rules.types[unit_type].kind == Kind.REGULAR else 0.5)
    return total
