"""The games in OpenSpiel: its own test-suite, its search, and that samples of a state give nothing away."""

from __future__ import annotations

import doctest
import random
import unittest
from pathlib import Path
from typing import Any

import numpy as np
import pyspiel
import pytest
from open_spiel.integration_tests import api_test
from open_spiel.python.algorithms import cfr, exploitability, generate_playthrough, ismcts
from open_spiel.python.algorithms.mcts import RandomRolloutEvaluator
from open_spiel.python.observation import make_observation
from open_spiel.python.policy import UniformRandomPolicy

import brinkmanship as brink
from brinkmanship.games.registry import BUILT_IN
from brinkmanship.lab.diagnostics.best_response import BestResponse
from brinkmanship.research import open_spiel_games
from brinkmanship.research.open_spiel_games import HISTORY, BrinkmanshipState, register, short_name
from support.installed_games import EXAMPLES, install, on_path


@pytest.fixture(scope="module", params=list(BUILT_IN))
def game(request: pytest.FixtureRequest) -> Any:
    return pyspiel.load_game(short_name(request.param))


def states(game: Any, seed: int, most: int = 400) -> Any:
    """The states of a random game, each after the one before."""
    choose, state = random.Random(seed), game.new_initial_state()
    while not state.is_terminal() and most:
        yield state
        actions = state.legal_actions()
        state.apply_action(choose.choice(actions))
        most -= 1


def test_the_example_of_the_docstring_is_true() -> None:
    result = doctest.testmod(open_spiel_games)
    assert (result.failed, result.attempted > 5) == (0, True)


def test_a_game_of_ones_own_is_solved_by_cfr(tmp_path: Path) -> None:
    install(tmp_path, "kuhn-poker", "kuhn-poker = kuhn_poker.kit:KIT")
    with on_path(tmp_path, EXAMPLES):
        register("kuhn-poker")
        kuhn = pyspiel.load_game(short_name("kuhn-poker"))
        solver = cfr.CFRSolver(kuhn)
        for _ in range(100):
            solver.evaluate_and_update_policy()
        assert exploitability.exploitability(kuhn, solver.average_policy()) < 0.01
        ruleset = brink.load("kuhn-poker")
        ours = BestResponse(ruleset, lambda view, side: _evenly(ruleset.legal_actions(view, side)))
        theirs = exploitability.exploitability(kuhn, UniformRandomPolicy(kuhn))
        assert ours.exploitability == pytest.approx(theirs)


def _evenly(actions: list[int]) -> dict[int, float]:
    return dict.fromkeys(actions, 1 / len(actions))


def test_the_tensor_of_an_information_state_has_what_the_player_saw_and_no_more(game: Any) -> None:
    *_, last = states(game, 4, most=60)
    view, size = last._ruleset.observation, HISTORY * 2
    for player in range(2):
        row = np.array(last.information_state_tensor(player))
        assert row.shape == (view.size + size,)
        assert (row[: view.size] == last.observation_tensor(player)).all()
        lines = last.seen(player)[::-1][:HISTORY]
        known = row[view.size :].reshape(-1, 2)[: len(lines), 1] > 0
        assert known.tolist() == [not line.endswith("?") for line in lines]


def test_open_spiel_simulates_and_serialises_the_game(game: Any) -> None:
    pyspiel.random_sim_test(game, num_sims=1, serialize=True, verbose=False)


