"""Sealed Bids fulfils the contract of every game, and its own rules."""

from __future__ import annotations

from template_game.rules.game import SealedBids

from brinkmanship.engine.match import Match, dealer
from brinkmanship.testing import check_contract, check_journals, check_knowledge, check_simultaneous

FEW = range(10)


def test_it_keeps_what_every_game_promises() -> None:
    game = SealedBids.load()
    check_contract(game, FEW, seed=1)
    check_knowledge(game, FEW, seed=1)
    check_journals(game, FEW, seed=1)
    assert check_simultaneous(game, FEW, seed=1) > 0


def test_the_lower_bid_is_spent_as_well() -> None:
    match = Match(SealedBids.load())
    match.advance(dealer(1))
    match.push("bid 1", side=0)
    match.push("bid 3", side=1)
    match.advance(dealer(1))
    assert match.state.coins.tolist() == [5, 3]
