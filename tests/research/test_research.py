"""The interfaces for research: tensors, batches of games, Gymnasium, PettingZoo, and their documents."""

from __future__ import annotations

import doctest
import importlib
import sys
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test, parallel_api_test, render_test, seed_test

import brinkmanship as brink
from brinkmanship.engine.chance import generator, generators
from brinkmanship.engine.game import CHANCE, OBSERVER
from brinkmanship.games.registry import BUILT_IN
from brinkmanship.research import gymnasium_env, pettingzoo_env
from brinkmanship.research.gymnasium_env import ILLEGAL, BrinkmanshipEnv
from brinkmanship.research.observation import Observation
from brinkmanship.research.vector import OpponentError, VectorGames
from brinkmanship.testing import walk

ROOT = Path(__file__).parents[2]
OPTIONS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
sys.path.insert(0, str(ROOT / "tools"))

import observations  # noqa: E402


@pytest.fixture(scope="module", params=list(BUILT_IN))
def game(request: pytest.FixtureRequest) -> brink.Game:
    return brink.load(request.param)


@pytest.fixture(autouse=True)
def _no_warning_is_overheard() -> Iterator[None]:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        yield


def test_the_tour_is_true() -> None:
    result = doctest.testfile(str(ROOT / "docs/research/interfaces.md"), module_relative=False, optionflags=OPTIONS)
    assert (result.failed, result.attempted > 20) == (0, True)


@pytest.mark.parametrize("name", ["observation", "vector", "gymnasium_env", "pettingzoo_env"])
def test_the_examples_of_the_docstrings_are_true(name: str) -> None:
    module = importlib.import_module(f"brinkmanship.research.{name}")
    result = doctest.testmod(module, optionflags=OPTIONS)
    assert (result.failed, result.attempted > 3) == (0, True)


def test_the_page_of_the_columns_is_what_the_tool_writes() -> None:
    page = (ROOT / "docs/research/observations.md").read_text("utf-8")
    assert page == observations.page(), "run: tools/observations.py"


# Tensors.


def test_a_row_holds_the_whole_view_and_so_what_its_reader_may_do(game: brink.Game) -> None:
    observation = Observation(game)
    for number in range(2):
        for moment in walk(game, number, seed=3):
            for viewer in range(OBSERVER + 1):
                view = game.view_of(moment.state, viewer)
                row = observation.of(view, viewer)
                read = observation.record(row)
                assert read.tobytes() == view.tobytes(), moment.where
                assert observation.viewer(row) == viewer
                if viewer < OBSERVER:
                    legal = game.legal_actions(read, viewer)
                    assert legal == game.legal_actions(moment.state, viewer), moment.where


def test_what_a_reader_does_not_know_changes_no_bit(game: brink.Game) -> None:
    observation = Observation(game)
    dice, other = generator(1), game.new_states(1)[0]
    differed = 0
    for moment in walk(game, 1, seed=4):
        for viewer in range(OBSERVER + 1):
            view = game.view_of(moment.state, viewer)
            game.redeal(game.rules, view, viewer, dice, other)
            differed += other.tobytes() != moment.state.tobytes()
            again = observation.of(game.view_of(other, viewer), viewer)
            assert (again == observation.of(view, viewer)).all(), moment.where
    assert differed > 20


def test_every_column_belongs_to_one_field(game: brink.Game) -> None:
    observation = Observation(game)
    ends = [(field.first, field.first + field.columns) for field in observation.fields]
    assert [first for first, _ in ends] == [3, *(last for _, last in ends[:-1])]
    assert ends[-1][1] == observation.size
    with pytest.raises(KeyError, match="no field 'wisdom'"):
        observation.field("wisdom")


# Batches.


