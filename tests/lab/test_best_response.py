"""Exact best responses in small games, and how exploitable a search is there beside its own fast policy."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from itertools import accumulate
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "examples"))

from kuhn_poker.rules.actions import Action as Poker  # noqa: E402
from kuhn_poker.rules.game import KuhnPoker  # noqa: E402
from template_game.rules.game import SealedBids  # noqa: E402

from brinkmanship.engine.chance import Random, below  # noqa: E402
from brinkmanship.engine.game import Game  # noqa: E402
from brinkmanship.engine.match import Match, dealer  # noqa: E402
from brinkmanship.engine.observation import Observation  # noqa: E402
from brinkmanship.engine.record import State  # noqa: E402
from brinkmanship.lab.diagnostics import best_response  # noqa: E402
from brinkmanship.lab.diagnostics.best_response import BestResponse, Strategy, TooManyPositionsError  # noqa: E402
from brinkmanship.players import Budget, Choice, Player  # noqa: E402
from brinkmanship.players.matrix_game import Answers  # noqa: E402
from brinkmanship.players.random import RandomPlayer  # noqa: E402
from brinkmanship.players.response import response_to  # noqa: E402
from brinkmanship.players.search import SearchConfig, SearchPlayer, play_out  # noqa: E402

PARTS = 1 << 20
TRIFLE = 1e-6


def at_random(game: Game) -> Strategy:
    """Every action as often as the others."""

    def strategy(view: State, side: int) -> Mapping[int, float]:
        legal = game.legal_actions(view, side)
        return dict.fromkeys(legal, 1 / len(legal))

    return strategy


def all_in(game: Game) -> Strategy:
    """The highest bid, always."""
    return lambda view, side: {max(game.legal_actions(view, side)): 1.0}


def in_balance(view: State, side: int) -> Mapping[int, float]:
    """One of the balances of Kuhn poker (Kuhn, 1950): jack 0, queen 1, king 2."""
    card, paid = int(view.card[side]), view.paid.tolist()
    has_bet = paid[0] != paid[1]
    if side == 0:
        bet, call = (1 / 3, 0, 1)[card], (0, 2 / 3, 1)[card]
    else:
        bet, call = (1 / 3, 0, 1)[card], (0, 1 / 3, 1)[card]
    return {Poker.CALL: call, Poker.FOLD: 1 - call} if has_bet else {Poker.BET: bet, Poker.CHECK: 1 - bet}


def test_of_kuhn_poker_all_is_known() -> None:
    game = KuhnPoker.load()
    # Half of what is won is the utility: 11/24 of an ante against who plays at random.
    assert BestResponse(game, at_random(game)).exploitability == pytest.approx(11 / 48)
    balanced = BestResponse(game, in_balance)
    assert balanced.exploitability == pytest.approx(0, abs=1e-9)
    assert balanced.value(1) == pytest.approx(1 / 36)


def test_a_game_too_large_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(best_response, "MAX_POSITIONS", 20)
    game = KuhnPoker.load()
    with pytest.raises(TooManyPositionsError, match="more than 20 positions"):
        BestResponse(game, at_random(game))


def few_coins(folder: Path, coins: int) -> SealedBids:
    """Sealed Bids without favourites, with so few coins that all of it can be gone through."""
    text = (ROOT / "examples" / "template_game" / "cards.toml").read_text("utf-8")
    (folder / "cards.toml").write_text(text.replace("coins = 6", f"coins = {coins}"), "utf-8")
    return SealedBids.load(folder / "cards.toml", {"favourites": False})


def both_bids(game: Game, view: State, side: int) -> Answers:
    return Answers(game.legal_actions(view, side), game.legal_actions(view, 1 - side))


def searching(game: Game, strategy: Strategy, nodes: int) -> SearchPlayer:
    """A search whose fast policy is a strategy. Its loop runs as it is written: to compile it would take longer."""
    asked: dict[tuple[int, bytes], Mapping[int, float]] = {}

    def policy(rules: Any, view: State, side: int, random: Random) -> int:  # noqa: ARG001 - the shape of a `Policy`
        key = side, view.tobytes()
        if key not in asked:
            asked[key] = strategy(view, side)
        shares = asked[key]
        number = below(random, PARTS) / PARTS
        return next(action for action, upto in zip(shares, accumulate(shares.values()), strict=True) if number < upto)

    class BidsSearch(SearchPlayer):
        method = SearchConfig(policy, lambda *_: 0.5, lambda *_: False, RandomPlayer, scale=1.0, secret=both_bids)

        def __init__(self) -> None:
            Player.__init__(self, game, 5, Budget(nodes=nodes))
            self._loop = play_out

        def choose(self, seen: Observation) -> Choice:
            raise NotImplementedError

    return BidsSearch()


def found_by(player: SearchPlayer) -> Strategy:
    """How a search mixes its bids."""

    def strategy(view: State, side: int) -> Mapping[int, float]:
        answers = both_bids(player.game, view, side)
        mixture = player.mixed(Observation.at(player.game, view, side), answers, seed=7)[0]
        return dict(zip(answers.own, mixture.tolist(), strict=True))

    return strategy


@pytest.mark.parametrize("strategy", [at_random, all_in])
def test_a_search_is_less_exploitable_than_its_fast_policy_and_less_with_more_nodes(
    tmp_path: Path, strategy: Callable[[Game], Strategy]
) -> None:
    game = few_coins(tmp_path, 2)
    fast = BestResponse(game, strategy(game)).exploitability
    few, many = (
        BestResponse(game, found_by(searching(game, strategy(game), nodes))).exploitability for nodes in (9, 135)
    )
    assert many < few + TRIFLE
    assert few < fast


@pytest.mark.parametrize("side", [0, 1])
def test_a_local_best_response_exploits_a_planted_habit(tmp_path: Path, side: int) -> None:
    game = few_coins(tmp_path, 2)
    search = searching(game, all_in(game), 60)
    habitual, response = search.method.policy, response_to(search, search.method.policy)

    def won(seed: int) -> float:
        match, chance = Match(game), dealer(seed)
        match.advance(chance)
        while match.outcome() is None:
            for mover in sorted(match.pending):
                seen = Observation.of(match, mover)
                if mover == side:
                    action = SearchPlayer.choose(response, seen).action
                else:
                    action = habitual(game.rules, seen.view(), mover, response.random)
                match.push(action, side=mover)
            match.advance(chance)
        return float(game.outcome(match.state)[1][side])

    most = BestResponse(game, all_in(game)).value(side)
    assert sum(map(won, range(24))) / 24 > most / 2 > 0.3
