"""What a card in hand is worth, by exchange on the same deal."""

from __future__ import annotations

import doctest
from pathlib import Path

import numpy as np
import pytest

import brinkmanship as brink
from brinkmanship.lab.diagnostics import card_value
from brinkmanship.lab.diagnostics.card_value import SwapError, exchanges, worths


def test_the_worths_of_all_cards_add_up_to_nothing() -> None:
    game = brink.load("13-minutes")
    player = brink.load_player("greedy", game)
    pieces = list(exchanges(game, (player, player), 0, 60, seed=5))
    found = worths(game, pieces)
    for side in game.sides:
        total = sum(worth.points * worth.deals for worth in found if worth.side == side)
        assert total == pytest.approx(0, abs=1e-9)
    assert sum(worth.deals for worth in found) == 2 * 2 * 60
    assert all((piece.held != piece.other).all() for piece in pieces)


def test_the_same_deals_give_the_same_whoever_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    game = brink.load("13-minutes")
    player = brink.load_player("greedy", game)
    whole = list(exchanges(game, (player, player), 0, 20, seed=5))
    monkeypatch.setattr(card_value, "AT_ONCE", 7)
    pieces = list(exchanges(game, (player, player), 0, 20, seed=5))
    assert len(pieces) == 3
    for field in range(4):
        assert np.array_equal(whole[0][field], np.concatenate([piece[field] for piece in pieces]))


def test_the_page_tells_the_truth() -> None:
    page = Path(__file__).parents[2] / "docs" / "design" / "balance.md"
    result = doctest.testfile(str(page), module_relative=False, encoding="utf-8")
    assert (result.failed, result.attempted > 4) == (0, True)


def test_what_cannot_be_exchanged_is_said() -> None:
    crisis = brink.load("ukrainian-crisis")
    player = brink.load_player("random", crisis)
    with pytest.raises(SwapError, match="no hands"):
        next(exchanges(crisis, (player, player), 0, 1, seed=1))
    days = brink.load("13-days")
    player = brink.load_player("random", days)
    with pytest.raises(SwapError, match="random is too slow"):
        next(exchanges(days, (player, player), 0, 1, seed=1))