def test_a_batch_plays_by_the_rules_with_the_chance_of_each_number(game: brink.Game) -> None:
    games = VectorGames(game, 3, seed=5, tensors=True)
    states = [game.new_state() for _ in range(3)]
    dice = list(generators(5, 0, 3))

    def go_on(slot: int) -> None:
        while game.actor(game.rules, states[slot]) == CHANCE:
            game.apply(game.rules, states[slot], game.sample(game.rules, states[slot], dice[slot]))

    for slot in range(3):
        go_on(slot)
    arrays = [games.views, games.masks, games.legal, games.sides, games.rewards, games.over, games.tensors]
    finished = 3
    while finished < 6:
        for slot, state in enumerate(states):
            side = int(game.actor(game.rules, state))
            assert side == games.sides[slot]
            assert games.views[slot].tobytes() == game.view_of(state, side).tobytes()
            legal = game.legal_actions(state, side)
            assert games.legal[slot, : games.legal_counts[slot]].tolist() == legal
            assert np.flatnonzero(games.masks[slot]).tolist() == sorted(legal)
            assert games.tensors is not None
            assert (games.tensors[slot] == games.observation.of(games.views[slot], side)).all()
        actions = games.random_actions()
        games.step(actions)
        for slot, state in enumerate(states):
            game.apply(game.rules, state, int(actions[slot]))
            go_on(slot)
            reason, utility = game.outcome(state)
            assert games.over[slot] == (reason != game.reasons[0])
            assert games.reasons[slot] == game.reasons.index(reason)
            assert games.rewards[slot].tolist() == utility.tolist()
            if games.over[slot]:
                assert games.numbers[slot] == finished
                states[slot], dice[slot] = game.new_state(), generators(5, finished, 1)[0]
                go_on(slot)
                finished += 1
    assert games.finished == finished - 3
    now = [games.views, games.masks, games.legal, games.sides, games.rewards, games.over, games.tensors]
    assert all(one is other for one, other in zip(arrays, now, strict=True))


def test_a_batch_outlives_the_random_numbers_made_for_it(game: brink.Game) -> None:
    if game.id != "13-minutes":
        pytest.skip("the same code in every game")
    games = VectorGames(game, 200, seed=6)
    while games.finished < 1300:
        games.step(games.random_actions())
    assert sorted(set(games.numbers.tolist())) == sorted(games.numbers.tolist())


def test_an_illegal_action_is_refused_and_no_game_goes_on(game: brink.Game) -> None:
    games = VectorGames(game, 4, seed=1)
    before = games.views.tobytes()
    actions = games.random_actions()
    actions[3] = 0  # a step of the rules
    with pytest.raises(brink.IllegalActionError, match="not legal"):
        games.step(actions)
    with pytest.raises(brink.BrinkError):
        games.step(np.full(4, -1))
    with pytest.raises(ValueError, match="4 games need an action each"):
        games.step(actions[:2])
    assert games.views.tobytes() == before
    games.step(games.random_actions())


# Gymnasium.


def test_gymnasium_accepts_the_environment(game: brink.Game, capsys: pytest.CaptureFixture[str]) -> None:
    check_env(gymnasium.make(f"brinkmanship/{game.id}-v0").unwrapped)
    assert game.title in capsys.readouterr().out


@pytest.mark.parametrize("opponent", ["random", "greedy"])
def test_the_agent_has_its_side_and_the_reward_of_its_game(game: brink.Game, opponent: str) -> None:
    for number, side in enumerate(game.sides):
        env = BrinkmanshipEnv(game, side, opponent)
        random = np.random.default_rng(number)
        row, info = env.reset(seed=1)
        over, reward, total = False, 0.0, 0.0
        while not over:
            assert env.observation.viewer(row) == number
            assert info["side"] == side
            legal = np.flatnonzero(info["action_mask"])
            row, reward, over, truncated, info = env.step(random.choice(legal))
            assert not truncated
            assert not info["illegal"]
            total += reward
        assert total == reward
        assert reward == game.outcome(env._match.state)[1][number]
        with pytest.raises(gymnasium.error.ResetNeeded):
            env.step(np.int64(0))


