"""What is true of every position of Ukrainian Crisis, checked from the state alone."""

from __future__ import annotations

from brinkmanship.games.ukrainian_crisis.rules import state as s
from brinkmanship.games.ukrainian_crisis.rules.data import MAX_ZONES
from brinkmanship.games.ukrainian_crisis.rules.game import UkrainianCrisis
from brinkmanship.games.ukrainian_crisis.rules.names import UA


def check_position(game: UkrainianCrisis, state: s.State) -> None:
    """Raise AssertionError unless cards, counters, points and markers are within limits and conserved."""
    rules = game.rules
    for points in (state.prestige, state.rp, state.bonus, state.held, state.hand_size, state.to_draw):
        assert points.min() >= 0
    assert state.ally_rp >= 0
    assert 0 <= state.depth <= s.DEPTH
    assert not any(state.stack[state.depth :].tobytes()), "equal positions must be equal records"
    _check_cards(game, state)
    _check_units(game, state)

    events = state.event.tolist()
    assert set(events) <= set(range(s.EventPlace.IN_DECK, s.EventPlace.DISCARDED + 1))
    assert [events.count(s.EventPlace.HELD + side) for side in (0, 1)] == state.held.tolist()
    assert state.held.max() <= 1
    assert set(state.box.tolist()) <= {0, 1, 2, 3}
    assert not int(state.union) & ~int(rules.home[UA])
    assert not int(state.opened) & ~int(rules.neutral)


def _check_cards(game: UkrainianCrisis, state: s.State) -> None:
    for side in (0, 1):
        assert state.pack[side].min() >= 0
        assert state.hand[side].min() >= 0
        assert state.hand[side].sum() == state.hand_size[side]
        assert state.unseen[side].sum() == state.unseen_size[side]
        left = state.pack[side] + state.hand[side] + state.unseen[side]
        for rank in state.matrix[side].tolist():
            if rank != s.Square.EMPTY:
                left[rank - 1] += 1
        assert (left <= game.rules.pack).all(), "there are more cards of a rank than the pack has"


def _check_units(game: UkrainianCrisis, state: s.State) -> None:
    rules, first = game.rules, 0
    for unit_type, unit in enumerate(game.data.unit):
        entries = state.unit[first : first + unit.count].tolist()
        assert entries == sorted(entries), "equal positions must be equal records"
        side = int(rules.types[unit_type].side)
        for entry in entries:
            place = entry // s.PLACE
            assert 0 <= place <= s.Place.MOBILISATION
            if place < MAX_ZONES:
                here = 1 << place
                assert place < len(game.data.zone)
                assert not here & int(rules.closed) or game.options["romania_open_to_sf"]
                if side == UA:
                    assert here & int(rules.home[UA])
                    assert not here & int(state.union), "Ukraine is barred from a Union zone"
        first += unit.count
    assert (state.unit[first:] == s.Place.NOWHERE).all()
