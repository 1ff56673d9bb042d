"""Greedy choices within a card in play, by their immediate gain: the basis of all players of 13 Minutes.

A choice is judged by its gain, without a copy of the position: `judgement.gain_of` before the tenth card, the share of
deals won (`tenth_card`) while it is in play. Gains and worths here are those of `last`; the other side minimises them.
"""

from __future__ import annotations

from typing import Any

from numba import types

from brinkmanship.engine.game import CHANCE
from brinkmanship.engine.jit.compile import internal
from brinkmanship.games.cuban.frame import LEGAL, NOBODY, US, Stage, TurnStep
from brinkmanship.games.cuban.tables import Movement, Op
from brinkmanship.games.thirteen_minutes.players.judgement import (
    FEATURES,
    TALLY,
    WEIGHTS,
    Tally,
    Weights,
    count_up,
    gain_of,
    gain_of_colour,
    gain_of_cubes,
    judge_counted,
)
from brinkmanship.games.thirteen_minutes.players.tenth_card import (
    DEALS,
    count_deals,
    list_deals,
    share_won,
    share_won_with,
)
from brinkmanship.games.thirteen_minutes.rules.action_numbers import Action
from brinkmanship.games.thirteen_minutes.rules.board import on_table, room
from brinkmanship.games.thirteen_minutes.rules.data import CUBES_PER_SIDE
from brinkmanship.games.thirteen_minutes.rules.flow import apply, legal
from brinkmanship.games.thirteen_minutes.rules.state import N_AREAS, N_PLACES, STATE, Area, Node, State
from brinkmanship.games.thirteen_minutes.rules.tables import RULES, ForeignPush, Rules

GAIN_AND_ACTION: Any = types.Tuple((types.float64, types.int64))
DONE = int(Action.DONE)
CHANGE: Any = types.UniTuple(types.int64, 4)


@internal(types.int64, types.int64, types.int64)
def area_toward(area: int, side: int) -> int:
    """Return the area one step toward a side; the end sphere stays (Q18)."""
    return max(area - 1, 0) if side == US else min(area + 1, N_AREAS - 1)


@internal(types.void, RULES, STATE, types.int64, TALLY, DEALS)
def survey(rules: Rules, state: State, last: int, tally: Tally, deals: Any) -> None:
    """Count everything that `gain` needs: the deals while the tenth card is in play, before that the tally."""
    deals[0] = 0
    if state.turn + (state.depth > 0) >= rules.limits.last_turn:
        list_deals(state, deals)
    if deals[0] > 0:
        count_deals(rules, state, deals)
    else:
        count_up(rules, state, last, tally)


@internal(types.float64, RULES, STATE, WEIGHTS, types.int64, TALLY, DEALS, FEATURES)
def worth(rules: Rules, state: State, weights: Weights, last: int, tally: Tally, deals: Any, features: Any) -> float:
    """Return the worth of a surveyed position to `last`, the card in play being over.

    Before the tenth card it is in log-odds, then the share of deals won.
    """
    if deals[0] > 0:
        return share_won(rules, deals, last)
    return judge_counted(state, weights, last, tally, features)


@internal(
    types.float64, RULES, STATE, WEIGHTS, types.int64, TALLY, DEALS, types.int64, types.int64, types.int64, types.int64
)
def gain(
    rules: Rules,
    state: State,
    weights: Weights,
    last: int,
    tally: Tally,
    deals: Any,
    place: int,
    side: int,
    cubes: int,
    area: int,
) -> float:
    """Return the gain when a side has `cubes` more cubes on a battleground, which then lies in `area`."""
    if deals[0] > 0:
        # Gains are only compared with each other, so the current worth need not be subtracted.
        return share_won_with(rules, state, deals, last, place, side, cubes, area)
    return gain_of(rules, state, weights, last, tally, place, int(side != last), cubes, area)