def test_an_asked_player_may_be_the_opponent() -> None:
    env = BrinkmanshipEnv("13-minutes", "ussr", "search:2n")
    one, info = env.reset(seed=2)
    for _ in range(3):
        one, _, over, _, info = env.step(np.flatnonzero(info["action_mask"])[-1])
        assert not over
    two, info = env.reset(seed=2)
    for _ in range(3):
        two, _, _, _, info = env.step(np.flatnonzero(info["action_mask"])[-1])
    assert (one == two).all()


def test_an_illegal_action_costs_a_little_and_the_game_goes_on() -> None:
    env = BrinkmanshipEnv("13-days", "us")
    before, _ = env.reset(seed=1)
    after, reward, _, _, info = env.step(np.int64(0))
    assert (reward, info["illegal"]) == (-ILLEGAL, True)
    assert not np.array_equal(before, after)
    with pytest.raises(brink.PositionError, match="its sides are us and ussr"):
        BrinkmanshipEnv("13-days", "china")


# PettingZoo.


def _expected(message: str) -> None:
    # A dictionary with a mask is what the library's own board games have; their names are on its list, ours is not.
    warnings.filterwarnings("ignore", message)


def test_pettingzoo_accepts_the_environment(game: brink.Game, capsys: pytest.CaptureFixture[str]) -> None:
    _expected("Observation is not a NumPy array")
    _expected("Observation space for each agent probably should be")
    api_test(pettingzoo_env.env(game), num_cycles=100)
    seed_test(lambda: pettingzoo_env.env(game), num_cycles=100)
    shows = {"svg": lambda picture: picture.startswith("<svg"), "ansi": lambda text: game.title in text}
    render_test(lambda render_mode=None: pettingzoo_env.env(game, render_mode=render_mode), shows)
    assert game.title in capsys.readouterr().out


def test_a_game_of_both_agents_ends_with_the_utility_of_each(game: brink.Game) -> None:
    env = pettingzoo_env.raw_env(game)
    env.reset(seed=3)
    total: dict[str, Any] = dict.fromkeys(env.agents, 0.0)
    for agent in env.agent_iter():
        observation, reward, terminated, _, _ = env.last()
        total[agent] += reward
        idle = next(other for other in env.possible_agents if other != agent)
        assert not env.observe(idle)["action_mask"].any()
        env.step(None if terminated else env.action_space(agent).sample(observation["action_mask"]))
    assert list(total.values()) == game.outcome(env._state)[1].tolist()


def test_an_illegal_action_ends_the_game_or_is_refused() -> None:
    env = pettingzoo_env.env("13-days")
    env.reset(seed=1)
    culprit = env.agent_selection
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        env.step(0)
    assert env.rewards[culprit] == -1
    assert all(env.terminations.values())
    raw = pettingzoo_env.raw_env("13-days")
    raw.reset(seed=1)
    with pytest.raises(brink.IllegalActionError):
        raw.step(0)
    with pytest.raises(brink.IllegalActionError, match="None is not an action"):
        raw.step(None)


def test_pettingzoo_accepts_the_environment_in_which_both_act_at_once(game: brink.Game) -> None:
    parallel_api_test(pettingzoo_env.parallel_env(game), num_cycles=100)
    env = pettingzoo_env.parallel_env(game)
    seen, _ = env.reset(seed=3)
    choose, together = np.random.default_rng(1), 0
    while env.agents:
        acting = {agent for agent, each in seen.items() if not each["action_mask"][env.wait]}
        assert acting == {f"{game.sides[side]}_0" for side in game.to_move(env._state)}
        together += len(acting) == 2
        actions = {agent: choose.choice(np.flatnonzero(each["action_mask"])) for agent, each in seen.items()}
        seen, rewards, terminated, _, _ = env.step(actions)
    assert together
    assert list(rewards.values()) == game.outcome(env._state)[1].tolist()
    assert all(terminated.values())


