"""What is true of every position of 13 Days, checked from the state alone."""

from __future__ import annotations

from brinkmanship.games.thirteen_days.rules.game import ThirteenDays
from brinkmanship.games.thirteen_days.rules.state import CardIs, State


def check_position(game: ThirteenDays, state: State) -> None:
    """Raise AssertionError unless cubes, markers and cards are within limits and conserved."""
    limits = game.data.limits
    for side in range(2):
        cubes = state.influence[side]
        assert cubes.min() >= 0
        assert cubes.max() <= limits.cubes_per_battleground
        assert cubes.sum() <= limits.cubes_per_side
    assert state.defcon.min() >= limits.defcon_min
    assert state.defcon.max() <= limits.defcon_max
    assert abs(int(state.prestige)) <= limits.prestige_lead_max
    assert state.letter in (0, 1)

    cards = state.card[: len(game.data.card)].tolist()
    assert set(cards) <= {*range(CardIs.IN_DECK, CardIs.REVEALED + 1)}
    assert set(state.card[len(cards) :].tolist()) <= {CardIs.ABSENT}
    assert cards.count(CardIs.IN_DECK) == state.deck
    assert cards.count(CardIs.DISCARDED) == state.discard
    for side in range(2):
        assert cards.count(CardIs.IN_HAND + side) == state.hand[side]
    in_aftermath = (
        cards.count(CardIs.IN_AFTERMATH) + cards.count(CardIs.IN_AFTERMATH + 1) + cards.count(CardIs.REVEALED)
    )
    assert in_aftermath == state.aftermath.sum()
    assert cards.count(CardIs.IN_PLAY) == state.depth
    assert cards.count(CardIs.TAKEN) <= 1
    assert cards.count(CardIs.DRAWN) + cards.count(CardIs.DRAWN + 1) <= 1

    for agenda, data in enumerate(game.data.agenda):
        away = int(state.agenda_dealt[:, agenda].sum() + state.agenda_used[agenda])
        assert 0 <= away <= data.copies
    for side in range(2):
        assert state.agenda_dealt[side].sum() == state.dealt[side]
        assert state.chosen[side] < 0 or state.agenda_dealt[side, state.chosen[side]] > 0