@internal(GAIN_AND_ACTION, RULES, STATE, WEIGHTS, types.int64, TALLY, DEALS, types.int64, types.int64, types.int64)
def best_command(
    rules: Rules,
    state: State,
    weights: Weights,
    last: int,
    tally: Tally,
    deals: Any,
    side: int,
    value: int,
    where: int,
) -> tuple[float, int]:
    """Return a side's best Command and its gain; at the end of the game its resulting share of deals won."""
    sign = 1.0 if side == last else -1.0
    owner = int(side != last)
    best = share_won(rules, deals, last) * sign if deals[0] > 0 else 0.0
    action = DONE
    for place in range(N_PLACES):
        if where >> place & 1 == 0:
            continue
        area = area_toward(int(state.area[place]), side)
        most = min(value, int(state.supply[side]), room(rules, state, side, place))
        colours = 0.0
        if deals[0] == 0 and most > 0:
            colours = gain_of_colour(rules, state, weights, last, tally, place, owner, 1, area)
        for cubes in range(1, most + 1):
            if deals[0] > 0:
                found = sign * share_won_with(rules, state, deals, last, place, side, cubes, area)
            else:
                changed = gain_of_cubes(rules, state, weights, last, tally, place, owner, cubes, area)
                found = sign * (changed + colours)
            if found > best:
                best = found
                action = Action.PLACE + place * CUBES_PER_SIDE + cubes - 1
        area = area_toward(int(state.area[place]), 1 - side)
        for cubes in range(1, min(value, int(state.influence[side, place])) + 1):
            found = sign * gain(rules, state, weights, last, tally, deals, place, side, -cubes, area)
            if found > best:
                best = found
                action = Action.REMOVE + place * CUBES_PER_SIDE + cubes - 1
    return best, action


@internal(CHANGE, RULES, STATE, types.int64)
def change_of(rules: Rules, state: State, action: int) -> tuple[int, int, int, int]:
    """Return the effect of a choice within an event: battleground, owner of the cubes, cubes, area afterwards."""
    frame = state.stack[0]
    if action >= Action.MOVE:
        place = (action - Action.MOVE) // N_AREAS
        return place, frame.owner, 0, (action - Action.MOVE) % N_AREAS
    first = Action.PLACE if action < Action.REMOVE else Action.REMOVE
    place = (action - first) // CUBES_PER_SIDE
    cubes = (action - first) % CUBES_PER_SIDE + 1
    puts = first == Action.PLACE
    mover = frame.chooser
    area = int(state.area[place])
    if rules.effects[frame.effect].movement != Movement.AS_USUAL:
        return place, frame.owner, cubes if puts else -cubes, area
    if frame.owner != mover:
        if rules.options.foreign_push == ForeignPush.OWNER:
            mover = frame.owner
        elif rules.options.foreign_push == ForeignPush.NONE:
            return place, frame.owner, cubes if puts else -cubes, area
    return place, frame.owner, cubes if puts else -cubes, area_toward(area, mover if puts else 1 - mover)


@internal(types.float64, RULES, STATE, WEIGHTS, types.int64, TALLY, DEALS, types.int64, types.int64)
def best_place_for(
    rules: Rules, state: State, weights: Weights, last: int, tally: Tally, deals: Any, cubes: int, except_place: int
) -> float:
    """Return the chooser's best gain by placing `cubes` cubes on one battleground: where removed cubes may go."""
    frame = state.stack[0]
    sign = 1.0 if frame.chooser == last else -1.0
    best = -1e9
    for place in range(N_PLACES):
        if state.area[place] != Area.OFF_TABLE and place != except_place:
            area = area_toward(int(state.area[place]), frame.chooser)
            best = max(best, sign * gain(rules, state, weights, last, tally, deals, place, frame.owner, cubes, area))
    return best


