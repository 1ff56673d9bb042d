"""What is true of every position of Ukrainian Crisis, checked from the state alone."""

from __future__ import annotations

from brinkmanship.games.ukrainian_crisis import state as s
from brinkmanship.games.ukrainian_crisis.data import MAX_ZONES
from brinkmanship.games.ukrainian_crisis.game import UkrainianCrisis
from brinkmanship.games.ukrainian_crisis.tables import CLOSED, HOME, NEUTRAL, U_SIDE


def check_position(game: UkrainianCrisis, state: s.State) -> None:
    """Raise AssertionError unless cards, counters, points and markers are within limits and conserved."""
    rules = game.rules
    for points in (state.prestige, state.rp, state.bonus, state.held, state.hand_size, state.to_draw):
        assert points.min() >= 0
    assert state.ally_rp >= 0
    assert 0 <= state.depth <= s.DEPTH
    assert not state.stack[state.depth :].any()
    _check_cards(game, state)
    _check_units(game, state)

    events = state.event.tolist()
    assert set(events) <= set(range(s.IN_DECK, s.DISCARDED + 1))
    assert [events.count(s.HELD + side) for side in (0, 1)] == state.held.tolist()
    assert state.held.max() <= 1
    assert set(state.box.tolist()) <= {0, 1, 2, 3}
    assert not int(state.union) & ~int(rules.zone_sets[HOME])
    assert not int(state.opened) & ~int(rules.zone_sets[NEUTRAL])


def _check_cards(game: UkrainianCrisis, state: s.State) -> None:
    for side in (0, 1):
        assert state.pack[side].min() >= 0
        assert state.hand[side].min() >= 0
        assert state.hand[side].sum() == state.hand_size[side]
        assert state.unseen[side].sum() == state.unseen_size[side]
        left = state.pack[side] + state.hand[side] + state.unseen[side]
        for rank in state.matrix[side].tolist():
            if rank != s.EMPTY:
                left[rank - 1] += 1
        assert (left <= game.rules.pack).all(), "there are more cards of a rank than the pack has"


def _check_units(game: UkrainianCrisis, state: s.State) -> None:
    rules, first = game.rules, 0
    for unit_type, unit in enumerate(game.data.unit):
        entries = state.unit[first : first + unit.count].tolist()
        assert entries == sorted(entries), "equal positions must be equal records"
        side = int(rules.types[unit_type, U_SIDE])
        for entry in entries:
            place = entry // s.PLACE
            assert 0 <= place <= s.MOBILISATION
            if place < MAX_ZONES:
                here = 1 << place
                assert place < len(game.data.zone)
                assert not here & int(rules.zone_sets[CLOSED]) or game.options["romania_open_to_sf"]
                if side == s.UA:
                    assert here & int(rules.zone_sets[HOME + s.UA])
                    assert not here & int(state.union), "Ukraine is barred from a Union zone"
        first += unit.count
    assert (state.unit[first:] == s.NOWHERE).all()
