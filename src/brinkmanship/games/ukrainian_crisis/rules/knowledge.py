"""The knowledge of each side (section 1.7), and the positions it cannot tell apart.

Hidden information: the cards in the matrix until their area is turned up, declarations until both sides have declared,
a held Event Card, and - only with options - Resource Cards drawn at random or discarded unseen. Played cards are open,
so the other side's remaining pack is known up to the cards that lie face down.
"""

from __future__ import annotations

from numba import types

from brinkmanship.engine.chance import RANDOM, Random, below
from brinkmanship.engine.jit.compile import compiled, internal
from brinkmanship.games.ukrainian_crisis.rules.action_numbers import N_PLACEMENTS, Action
from brinkmanship.games.ukrainian_crisis.rules.data import MAX_UNITS
from brinkmanship.games.ukrainian_crisis.rules.events import IMMEDIATE
from brinkmanship.games.ukrainian_crisis.rules.names import N_AREAS, N_COUNTRIES, N_EVENTS, N_RANKS, RU, UA, Area
from brinkmanship.games.ukrainian_crisis.rules.state import DEPTH, STATE, EventPlace, Node, Square, State, TurnType
from brinkmanship.games.ukrainian_crisis.rules.tables import RULES, Rules

EVERYBODY = 0b111
"""Audience of an action as bits: UA, RU, OBSERVER."""


@internal(types.void, STATE, STATE)
def copy_numbers(state: State, out: State) -> None:
    """Copy the fields that are single numbers."""
    out.zones_attacked = state.zones_attacked
    out.union = state.union
    out.opened = state.opened
    out.ally_rp = state.ally_rp
    out.ordered = state.ordered
    out.areas_done = state.areas_done
    out.area = state.area
    out.turn = state.turn
    out.turn_type = state.turn_type
    out.combat_turns = state.combat_turns
    out.drawn = state.drawn
    out.resolve = state.resolve
    out.ceasefire = state.ceasefire
    out.ally_area = state.ally_area
    out.ally_countries = state.ally_countries
    out.suspended = state.suspended
    out.segments = state.segments
    out.half = state.half
    out.reshuffled = state.reshuffled
    out.step = state.step
    out.node = state.node
    out.mover = state.mover
    out.drawer = state.drawer
    out.winner = state.winner
    out.level = state.level
    out.depth = state.depth


@internal(types.void, STATE, STATE)
def copy_sides(state: State, out: State) -> None:
    """Copy the fields that have an entry for each side."""
    for side in range(2):
        out.prestige[side] = state.prestige[side]
        out.vp[side] = state.vp[side]
        out.rp[side] = state.rp[side]
        out.bonus[side] = state.bonus[side]
        out.held[side] = state.held[side]
        out.to_draw[side] = state.to_draw[side]
        out.hand_size[side] = state.hand_size[side]
        out.unseen_size[side] = state.unseen_size[side]
        out.doubles[side] = state.doubles[side]
        out.declared[side] = state.declared[side]
        out.rally[side] = state.rally[side]
        for rank in range(N_RANKS):
            out.pack[side, rank] = state.pack[side, rank]
            out.hand[side, rank] = state.hand[side, rank]
            out.unseen[side, rank] = state.unseen[side, rank]
        for area in range(N_AREAS):
            out.matrix[side, area] = state.matrix[side, area]


@internal(types.void, STATE, STATE)
def copy_state(state: State, out: State) -> None:
    """Copy every field."""
    copy_numbers(state, out)
    copy_sides(state, out)
    for unit in range(MAX_UNITS):
        out.unit[unit] = state.unit[unit]
    for depth in range(DEPTH):
        out.stack[depth] = state.stack[depth]
    for country in range(N_COUNTRIES):
        out.box[country] = state.box[country]
    for event in range(N_EVENTS):
        out.event[event] = state.event[event]
    for area in range(N_AREAS):
        out.face_up[area] = state.face_up[area]
        out.order[area] = state.order[area]


@internal(types.void, STATE, types.int64)
def hide_cards(out: State, side: int) -> None:
    """Put the Resource Cards of a side that others do not know back into its pack, as others see it."""
    for rank in range(N_RANKS):
        out.pack[side, rank] += out.hand[side, rank] + out.unseen[side, rank]
        out.hand[side, rank] = 0
        out.unseen[side, rank] = 0
    for area in range(N_AREAS):
        if out.face_up[area] == 0 and out.matrix[side, area] > Square.EMPTY:
            out.pack[side, out.matrix[side, area] - 1] += 1
            out.matrix[side, area] = Square.HIDDEN


@internal(types.boolean, RULES, STATE)
def place_from_hand(rules: Rules, state: State) -> bool:
    """Return True if cards are placed from hands drawn at random (R1, R46) and not from the packs."""
    return rules.options.random_draw == 1 or state.reshuffled == 1


@internal(types.void, RULES, STATE, types.int64)
def hide_answers(rules: Rules, out: State, side: int) -> None:
    """Hide, while both sides place cards or declare, whether the other side has already done so."""
    if out.node == Node.PLACE:
        if out.matrix[side, Area.MILITARY] != Square.EMPTY and place_from_hand(rules, out):
            out.hand_size[side] += N_AREAS
        for area in range(N_AREAS):
            out.matrix[side, area] = Square.EMPTY
    if out.node == Node.DECLARE and rules.options.open_declaration == 0:
        out.declared[side] = TurnType.NOT_YET


@internal(types.void, RULES, STATE)
def name_mover(rules: Rules, out: State) -> None:
    """Set the mover, when both sides choose at once, to the first that has not chosen as far as this record shows."""
    if out.node == Node.PLACE:
        out.mover = UA if out.matrix[UA, Area.MILITARY] == Square.EMPTY else RU
    if out.node == Node.DECLARE and rules.options.open_declaration == 0:
        out.mover = UA if out.declared[UA] == TurnType.NOT_YET else RU