@internal(types.float64, RULES, STATE, WEIGHTS, types.int64, TALLY, DEALS, types.int64, types.int64, types.int64)
def best_way_to_move(
    rules: Rules,
    state: State,
    weights: Weights,
    last: int,
    tally: Tally,
    deals: Any,
    place: int,
    owner: int,
    cubes: int,
) -> float:
    """Return the chooser's best gain by cubes on a battleground that it then moves one step at will (Q24)."""
    sign = 1.0 if state.stack[0].chooser == last else -1.0
    best = -1e9
    for area in range(max(state.area[place] - 1, 0), min(state.area[place] + 1, N_AREAS - 1) + 1):
        if area != Area.NEUTRAL or state.area[place] != Area.NEUTRAL:
            best = max(best, sign * gain(rules, state, weights, last, tally, deals, place, owner, cubes, area))
    return best


@internal(types.int64, RULES, STATE, WEIGHTS, types.int64, TALLY, DEALS, LEGAL)
def best_step(rules: Rules, state: State, weights: Weights, last: int, tally: Tally, deals: Any, out: Any) -> int:
    """Return the greedy choice within an event or of a Command for the actor, from a surveyed position."""
    frame = state.stack[0]
    mover = int(state.mover)
    if frame.step == TurnStep.COMMAND:
        value = rules.cards[frame.card].cubes
        found = best_command(rules, state, weights, last, tally, deals, mover, value, on_table(state))
        if found[1] != DONE or rules.options.command_zero:
            return found[1]
    sign = 1.0 if mover == last else -1.0
    nothing = share_won(rules, deals, last) * sign if deals[0] > 0 else 0.0
    effect = rules.effects[frame.effect] if frame.effect != NOBODY else rules.effects[0]
    count = legal(rules, state, mover, out)
    best = int(out[0])
    best_gain = -1e9
    for number in range(count):
        action = int(out[number])
        if action >= Action.CHOOSE:
            continue
        if action == DONE:
            found_gain = nothing
        elif frame.step == TurnStep.COMMAND or state.node == Node.COMMAND:
            puts = action < Action.REMOVE
            first = Action.PLACE if puts else Action.REMOVE
            place = (action - first) // CUBES_PER_SIDE
            cubes = (action - first) % CUBES_PER_SIDE + 1
            area = area_toward(int(state.area[place]), mover if puts else 1 - mover)
            moved = cubes if puts else -cubes
            found_gain = sign * gain(rules, state, weights, last, tally, deals, place, mover, moved, area)
        else:
            place, owner, cubes, area = change_of(rules, state, action)
            if state.node == Node.PLACE and effect.movement == Movement.AS_CHOSEN:
                found_gain = best_way_to_move(rules, state, weights, last, tally, deals, place, owner, cubes)
            else:
                found_gain = sign * gain(rules, state, weights, last, tally, deals, place, owner, cubes, area)
            if state.node == Node.TAKE_CUBES and frame.stage == Stage.ASKS and effect.op == Op.RELOCATE:
                found_gain += best_place_for(rules, state, weights, last, tally, deals, -cubes, place) - nothing
        if found_gain > best_gain:
            best = action
            best_gain = found_gain
    return best


@internal(types.float64, RULES, STATE, WEIGHTS, types.int64, TALLY, DEALS, FEATURES, LEGAL)
def play_out_card(
    rules: Rules, state: State, weights: Weights, last: int, tally: Tally, deals: Any, features: Any, out: Any
) -> float:
    """Finish the card in play, each choice greedy for the side that makes it; return the worth for `last`.

    The use of the Event has already been decided.
    """
    while True:
        survey(rules, state, last, tally, deals)
        if state.depth == 0 or state.mover >= CHANCE:
            return worth(rules, state, weights, last, tally, deals, features)
        frame = state.stack[0]
        if frame.step == TurnStep.COMMAND and rules.options.command_zero:
            # The gain is known without applying the choice.
            mover = int(state.mover)
            cubes = rules.cards[frame.card].cubes
            found = best_command(rules, state, weights, last, tally, deals, mover, cubes, on_table(state))
            gained = found[0] if mover == last else -found[0]
            if deals[0] > 0:
                return gained
            return gained + worth(rules, state, weights, last, tally, deals, features)
        apply(rules, state, best_step(rules, state, weights, last, tally, deals, out))