def test_an_illegal_action_at_once_changes_nothing() -> None:
    env = pettingzoo_env.parallel_env("13-days")
    env.reset(seed=1)
    before = env._state.tobytes()
    with pytest.raises(brink.IllegalActionError):
        env.step({"us_0": env._observations()["us_0"]["action_mask"].argmax(), "ussr_0": 0})
    assert env._state.tobytes() == before


# Many games against an opponent.


@pytest.mark.parametrize("opponent", ["greedy", "random"])
def test_an_opponent_in_a_batch_plays_the_other_side(game: brink.Game, opponent: str) -> None:
    games = VectorGames(game, 32, seed=3, opponent=opponent)
    ended = 0
    while ended < 64:
        sides, numbers = games.sides.copy(), games.numbers.copy()
        assert (sides == numbers % 2).all(), "the agent's side alternates"
        games.step(games.random_actions())
        for slot in np.flatnonzero(games.over):
            assert games.agent_rewards[slot] == games.rewards[slot, sides[slot]]
            ended += 1
        assert not games.agent_rewards[~games.over].any()
    again = VectorGames(game, 32, seed=3, opponent=opponent)
    again.step(again.random_actions())
    same = VectorGames(game, 32, seed=3, opponent=opponent)
    same.step(same.random_actions())
    assert again.views.tobytes() == same.views.tobytes()


def test_a_batch_refuses_an_opponent_that_has_to_be_asked() -> None:
    game = brink.load("13-minutes")
    with pytest.raises(OpponentError, match="search"):
        VectorGames(game, 4, opponent="search:10n")
    with pytest.raises(brink.PositionError, match="nobody"):
        VectorGames(game, 4, opponent="greedy", side="nobody")


def test_gymnasium_makes_many_games_at_once(game: brink.Game) -> None:
    games = gymnasium.make_vec(
        f"brinkmanship/{game.id}-v0", num_envs=16, vectorization_mode="vector_entry_point", normalised=True
    )
    rows, info = games.reset(seed=1)
    choose = np.random.default_rng(2)
    for _ in range(100):
        assert games.observation_space.contains(rows)
        actions = np.array([choose.choice(np.flatnonzero(mask)) for mask in info["action_mask"]])
        rows, rewards, over, _, info = games.step(actions)
        assert (rewards[~over] == 0).all()
        assert not info["illegal"].any()
    rows, rewards, over, _, info = games.step(np.full(16, -5))
    assert info["illegal"].all()
    assert (rewards[~over] == -ILLEGAL).all()


def test_numbers_are_scaled_for_networks_and_what_is_0_or_1_stays(game: brink.Game) -> None:
    observation = Observation(game)
    view = brink.Position(game, seed=1).view(game.sides[0])
    row = observation.of(view.state, 0)
    scaled = observation.normalised(row)
    assert scaled.dtype == np.float32
    assert ((scaled >= -1) & (scaled <= 1)).all()
    assert (np.sign(scaled) == np.sign(row)).all()
    assert ((scaled == 1) == (row == 1))[np.abs(row) <= 1].any()


def test_masks_and_pixels_are_what_libraries_ask_for(game: brink.Game) -> None:
    env = gymnasium.make(f"brinkmanship/{game.id}-v0", render_mode="rgb_array")
    _, info = env.reset(seed=1)
    assert (env.get_wrapper_attr("action_masks")() == info["action_mask"].astype(bool)).all()
    picture: Any = env.render()
    assert picture.dtype == np.uint8
    assert picture.ndim == 3
    assert len(np.unique(picture)) > 10, "not one colour"


def test_the_environments_are_registered_once() -> None:
    gymnasium_env._register()
    assert all(f"brinkmanship/{game_id}-v0" in gymnasium.registry for game_id in BUILT_IN)