def test_the_suite_of_open_spiel_accepts_the_game(game: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    name = game.get_type().short_name
    flags = api_test.flags
    flags.FLAGS(["test", "--test_only_games=nothing"])
    monkeypatch.setattr(api_test, "_GAMES_TO_TEST", {name})
    flags.FLAGS.test_only_games = name
    (case,) = api_test._create_test_case_classes()
    result = unittest.TestResult()
    unittest.defaultTestLoader.loadTestsFromTestCase(case).run(result)
    assert result.testsRun == 5
    assert result.failures + result.errors == []


def test_a_sample_is_a_state_that_the_player_cannot_tell_from_the_real_one(game: Any) -> None:
    rng = np.random.RandomState(1).random_sample
    differed, sampled = 0, 0
    for state in states(game, seed=2, most=120):
        player = state.current_player()
        if player < 0:
            continue
        sample = state.resample_from_infostate(player, rng)
        assert sample.current_player() == player
        assert sample.legal_actions() == state.legal_actions()
        assert sample.information_state_string(player) == state.information_state_string(player)
        assert sample.observation_tensor(player) == state.observation_tensor(player)
        sampled += 1
        differed += sample.record.tobytes() != state.record.tobytes()
        other = 1 - player
        for told, known in zip(sample.seen(other), state.seen(player), strict=True):
            assert told == known or told.endswith(" ?")
    assert differed > sampled // 3


def test_a_copy_goes_its_own_way(game: Any) -> None:
    state = game.new_initial_state()
    copy = state.clone()
    before = copy.record.tobytes(), str(copy)
    state.apply_action(state.legal_actions()[0])
    assert (copy.record.tobytes(), str(copy)) == before
    assert str(state) != before[1]


def test_what_can_be_observed_is_there_before_a_card_is_dealt(game: Any) -> None:
    state = game.new_initial_state()
    tensors = {}
    for private in (pyspiel.PrivateInfoType.NONE, pyspiel.PrivateInfoType.SINGLE_PLAYER):
        for public in (False, True):
            for recall in (False, True):
                kind = pyspiel.IIGObservationType(public_info=public, private_info=private, perfect_recall=recall)
                seen = make_observation(game, kind)
                seen.set_from(state, 0)
                nothing = not public and private == pyspiel.PrivateInfoType.NONE
                assert (seen.string_from(state, 0) is None) == nothing
                assert (seen.tensor is None) == nothing
                if seen.tensor is not None:
                    tensors[public, private, recall] = seen.tensor.copy()
    none, single = pyspiel.PrivateInfoType.NONE, pyspiel.PrivateInfoType.SINGLE_PLAYER
    for recall in (False, True):
        both = tensors[True, none, recall] + tensors[False, single, recall]
        assert np.array_equal(both, tensors[True, single, recall])


def test_the_search_of_open_spiel_plays() -> None:
    game = pyspiel.load_game("brinkmanship_13_minutes")
    bot = ismcts.ISMCTSBot(
        game=game,
        evaluator=RandomRolloutEvaluator(n_rollouts=1, random_state=np.random.RandomState(2)),
        uct_c=2.0,
        max_simulations=4,
        random_state=np.random.RandomState(3),
    )
    decisions = 0
    for state in states(game, seed=3, most=40):
        if state.current_player() == 0:
            assert bot.step(state) in state.legal_actions()
            decisions += 1
    assert decisions > 3


def test_a_playthrough_is_told_again_alike() -> None:
    told = generate_playthrough.playthrough("brinkmanship_13_minutes", None, seed=4)
    again = generate_playthrough.playthrough("brinkmanship_13_minutes", None, seed=4)
    assert told == again
    assert "InformationStateString" in told


def test_options_are_a_parameter() -> None:
    game = pyspiel.load_game("brinkmanship_13_days", {"options": "agenda_icon_order:escalate_then_score"})
    assert game.ruleset.game.options["agenda_icon_order"] == "escalate_then_score"
    assert isinstance(game.new_initial_state(), BrinkmanshipState)
    minutes = pyspiel.load_game("brinkmanship_13_minutes", {"options": "bid_tie_cap:3;command_zero:false"})
    assert (minutes.ruleset.game.options["bid_tie_cap"], minutes.ruleset.game.options["command_zero"]) == (3, False)
    for wrong in ("agenda_icon_order", "agenda_icon_order:sideways"):
        with pytest.raises(brink.OptionError):
            pyspiel.load_game("brinkmanship_13_days", {"options": wrong})
