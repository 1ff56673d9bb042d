"""The map: entry, deployment, movement and control of zones (sections 5.1, 6.2, 9).

Sets of zones are bits of an integer.
"""

from __future__ import annotations

from numba import types

from brinkmanship.engine.jit.compile import internal
from brinkmanship.games.ukrainian_crisis.rules.action_numbers import Action
from brinkmanship.games.ukrainian_crisis.rules.names import RU, UA, Kind, UnitType
from brinkmanship.games.ukrainian_crisis.rules.state import STATE, Mark, State
from brinkmanship.games.ukrainian_crisis.rules.tables import RULES, Rules
from brinkmanship.games.ukrainian_crisis.rules.task_stack import LEGAL, Legal
from brinkmanship.games.ukrainian_crisis.rules.units import FIGHTERS, ONLY_SPECIAL, zones_with


@internal(types.int64, RULES, types.int64, LEGAL, types.int64)
def list_zones(rules: Rules, zones: int, out: Legal, n: int) -> int:
    """Append each of a set of zones."""
    for zone in range(rules.n_zones):
        if zones >> zone & 1:
            out[n] = Action.ZONE + zone
            n += 1
    return n


@internal(types.int64, RULES, STATE, types.int64)
def home_zones(rules: Rules, state: State, side: int) -> int:
    """Return the current home country of a side: Union zones are Russian (R22, R27)."""
    if side == UA:
        return rules.home[UA] & ~state.union
    if rules.options.union_not_home:
        return rules.home[RU]
    return rules.home[RU] | state.union


@internal(types.int64, RULES, STATE, types.int64)
def controlled_zones(rules: Rules, state: State, side: int) -> int:
    """Return the zones where only this side has units that are not neutralised; Special Forces do not count (R44)."""
    own = zones_with(rules, state, side, FIGHTERS, Mark.NEUTRALISED)
    return own & ~zones_with(rules, state, 1 - side, FIGHTERS, Mark.NEUTRALISED)


@internal(types.int64, RULES)
def romania(rules: Rules) -> int:
    """Return the closed zones that Special Forces may enter (option of R31)."""
    return rules.closed if rules.options.romania_open else 0


@internal(types.int64, RULES, STATE, types.int64)
def zones_to_enter(rules: Rules, state: State, unit_type: int) -> int:
    """Return the zones a type of unit may move into (section 6.2)."""
    if rules.types[unit_type].side == UA:
        return home_zones(rules, state, UA)
    territory = rules.home[UA] | rules.home[RU]
    if rules.types[unit_type].kind == Kind.SPECIAL:  # also Belarus and Moldova while they are closed to others (R31)
        return territory | rules.neutral | romania(rules)
    return territory | state.opened


@internal(types.int64, RULES, STATE, types.int64, types.int64)
def zones_to_deploy(rules: Rules, state: State, side: int, kind: int) -> int:
    """Return the zones that a side may deploy a kind of unit to (section 5.1)."""
    if kind == Kind.SPECIAL:
        territory = rules.home[UA] | rules.home[RU]
        return territory | state.opened | romania(rules)
    if kind == Kind.IRREGULAR:
        if side == UA:
            return home_zones(rules, state, UA)
        return rules.ethnic[RU] & zones_with(rules, state, RU, ONLY_SPECIAL, Mark.NEUTRALISED)  # R30
    zones = home_zones(rules, state, side)
    if rules.options.controlled_zones:  # R27
        zones &= ~controlled_zones(rules, state, 1 - side)
    if side == RU:  # Moldova never: its event brings the only Regular (R32)
        zones |= state.opened & (1 << int(rules.belarus))
    beside_enemies = zones_with(rules, state, side, FIGHTERS, 0)  # R28
    return zones & (~zones_with(rules, state, 1 - side, FIGHTERS, 0) | beside_enemies)


@internal(types.boolean, RULES, types.int64)
def is_amphibious(rules: Rules, unit_type: int) -> bool:
    """Return True if a type of unit can move by sea: any Regular, or by option naval infantry only (R36)."""
    if rules.options.naval_only:
        return rules.types[unit_type].type == UnitType.NAVAL
    return rules.types[unit_type].kind == Kind.REGULAR


@internal(types.int64, RULES, STATE, types.int64, types.int64)
def zones_to_move(rules: Rules, state: State, unit_type: int, zone: int) -> int:
    """Return the zones a unit of this type can reach in one move from a zone (section 6.2)."""
    kind = rules.types[unit_type].kind
    if kind == Kind.IRREGULAR:
        return 0
    reached = int(rules.adjacent[zone])
    here = 1 << int(zone)
    home = home_zones(rules, state, rules.types[unit_type].side)
    if home & rules.airfields & here and (kind == Kind.SPECIAL or rules.types[unit_type].type == UnitType.AIRBORNE):
        reached = -1
    elif home & rules.ports & here and is_amphibious(rules, unit_type):
        reached |= rules.black_sea
    return reached & zones_to_enter(rules, state, unit_type) & ~here
