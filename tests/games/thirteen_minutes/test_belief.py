"""The belief about the card that the other side keeps: better than an even guess, and deals follow it."""

from __future__ import annotations

import numpy as np
import pytest

from brinkmanship.engine.chance import generator
from brinkmanship.engine.game import Game
from brinkmanship.engine.observation import Observation
from brinkmanship.games.registry import load_game
from brinkmanship.games.thirteen_minutes.players.belief import deal, kept
from brinkmanship.games.thirteen_minutes.rules.state import N_CARDS, CardIs
from brinkmanship.games.thirteen_minutes.training import beliefs
from brinkmanship.games.thirteen_minutes.training.beliefs import kept_cards, log_losses


@pytest.fixture(scope="module")
def game() -> Game:
    return load_game("13-minutes")


def test_it_is_a_probability_of_unknown_cards_and_better_than_an_even_guess(game: Game) -> None:
    found = list(kept_cards(game, "rules", 12, 9_000_000_000))
    assert len(found) == 12 * 9
    for seen, card in found:
        view, belief = seen.view(), kept(seen)
        assert len(belief) == (0 if view.turn < 3 else N_CARDS)
        if len(belief):
            assert belief.sum() == pytest.approx(1.0)
            assert not belief[view.card != CardIs.UNKNOWN].any()
            assert belief[card] > 0.0
    even, belief = log_losses(found).mean(axis=0)
    assert belief < even - 0.1


def test_deals_look_the_same_and_have_the_kept_card_as_often_as_believed(game: Game) -> None:
    world, times = game.new_states(1)[0], 600
    for seen, _ in list(kept_cards(game, "greedy", 1, 9_000_000_000))[4::2]:
        view, side, belief = seen.view(), seen.side, kept(seen)
        held = np.zeros(N_CARDS)
        for number in range(times):
            deal(game.rules, view, side, belief, generator(number, 7), world)
            assert game.view_of(world, side).tobytes() == view.tobytes()
            held += world.card == CardIs.IN_HAND + 1 - side
        # The rest of the hand is drawn evenly from the other unknown cards.
        unknown = view.card == CardIs.UNKNOWN
        drawn = (int(view.hand[1 - side]) - 1) / max(int(unknown.sum()) - 1, 1)
        assert held / times == pytest.approx(np.where(unknown, belief + (1 - belief) * drawn, 0), abs=0.08)


def test_a_position_without_a_past_tells_nothing(game: Game) -> None:
    *_, last = kept_cards(game, "greedy", 1, 9_000_000_000)
    assert len(kept(last.seen)) == N_CARDS
    assert len(kept(Observation.at(game, last.seen.view(), last.seen.side))) == 0


def test_training_tries_several_constants(capsys: pytest.CaptureFixture[str]) -> None:
    beliefs.main(["--player", "greedy", "--games", "1"])
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 9
    assert all(line.startswith("scale ") and " even " in line for line in lines)