@compiled(types.void, RULES, STATE, types.int64, STATE)
def view(rules: Rules, state: State, side: int, out: State) -> None:
    """Copy the knowledge of a side (0, 1, or OBSERVER) to `out`; the rest is UNKNOWN, HIDDEN, or back in a pack."""
    copy_state(state, out)
    for event in range(N_EVENTS):
        where = state.event[event]
        held = EventPlace.HELD <= where < EventPlace.DRAWN_IMMEDIATE
        if where == EventPlace.IN_DECK or (held and where != EventPlace.HELD + side):
            out.event[event] = EventPlace.UNKNOWN
    for other in range(2):
        if other != side:
            hide_cards(out, other)
            hide_answers(rules, out, other)
    name_mover(rules, out)


# Redealing.


@internal(types.int64, STATE, types.int64, RANDOM)
def take_from_pack(out: State, side: int, random: Random) -> int:
    """Take a card uniformly at random from a pack; return its rank, from 0."""
    size = 0
    for rank in range(N_RANKS):
        size += out.pack[side, rank]
    pick = below(random, size)
    rank = 0
    while pick >= out.pack[side, rank]:
        pick -= out.pack[side, rank]
        rank += 1
    out.pack[side, rank] -= 1
    return rank


@internal(types.void, STATE, types.int64, RANDOM)
def deal_hidden(out: State, side: int, random: Random) -> None:
    """Draw the cards of a side that lie face down, were discarded unseen, or are in its hand."""
    for area in range(N_AREAS):
        if out.matrix[side, area] == Square.HIDDEN:
            out.matrix[side, area] = take_from_pack(out, side, random) + 1
    for _ in range(out.unseen_size[side]):
        out.unseen[side, take_from_pack(out, side, random)] += 1
    for _ in range(out.hand_size[side]):
        out.hand[side, take_from_pack(out, side, random)] += 1


@internal(types.void, RULES, STATE, types.int64, RANDOM)
def place_hidden(rules: Rules, out: State, side: int, random: Random) -> None:
    """Place cards for a side, as if it had already done so."""
    from_hand = place_from_hand(rules, out)
    for area in range(N_AREAS):
        rank = take_from_pack(out, side, random)
        out.matrix[side, area] = rank + 1
        if from_hand:  # the cards are alike but for their rank: those in hand were drawn from the same pack
            out.hand_size[side] -= 1


@internal(types.void, STATE, types.int64, RANDOM)
def hold_event(out: State, side: int, random: Random) -> None:
    """Give a side a held Event Card: one of those that may lie in the deck and are not immediate."""
    possible = 0
    for event in range(N_EVENTS):
        possible += out.event[event] == EventPlace.IN_DECK and IMMEDIATE >> event & 1 == 0
    pick = below(random, possible)
    for event in range(N_EVENTS):
        if out.event[event] == EventPlace.IN_DECK and IMMEDIATE >> event & 1 == 0:
            if pick == 0:
                out.event[event] = EventPlace.HELD + side
                return
            pick -= 1


@internal(types.boolean, RULES, STATE, types.int64)
def has_answered(rules: Rules, state: State, side: int) -> bool:
    """Return True if a side has placed its cards, or declared, when both do so at once."""
    if state.node == Node.PLACE:
        return state.matrix[side, Area.MILITARY] != Square.EMPTY
    return (
        state.node == Node.DECLARE and rules.options.open_declaration == 0 and state.declared[side] != TurnType.NOT_YET
    )


@internal(types.boolean, RULES, STATE)
def answers_at_once(rules: Rules, state: State) -> bool:
    """Return True if both sides choose at once, and in secret."""
    return state.node == Node.PLACE or (state.node == Node.DECLARE and rules.options.open_declaration == 0)


@compiled(types.void, RULES, STATE, types.int64, RANDOM, STATE)
def redeal(rules: Rules, known: State, side: int, random: Random, out: State) -> None:
    """Draw a full state from all that the side cannot tell apart from its view, each card equally likely."""
    copy_state(known, out)
    for event in range(N_EVENTS):
        if out.event[event] == EventPlace.UNKNOWN:
            out.event[event] = EventPlace.IN_DECK
    for other in range(2):
        if other == side:
            continue
        if out.held[other] > 0:
            hold_event(out, other, random)
        # One of the two has yet to choose; the other has chosen with probability 1/2.
        if answers_at_once(rules, out) and not has_answered(rules, out, 1 - other) and below(random, 2) == 0:
            if out.node == Node.PLACE:
                place_hidden(rules, out, other, random)
            else:
                out.declared[other] = below(random, 2)
        deal_hidden(out, other, random)
    name_mover(rules, out)


@compiled(types.int64, RULES, STATE, types.int64)
def audience(rules: Rules, state: State, action: int) -> int:
    """Return the viewers who may know the action, as bits; others learn only that one of its kind was taken."""
    if Action.DRAW_EVENT <= action < Action.DEAL_CARD:
        return EVERYBODY if IMMEDIATE >> (action - Action.DRAW_EVENT) & 1 else 1 << int(state.drawer)
    if Action.DEAL_CARD <= action < Action.DIE:
        return 1 << int(state.drawer)
    if Action.PLACE <= action < Action.DECLARE:
        return 1 << ((action - Action.PLACE) // N_PLACEMENTS)
    if Action.DECLARE <= action < Action.DONE and rules.options.open_declaration == 0:
        return 1 << ((action - Action.DECLARE) // 2)
    return EVERYBODY
