"""Weights fitted to games: a generation of the learned value on top of the last one, and the belief model."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from brinkmanship.engine.game import Game
from brinkmanship.games.registry import load_game
from brinkmanship.games.thirteen_days.players import learned
from brinkmanship.games.thirteen_days.players.value import moment
from brinkmanship.games.thirteen_days.training import beliefs, generation
from brinkmanship.training.regression import fitted, probability

SEED = 9


@pytest.fixture(scope="module")
def game() -> Game:
    return load_game("13-days")


def played(game: Game, path: Path, count: int, first: int = 0) -> generation.RoundPositions:
    """Games of the fast policy, which are over at once."""
    list(generation.play(game, path, first, count, SEED, "fast"))
    return generation.read(game, path)


def test_a_game_gives_its_positions_after_the_first_two_rounds_with_who_won(game: Game, tmp_path: Path) -> None:
    found = played(game, tmp_path / "games.npz", 40)
    moments = np.array([int(moment(game.rules, state)) for state in found.states])
    for number in range(40):
        of_game = found.games == number
        assert moments[of_game].tolist() == list(generation.AFTER_ROUNDS)[: of_game.sum()]
        assert len(set(found.us[of_game])) <= 1
    assert (moments == 9).sum() > 30
    assert set(found.us) <= {0.0, 0.5, 1.0}
    assert 0.2 < found.us.mean() < 0.8


def test_who_asks_for_more_games_goes_on_after_those_that_are_there(game: Game, tmp_path: Path) -> None:
    at_once = played(game, tmp_path / "at-once.npz", 8, 100)
    played(game, tmp_path / "twice.npz", 3, 100)
    twice = played(game, tmp_path / "twice.npz", 8, 100)
    assert at_once.games.tolist() == twice.games.tolist()
    assert at_once.us.tolist() == twice.us.tolist()
    assert at_once.states.tobytes() == twice.states.tobytes()
    assert played(game, tmp_path / "twice.npz", 8, 100).games.tolist() == twice.games.tolist()


def test_an_interrupted_work_keeps_its_games(game: Game, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = generation.positions

    def interrupted(of: Game, number: int, seed: int, name: str) -> generation.RoundPositions:
        if number == 2:
            raise KeyboardInterrupt
        return whole(of, number, seed, name)

    monkeypatch.setattr(generation, "positions", interrupted)
    with pytest.raises(KeyboardInterrupt):
        played(game, tmp_path / "games.npz", 5)
    assert set(generation.read(game, tmp_path / "games.npz").games) == {0, 1}
    assert [path.name for path in tmp_path.iterdir()] == ["games.npz"]


def test_what_is_laid_on_top_brings_the_value_nearer_to_the_games(game: Game, tmp_path: Path) -> None:
    found = played(game, tmp_path / "games.npz", 400)
    always_us = found._replace(us=np.ones(len(found.us)))
    for each in generation.fit(game, always_us).values():
        assert each.after < each.before


def test_where_all_is_said_nothing_comes_on_top() -> None:
    random = np.random.default_rng(1)
    features = np.column_stack([np.ones(4000), random.normal(size=(4000, 3))]).astype(np.float32)
    known = features @ np.array([0.3, 1.0, -2.0, 0.0])
    assert np.abs(fitted(features, probability(known), 1.0, 8, offset=known)).max() < 1e-6
    half = fitted(features, probability(known), 1e-6, 8, offset=known / 2)
    assert half == pytest.approx([0.15, 0.5, -1.0, 0.0], abs=1e-4)


def test_the_weights_say_what_generation_they_are() -> None:
    said = learned.MANIFEST[generation.MANIFEST_KEY]
    assert said["player"] == "search:40n"
    assert all(after < before for after, before in zip(said["log_loss"], said["log_loss_before"], strict=True))


def test_a_fit_without_games_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        generation.main(["fit", str(tmp_path / "none.npz")])
    assert stopped.value.code == 2
    assert "none.npz: no games; make it with `play" in capsys.readouterr().err


def test_a_file_with_other_games_is_left_alone(game: Game, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = played(game, tmp_path / "games.npz", 3, 100)
    with pytest.raises(SystemExit) as stopped:
        generation.main(["play", str(tmp_path / "games.npz"), "--first", "200", "--games", "5"])
    assert stopped.value.code == 2
    assert "has games 100 to 102" in capsys.readouterr().err
    assert generation.read(game, tmp_path / "games.npz").games.tolist() == found.games.tolist()


@pytest.mark.parametrize(("player", "games"), [("fast", 120), ("search:2n", 12)])
def test_beliefs_are_fitted_to_games_of_quick_players_and_of_the_search(game: Game, player: str, games: int) -> None:
    agendas, *cards = beliefs.choices(game, beliefs.SelfPlay(player, games, SEED))
    assert len(set(agendas.games.tolist())) > games / 3
    for found in (agendas, *cards):
        assert len(found.kept) > 0
        kept = found.copies[np.arange(len(found.kept)), found.kept]
        assert (kept > 0).all()
        weights = beliefs.fit([found])
        assert beliefs.log_loss(found, weights) < beliefs.log_loss(found, 0 * weights)
