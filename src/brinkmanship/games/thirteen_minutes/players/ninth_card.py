"""Exact solver of the ninth card of 13 Minutes.

The *mover* plays the ninth card, the *closer* the tenth. Before the ninth card the mover does not know three cards:
face-down Cuba and the two of the closer. Its three deals are equally likely. In each of them, every line of the ninth
card is followed by the closer's best tenth card, given what the closer knows: of the other two cards, it cannot tell
which one is Cuba and which one the mover holds. A line is worth the mean of the results over the deals. While the ninth
card is in play, choices of the closer (an Event offered to it) are its best by the same knowledge. Neither side draws
conclusions about cards from how the other one plays.

Three things make this fast. The search of the tenth card ends at a line that wins for sure. A line that won against
one table is tried first against the next one, where it mostly wins as well. Tables that can be reached in several
orders are looked up.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numba
import numpy as np
from numba import types

from brinkmanship.engine.game import CHANCE
from brinkmanship.engine.jit.compile import INTERPRETED, compiled, internal, named_tuple
from brinkmanship.games.cuban.frame import LEGAL, NOBODY, TurnStep
from brinkmanship.games.thirteen_minutes.players.bids import ALL_WEIGHTS, CHANCES
from brinkmanship.games.thirteen_minutes.players.fast import choose_quickly
from brinkmanship.games.thirteen_minutes.players.judgement import FEATURES, MAX_AT_ONCE, N_TALLY, TALLY, who_is_last
from brinkmanship.games.thirteen_minutes.players.steps import best_command, survey
from brinkmanship.games.thirteen_minutes.players.tenth_card import DEAL, DEALS, DECIDER, N_DEALS, points_won
from brinkmanship.games.thirteen_minutes.players.weights import WEIGHTS
from brinkmanship.games.thirteen_minutes.rules.action_numbers import MAX_LEGAL
from brinkmanship.games.thirteen_minutes.rules.board import on_table
from brinkmanship.games.thirteen_minutes.rules.flow import apply, legal
from brinkmanship.games.thirteen_minutes.rules.knowledge import copy_state
from brinkmanship.games.thirteen_minutes.rules.state import (
    DTYPE,
    N_CARDS,
    N_PLACES,
    STATE,
    STATES,
    CardIs,
    State,
    new_states,
)
from brinkmanship.games.thirteen_minutes.rules.tables import RULES, Rules

NINTH = 8
"""Number of cards played before the ninth."""
N_DEALT = 3
"""Number of deals that the mover cannot tell apart."""
DEPTH = 20
"""Maximum number of choices within one card, and some more."""
WON = 1.0
"""Minimum value of a position that is won in every deal; bonuses are too small to make one of a draw."""
MOST = 1.01
"""More than the value of any deal."""
KEPT = 3
"""Number of winning lines kept for each deal."""
TABLES = 1 << 12
"""Number of tables that can be looked up."""
COUNT = N_DEALS
"""Index of the number of tables examined, behind the deals."""
LIMIT = N_DEALS + 1
"""Index of the maximum number of tables."""
IS_EXACT = N_DEALS + 2
"""Index of 1 if tenth cards are searched, 0 if only the line of the fast policy counts."""
N_NUMBERS = N_DEALS + 3
UNLIMITED = 1 << 40
NOT_SOLVED = -9.0
"""Value of a deal that the limit left unsolved, or that does not matter: the line is no better than another one."""
PRIME = (1 << 40) - 87
FACTOR = 1_000_003


class Workspace(NamedTuple):
    """Memory of the search, and what all of it needs."""

    states: Any
    """A state for each level, `DTYPE`[3 * DEPTH]."""
    weights: Any
    """Weights of the fast policy, by card."""
    tally: Any
    """See `survey`."""
    deals: Any
    """Deals that the closer thinks possible, then COUNT, LIMIT, and IS_EXACT, int64[N_NUMBERS]."""
    features: Any
    """Features of a choice, int16[MAX_AT_ONCE]."""
    outs: Any
    """Legal actions of each level, int16[3 * DEPTH, MAX_LEGAL]."""
    lines: Any
    """Lines, each ended by NOBODY: of the search one for each level, then `KEPT` for each deal, int64[n, DEPTH]."""
    keys: Any
    """The table that each row of `known` is about, 0 for none, int64[TABLES]."""
    known: Any
    """Values of `after_ninth`, then a row for a table without one, float64[TABLES + 1, 2 * N_DEALT]."""

    @classmethod
    def of(cls, limit: int) -> Workspace:
        """Return the memory for an exact search of at most `limit` tables."""
        deals = np.zeros(N_NUMBERS, np.int64)
        deals[LIMIT] = limit
        deals[IS_EXACT] = 1
        weights = WEIGHTS.view()
        weights.flags.writeable = False  # as compiled code has them
        return cls(
            new_states(3 * DEPTH),
            weights,
            np.empty(N_TALLY, np.int64),
            deals,
            np.empty(MAX_AT_ONCE, np.int16),
            np.empty((3 * DEPTH, MAX_LEGAL), np.int16),
            np.full((3 * DEPTH + KEPT * N_DEALT, DEPTH), NOBODY, np.int64),
            np.zeros(TABLES, np.int64),
            np.empty((TABLES + 1, 2 * N_DEALT)),
        )


WORKSPACE = named_tuple(
    Workspace,
    STATES,
    ALL_WEIGHTS,
    TALLY,
    DEALS,
    FEATURES,
    types.Array(types.int16, 2, "C"),
    types.Array(types.int64, 2, "C"),
    types.Array(types.int64, 1, "C"),
    types.Array(types.float64, 2, "C"),
)
"""The compiled type of `Workspace`."""
TENTH: Any = types.UniTuple(types.float64, 3)
NINTH_VALUES: Any = types.UniTuple(types.float64, 2 * N_DEALT)


@internal(TENTH, RULES, STATE, types.int64, DEALS, types.int64)
def count_out(rules: Rules, state: State, last: int, deals: Any, true: int) -> tuple[float, float, float]:  # noqa: ARG001
    """Return the value of a final table for the closer, and for the mover in the deal `true`.

    The first two are means over the deals that the closer thinks possible, as either side judges its own war.
    """
    deals[COUNT] += 1
    as_last = 0.0
    as_other = 0.0
    for deal in range(deals[0]):
        total = deals[1 + DEAL * deal]
        as_last += points_won(rules, total, last, last)
        as_other += points_won(rules, total, last, 1 - last)
    of_mover = points_won(rules, deals[1 + DEAL * true], 1 - last, 1 - last)
    return as_last / deals[0], as_other / deals[0], of_mover


@internal(TENTH, RULES, WORKSPACE, types.int64, types.int64, types.int64)
def play_tenth(rules: Rules, work: Workspace, level: int, last: int, true: int) -> tuple[float, float, float]:
    """Solve the tenth card at `states[level]` by what the closer knows; return the values of `count_out`.

    `lines[level]` gets the line. The search ends at one that wins for sure.
    """
    state = work.states[level]
    survey(rules, state, last, work.tally, work.deals)
    line = work.lines[level]
    line[0] = NOBODY
    if state.mover >= CHANCE:
        return count_out(rules, state, last, work.deals, true)
    mover = int(state.mover)
    further = work.states[level + 1]
    is_command = state.depth > 0 and state.stack[0].step == TurnStep.COMMAND and rules.options.command_zero
    out = work.outs[level]
    if is_command:
        cubes = rules.cards[state.stack[0].card].cubes
        work.deals[DECIDER] = mover
        out[0] = best_command(
            rules, state, work.weights[NINTH + 1], last, work.tally, work.deals, mover, cubes, on_table(state)
        )[1]
        count = 1
    else:
        count = legal(rules, state, mover, out)
    best = (0.0, 0.0, 0.0)
    # From the last choice on: Commands are the fastest to search.
    for number in range(count - 1, -1, -1):
        copy_state(state, further)
        apply(rules, further, int(out[number]))
        found = play_tenth(rules, work, level + 1, last, true)
        if number == count - 1 or (found[0] > best[0] if mover == last else found[1] < best[1]):
            best = found
            line[0] = out[number]
            for place in range(DEPTH - 1):
                line[place + 1] = work.lines[level + 1, place]
                if line[place + 1] == NOBODY:
                    break
        if mover == last and best[0] >= WON:
            break
    return best


@internal(TENTH, RULES, WORKSPACE, types.int64, types.int64, types.int64)
def play_tenth_quickly(rules: Rules, work: Workspace, level: int, last: int, true: int) -> tuple[float, float, float]:
    """Return the same as `play_tenth` if both sides choose as the fast policy does.

    `lines[level]` gets the line, or none if the mover decided in it: then it proves nothing, as others may be better.
    """
    trial = work.states[level + 3]
    copy_state(work.states[level], trial)
    line = work.lines[level]
    length = 0
    is_own = True
    while trial.mover < CHANCE:
        is_own = is_own and trial.mover == last
        action = choose_quickly(
            rules,
            trial,
            int(trial.mover),
            work.weights,
            work.tally,
            work.deals,
            work.features,
            work.outs[level],
            work.outs[level + 1],
            work.states[level + 1 :],
        )
        line[length] = action
        length += 1
        apply(rules, trial, action)
    line[length if is_own else 0] = NOBODY
    survey(rules, trial, last, work.tally, work.deals)
    return count_out(rules, trial, last, work.deals, true)


@internal(types.boolean, RULES, STATE, types.int64, LEGAL)
def is_legal(rules: Rules, state: State, action: int, out: Any) -> bool:
    """Return True if the actor may take an action."""
    found = False
    for number in range(legal(rules, state, int(state.mover), out)):
        found = found or out[number] == action
    return found


@internal(TENTH, RULES, WORKSPACE, types.int64, types.int64, types.int64, types.int64)
def try_line(
    rules: Rules, work: Workspace, level: int, last: int, true: int, number: int
) -> tuple[float, float, float]:
    """Return the values of a kept line from `states[level]` on; 0 if it is not legal, or the mover decides in it."""
    trial = work.states[level + 1]
    copy_state(work.states[level], trial)
    for place in range(DEPTH):
        action = work.lines[number, place]
        if action == NOBODY:
            break
        if trial.mover != last or not is_legal(rules, trial, action, work.outs[level]):
            return 0.0, 0.0, 0.0
        apply(rules, trial, action)
    if trial.mover < CHANCE:
        return 0.0, 0.0, 0.0
    survey(rules, trial, last, work.tally, work.deals)
    return count_out(rules, trial, last, work.deals, true)


@internal(types.float64, RULES, WORKSPACE, types.int64, types.int64, types.int64, types.int64)
def play_out_tenth(rules: Rules, work: Workspace, level: int, last: int, true: int, kept: int) -> float:
    """Return the mover's result if both sides play the tenth card by what each knows.

    Follows the line in `lines[level]` up to the first choice of the mover, which knows the card `kept`, but not those
    of the closer; after that, each choice is solved again.
    """
    played = work.states[level + 1]
    copy_state(work.states[level], played)
    place = 0
    while played.mover == last and work.lines[level, place] != NOBODY:
        apply(rules, played, work.lines[level, place])
        place += 1
    while played.mover < CHANCE:
        known = work.states[level + 2]
        copy_state(played, known)
        if played.mover != last:
            for card in range(N_CARDS):
                if known.card[card] == CardIs.IN_HAND + last:
                    known.card[card] = CardIs.UNKNOWN
            known.card[kept] = CardIs.IN_HAND + 1 - last
        play_tenth(rules, work, level + 2, last, 0)
        apply(rules, played, work.lines[level + 2, 0])
    survey(rules, played, last, work.tally, work.deals)
    return count_out(rules, played, last, work.deals, true)[2]


@internal(TENTH, RULES, WORKSPACE, types.int64, types.int64, types.int64, types.int64, types.int64)
def best_tenth(
    rules: Rules, work: Workspace, level: int, last: int, true: int, deal: int, kept: int
) -> tuple[float, float, float]:
    """Return the same as `play_tenth`, after a look at the lines that won before in this deal.

    The last value is that of `play_out_tenth` if the mover, who keeps the card `kept`, has a say.
    """
    lines = work.lines
    first = 3 * DEPTH + KEPT * deal
    for number in range(first, first + KEPT):
        if lines[number, 0] != NOBODY:
            found = try_line(rules, work, level, last, true, number)
            if found[0] >= WON:
                for place in range(DEPTH):  # the latest first
                    lines[number, place], lines[first, place] = lines[first, place], lines[number, place]
                return found
    found = play_tenth_quickly(rules, work, level, last, true)
    is_proof = lines[level, 0] != NOBODY
    if work.deals[IS_EXACT] and (found[0] < WON or not is_proof):
        found = play_tenth(rules, work, level, last, true)
    if found[0] >= WON and lines[level, 0] != NOBODY:
        for number in range(first + KEPT - 1, first, -1):
            for place in range(DEPTH):
                lines[number, place] = lines[number - 1, place]
        for place in range(DEPTH):
            lines[first, place] = lines[level, place]
        return found
    if work.deals[IS_EXACT] and kept != NOBODY:
        return (
            found[0],
            found[1],
            play_out_tenth(rules, work, level, last, true, kept),
        )
    return found


@internal(types.int64, STATE)
def number_of(state: State) -> int:
    """Return a number that stands for a table, 1 or more: different tables almost surely differ in it."""
    number = 1
    for place in range(N_PLACES):
        number = (number * FACTOR + state.area[place] * 512 + state.influence[0, place] * 16) % PRIME
        number = (number + state.influence[1, place]) % PRIME
    number = (number * FACTOR + state.supply[0] * 16 + state.supply[1]) % PRIME
    return number + 1


@internal(NINTH_VALUES, RULES, WORKSPACE, types.int64, types.int64, types.float64)
def after_ninth(
    rules: Rules, work: Workspace, level: int, last: int, need: float
) -> tuple[float, float, float, float, float, float]:
    """Return the value for the mover in each deal, and for the closer as it sees it, once the ninth card is over.

    Deals that cannot lift the sum above `need` are left out.
    """
    ended = work.states[level]
    key = number_of(ended)
    slot = key % len(work.keys)
    if work.keys[slot] == key:
        row_found = work.known[slot]
        return row_found[0], row_found[1], row_found[2], row_found[3], row_found[4], row_found[5]
    own = work.known[len(work.keys)]
    for place in range(2 * N_DEALT):
        own[place] = NOT_SOLVED if place < N_DEALT else 0.0
    kept = NOBODY
    for card in range(N_CARDS):
        if ended.card[card] == CardIs.IN_HAND + 1 - last:
            kept = card
    is_whole = True
    total = 0.0
    deal = 0
    for cuba in range(N_CARDS):
        if ended.card[cuba] != CardIs.UNKNOWN:
            continue
        if total + MOST * (N_DEALT - deal) <= need or work.deals[COUNT] > work.deals[LIMIT]:
            is_whole = False
            break
        dealt = work.states[level + 1]
        copy_state(ended, dealt)
        for card in range(N_CARDS):
            if ended.card[card] == CardIs.UNKNOWN and card != cuba:
                dealt.card[card] = CardIs.IN_HAND + last
        dealt.card[kept] = CardIs.UNKNOWN
        found = best_tenth(rules, work, level + 1, last, int(cuba > kept), deal, kept)
        own[deal] = found[2]
        own[N_DEALT + deal] = found[0]
        total += found[2]
        deal += 1
    if is_whole:
        work.keys[slot] = key
        for place in range(2 * N_DEALT):
            work.known[slot, place] = own[place]
    return own[0], own[1], own[2], own[3], own[4], own[5]


@internal(NINTH_VALUES, RULES, WORKSPACE, types.int64, types.int64, types.float64)
def play_ninth(
    rules: Rules, work: Workspace, level: int, last: int, need: float
) -> tuple[float, float, float, float, float, float]:
    """Solve the ninth card in play at `states[level]`, the mover's view; return the values of `after_ninth`."""
    state = work.states[level]
    if state.turn > NINTH:
        return after_ninth(rules, work, level, last, need)
    mover = int(state.mover)
    further = work.states[level + 1]
    out = work.outs[level]
    best = (NOT_SOLVED, NOT_SOLVED, NOT_SOLVED, NOT_SOLVED, NOT_SOLVED, NOT_SOLVED)
    count = legal(rules, state, mover, out)
    for number in range(count):
        copy_state(state, further)
        apply(rules, further, int(out[number]))
        bound = need if mover != last else 3.0 * NOT_SOLVED
        found = play_ninth(rules, work, level + 1, last, bound)
        if mover != last:
            if found[0] + found[1] + found[2] > best[0] + best[1] + best[2]:
                best = found
                need = max(need, best[0] + best[1] + best[2])
        else:
            # In each deal, the closer takes what it expects most of.
            first, second, third = found[3] > best[3], found[4] > best[4], found[5] > best[5]
            best = (
                found[0] if first else best[0],
                found[1] if second else best[1],
                found[2] if third else best[2],
                found[3] if first else best[3],
                found[4] if second else best[4],
                found[5] if third else best[5],
            )
    return best


