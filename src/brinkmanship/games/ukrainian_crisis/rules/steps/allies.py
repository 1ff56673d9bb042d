"""S3 and later: the points that countries give Ukraine, and their use (section 5.3)."""

from __future__ import annotations

from numba import types

from brinkmanship.engine.game import CHANCE
from brinkmanship.engine.jit.compile import compiled, internal
from brinkmanship.games.ukrainian_crisis.rules.action_numbers import Action
from brinkmanship.games.ukrainian_crisis.rules.names import N_COUNTRIES, NOBODY, UA
from brinkmanship.games.ukrainian_crisis.rules.state import STATE, Node, State, Step
from brinkmanship.games.ukrainian_crisis.rules.tables import RULES, Rules
from brinkmanship.games.ukrainian_crisis.rules.task_stack import LEGAL, Legal, ask


@compiled(types.int64, RULES, STATE)
def ally_prestige(rules: Rules, state: State) -> int:
    """Return the Ranks of all countries in Support or Intervention that give Prestige this Turn (5.3)."""
    points = 0
    for country in range(N_COUNTRIES):
        if rules.gives_prestige[state.box[country]] and not state.suspended >> country & 1:
            points += rules.rank[country]
    return points


@compiled(types.int64, RULES, STATE)
def ally_points(rules: Rules, state: State) -> int:
    """Return the Ranks of all countries in Intervention that give Resource Points this Turn (5.3)."""
    points = 0
    for country in range(N_COUNTRIES):
        if rules.gives_rp[state.box[country]] and not state.suspended >> country & 1:
            points += rules.rank[country]
    return points


@internal(types.boolean, STATE, types.int64, types.int64)
def has_allies_for(state: State, side: int, area: int) -> bool:
    """Return True if a side may add its allies' Resource Points in an area: Ukraine, in one area per Turn (R12)."""
    return side == UA and state.ally_rp > 0 and (state.ally_area == NOBODY or state.ally_area == area)


@internal(types.void, STATE, types.int64)
def add_allies(state: State, points: int) -> None:
    """Take `points` of the allies' points for the area in progress."""
    state.ally_area = state.area
    state.ally_rp -= points


@internal(types.boolean, RULES, STATE)
def asks(rules: Rules, state: State) -> bool:
    """Show the points of the allies if there are any (S3)."""
    if ally_points(rules, state) > 0:
        ask(state, Node.ALLY_RP, CHANCE)
        return True
    state.step = Step.DEAL
    return False


@internal(types.void, RULES, STATE)
def take_ally_points(rules: Rules, state: State) -> None:
    """Give Ukraine Resource Points from the countries in Intervention (S3)."""
    state.ally_rp = ally_points(rules, state)
    for country in range(N_COUNTRIES):
        if rules.gives_rp[state.box[country]] and not state.suspended >> country & 1:
            state.ally_countries |= 1 << country
    state.step = Step.DEAL


@internal(types.int64, STATE, LEGAL)
def legal(state: State, out: Legal) -> int:
    """Write the choices to add any number of the allies' points, or none."""
    for points in range(1, state.ally_rp + 1):
        out[points - 1] = Action.ALLIES + points
    out[state.ally_rp] = Action.DONE
    return state.ally_rp + 1


@internal(types.void, STATE, types.int64)
def apply(state: State, action: int) -> None:
    """Add the chosen number of the allies' points to the task."""
    if action != Action.DONE:
        add_allies(state, action - Action.ALLIES)
        state.stack[state.depth - 1].allies = action - Action.ALLIES
