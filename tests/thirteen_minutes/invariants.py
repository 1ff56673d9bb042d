"""What is true of every position of 13 Minutes, checked from the state alone."""

from __future__ import annotations

from brinkmanship.games.thirteen_minutes.game import ThirteenMinutes
from brinkmanship.games.thirteen_minutes.state import (
    CUBA,
    FINISHED,
    IN_HAND,
    IN_PILE,
    IS_CUBA,
    N_CARDS,
    NO_BID,
    OFF_TABLE,
    ON_TABLE,
    SHOWN,
    State,
)


def check_position(game: ThirteenMinutes, state: State) -> None:
    """Raise AssertionError unless cubes and cards are within limits and conserved (section 2)."""
    limits = game.data.limits
    most = int(game.options["cube_limit"]) or limits.cubes_per_side
    for side in range(2):
        cubes = state.influence[side]
        assert cubes.min() >= 0
        assert cubes.max() <= most
        assert cubes.sum() + state.lost[side] + state.supply[side] == limits.cubes_per_side
        assert state.supply[side] >= 0
        assert NO_BID <= state.bid[side] <= limits.cubes_per_side

    cards = state.card.tolist()
    for side in range(2):
        assert cards.count(IN_HAND + side) == state.hand[side]
    cuba_lies = state.area[CUBA] != OFF_TABLE
    turned_up = state.cuba_card >= 0
    assert cards.count(IN_PILE) == state.pile + (cuba_lies and not turned_up)
    assert cards.count(IS_CUBA) == turned_up
    assert cards.count(ON_TABLE) == state.turn + state.depth
    shown = cards.count(SHOWN) + cards.count(SHOWN + 1)
    assert len(cards) == N_CARDS == state.hand.sum() + shown + cards.count(IN_PILE) + cards.count(ON_TABLE) + turned_up
    for card, place in enumerate(cards):
        lies = state.area[card] != OFF_TABLE
        assert lies == (place == ON_TABLE) or place in (SHOWN, SHOWN + 1)
        assert lies or not state.influence[:, card].any()
    if state.step == FINISHED:
        assert state.hand.sum() == 0
        assert shown == 2