@internal(types.float64, RULES, WORKSPACE, types.int64, types.int64)
def answer_ninth(rules: Rules, work: Workspace, level: int, last: int) -> float:
    """Solve the ninth card in play at `states[level]`, the closer's view; return its value for the closer.

    In either of its deals, the mover decides by its own knowledge.
    """
    state = work.states[level]
    if state.turn > NINTH:
        return best_tenth(rules, work, level, last, 0, 0, NOBODY)[0]
    further = work.states[level + 1]
    if state.mover == last:
        out = work.outs[level]
        best = NOT_SOLVED
        for number in range(legal(rules, state, last, out)):
            copy_state(state, further)
            apply(rules, further, int(out[number]))
            best = max(
                best,
                answer_ninth(rules, work, level + 1, last),
            )
        return best
    total = 0.0
    for held in range(N_CARDS):
        if state.card[held] != CardIs.UNKNOWN:
            continue
        copy_state(state, further)
        deal = 0
        of_this = 0
        for card in range(N_CARDS):
            if card == held:
                further.card[card] = CardIs.IN_HAND + 1 - last
            elif state.card[card] == CardIs.IN_HAND + last:
                further.card[card] = CardIs.UNKNOWN
                deal += 1
            elif state.card[card] == CardIs.UNKNOWN:
                of_this = deal
                deal += 1
        work.keys[:] = 0  # another hand of the mover
        work.lines[3 * DEPTH :, 0] = NOBODY
        found = play_ninth(rules, work, level + 1, last, 3.0 * NOT_SOLVED)
        won = found[0] if of_this == 0 else found[1] if of_this == 1 else found[2]
        total += 1.0 - won if won > NOT_SOLVED else NOT_SOLVED
    return total / 2


