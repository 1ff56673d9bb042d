"""What is true of every position of 13 Minutes, checked from the state alone."""

from __future__ import annotations

from brinkmanship.games.thirteen_minutes.rules.game import ThirteenMinutes
from brinkmanship.games.thirteen_minutes.rules.state import CUBA, N_CARDS, NO_BID, Area, CardIs, Node, State


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
        assert cards.count(CardIs.IN_HAND + side) == state.hand[side]
    cuba_lies = state.area[CUBA] != Area.OFF_TABLE
    turned_up = state.cuba_card >= 0
    assert cards.count(CardIs.IN_PILE) == state.pile + (cuba_lies and not turned_up)
    assert cards.count(CardIs.CUBA) == turned_up
    assert cards.count(CardIs.ON_TABLE) == state.turn + state.depth
    shown = cards.count(CardIs.SHOWN) + cards.count(CardIs.SHOWN + 1)
    assert (
        len(cards)
        == N_CARDS
        == state.hand.sum() + shown + cards.count(CardIs.IN_PILE) + cards.count(CardIs.ON_TABLE) + turned_up
    )
    for card, place in enumerate(cards):
        lies = state.area[card] != Area.OFF_TABLE
        assert lies == (place == CardIs.ON_TABLE) or place in (CardIs.SHOWN, CardIs.SHOWN + 1)
        assert lies or not state.influence[:, card].any()
    if state.node == Node.OVER:
        assert state.hand.sum() == 0
        assert shown == 2