@internal(types.boolean, RULES, STATE, types.int64)
def is_ninth(rules: Rules, view: State, side: int) -> bool:
    """Return True if a side decides in the ninth card, and the deals are those described above."""
    unknown = 0
    for card in range(N_CARDS):
        unknown += view.card[card] == CardIs.UNKNOWN
    is_mover = side == view.first
    return bool(
        view.turn == NINTH
        and rules.limits.last_turn == NINTH + 2
        and view.pile == 0
        and view.hand[1 - view.first] == 2
        and view.hand[view.first] + (view.depth > 0) == 2
        and unknown == (N_DEALT if is_mover else N_DEALT - 1)
    )


def _empty_states(count: int) -> Any:
    return np.empty(count, DTYPE)


scratch: Any = new_states if INTERPRETED else numba.njit(inline="always")(_empty_states)


@compiled(types.int64, RULES, STATE, types.int64, WORKSPACE, LEGAL, CHANCES)
def weigh_ninth(rules: Rules, view: State, side: int, work: Workspace, actions: Any, values: Any) -> int:
    """Write the value of each of `actions` to `values`; return how many were solved within the limit of tables.

    0: this is not a decision of the ninth card.
    """
    if not is_ninth(rules, view, side):
        return 0
    last = who_is_last(view)
    work.keys[:] = 0
    work.lines[3 * DEPTH :, 0] = NOBODY
    work.deals[COUNT] = 0
    for number in range(len(actions)):
        copy_state(view, work.states[0])
        apply(rules, work.states[0], int(actions[number]))
        if side == last:
            value = answer_ninth(rules, work, 0, last)
        else:
            # The card that stays in hand is another one.
            work.keys[:] = 0
            found = play_ninth(rules, work, 0, last, 3.0 * NOT_SOLVED)
            value = (found[0] + found[1] + found[2]) / N_DEALT
        if work.deals[COUNT] > work.deals[LIMIT]:
            return number
        values[number] = value
    return len(actions)


def solve_ninth(rules: Rules, view: State, side: int, actions: list[int], limit: int) -> list[float] | None:
    """Return the value of each of a side's choices in the ninth card, with bonuses for the lead and costs of war.

    None: it is not the ninth card, or more than `limit` tables are to be examined.
    """
    values = np.full(len(actions), NOT_SOLVED)
    work = Workspace.of(limit)
    solved = weigh_ninth(rules, view, side, work, np.array(actions, np.int16), values)
    return values.tolist() if solved == len(actions) else None
