"""``brink lab simulate``, and the loops behind it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.stats import binomtest
from typer.testing import CliRunner

import brinkmanship.cli.commands.lab.simulate
from brinkmanship.cli import app
from brinkmanship.engine import journal
from brinkmanship.engine.chance import Random, below
from brinkmanship.engine.errors import BrinkError
from brinkmanship.engine.game import CHANCE, Game
from brinkmanship.engine.match import Match
from brinkmanship.engine.playout import Batch, play, record
from brinkmanship.engine.record import State
from brinkmanship.games.registry import BUILT_IN, load_game
from brinkmanship.lab.matches.summary import wilson
from brinkmanship.players import load_player, self_play


@pytest.fixture(scope="module")
def game() -> Game:
    return load_game("13-days")


def simulate(*arguments: str) -> dict[str, object]:
    result = CliRunner().invoke(app, ["lab", "simulate", "13-days", *arguments, "--json"], catch_exceptions=False)
    assert result.exit_code == 0
    found = json.loads(result.stdout)
    assert isinstance(found, dict)
    return found


def test_the_same_seed_gives_the_same_games_whatever_the_workers() -> None:
    one, two = (simulate("--games", "5000", "--seed", "3", "--workers", str(workers)) for workers in (1, 2))
    assert one["results"] == two["results"]
    assert one["games"] == 5000
    other = simulate("--games", "5000", "--seed", "4")
    assert other["results"] != one["results"]


def test_shares_come_with_intervals_and_add_up() -> None:
    found = simulate("--games", "1000", "--seed", "3", "--player", "us=greedy")
    assert found["players"] == {"us": "greedy", "ussr": "random"}
    winner = found["winner"]
    assert isinstance(winner, dict)
    assert sum(entry["games"] for entry in winner.values()) == 1000
    for entry in winner.values():
        low, high = entry["interval"]
        assert 0 <= low <= entry["share"] <= high <= 1
    assert winner["us"]["share"] > 0.8


def test_options_and_cards_reach_the_games(tmp_path: Path) -> None:
    source = Path(brinkmanship.games.__file__).parent / "thirteen_days" / "cards.toml"
    shorter = tmp_path / "short.toml"
    shorter.write_text(source.read_text("utf-8").replace("rounds = 3", "rounds = 1"), "utf-8")
    standard = simulate("--games", "500", "--seed", "1")["decisions"]
    short = simulate("--games", "500", "--seed", "1", "--cards", str(shorter))["decisions"]
    assert isinstance(standard, dict)
    assert isinstance(short, dict)
    assert short["max"] < standard["mean"]
    options = simulate("--games", "10", "--option", "brink_floor=before_letter")["options"]
    assert isinstance(options, dict)
    assert options["brink_floor"] == "before_letter"


def test_saved_journals_are_the_games_that_were_counted(tmp_path: Path, game: Game) -> None:
    found = simulate(
        "--games", "12", "--seed", "8", "--player", "ussr=greedy", "--save-journals", str(tmp_path / "games")
    )
    records = [journal.read(path) for path in sorted((tmp_path / "games").iterdir())]
    assert len(records) == 12
    ends = [journal.play(one, game).outcome() for one in records]
    counted = found["results"]
    assert isinstance(counted, list)
    for result in counted:
        winner = None if result["winner"] == "nobody" else game.sides.index(result["winner"])
        assert ends.count((winner, result["reason"])) == result["games"]
    assert records[0].headers["ussr"] == "greedy"


def test_a_recorded_game_is_the_one_that_was_played(game: Game) -> None:
    policy = load_player("greedy", game).policy
    for policies in ((None, None), (policy, None)):
        batch = next(play(game, 0, 6, 77, policies))
        for number in range(6):
            match = Match(game)
            for actor, action in record(game, number, 77, policies):
                match.push(action, side=actor if actor != CHANCE else None)
            assert match.state.tobytes() == batch.states[number].tobytes()
            assert batch.steps[number] == len(match.entries)


@pytest.mark.parametrize("game_id", BUILT_IN)
def test_the_random_numbers_a_player_takes_move_no_card_and_no_die(game_id: str) -> None:
    game = load_game(game_id)

    def still(_rules: object, view: State, side: int, _random: Random) -> int:
        return game.legal_actions(view, side)[-side]  # the first, or the last: equal bids would go on for ever

    def restless(rules: object, view: State, side: int, random: Random) -> int:
        below(random, 6)
        return still(rules, view, side, random)

    for number in range(5):
        assert list(record(game, number, 5, (restless, still))) == list(record(game, number, 5, (still, still)))


def test_games_can_be_cut_in_any_way(game: Game) -> None:
    whole = np.concatenate([batch.winners for batch in play(game, 0, 300, 5, chunk=300)])
    pieces = np.concatenate([batch.winners for batch in play(game, 0, 300, 5, chunk=7)])
    late = np.concatenate([batch.winners for batch in play(game, 200, 100, 5, chunk=33)])
    assert (whole == pieces).all()
    assert (whole[200:] == late).all()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--player", "us"], "--player takes NAME=VALUE, not 'us'"),
        (["--player", "france=random"], "has no side 'france'; its sides are us, ussr"),
        (["--player", "us=random", "--player", "us=greedy"], "--player names us twice"),
        (["--player", "us=deep"], "its players are: random, greedy, rules"),
        (["--option", "moscow_filter"], "--option takes NAME=VALUE"),
        (["--option", "moscow_filter=no"], "takes has_cubes or has_no_cubes, not 'no'"),
        (["--option", "a=1", "--option", "a=2"], "option a is given twice"),
        (["--cards", "/no/such.toml"], "/no/such.toml"),
        (["--save-journals", "/proc/games"], "/proc/games cannot be created"),
    ],
)
def test_wrong_arguments_are_named(arguments: list[str], said: str) -> None:
    with pytest.raises(BrinkError) as error:
        CliRunner().invoke(app, ["lab", "simulate", "13-days", "--games", "5", *arguments], catch_exceptions=False)
    assert said in str(error.value)


def test_the_interval_of_a_share_is_wilsons() -> None:
    for count, total in ((8, 10), (0, 7), (7, 7), (1, 1000), (333, 999)):
        theirs = binomtest(count, total).proportion_ci(0.95, "wilson")
        assert wilson(count, total) == pytest.approx((theirs.low, theirs.high), abs=1e-6)
    assert wilson(0, 0) == (0.0, 1.0)


@pytest.mark.parametrize(
    ("language", "side", "reason", "mark"),
    [
        ("en", "USSR", "nuclear war, triggered by both sides", "."),
        ("ru", "СССР", "ядерная война по вине обеих сторон", ","),
        ("de", "UdSSR", "Atomkrieg, von beiden Seiten ausgelöst", ","),
        ("pl", "ZSRR", "wojnę nuklearną wywołały obie strony", ","),
    ],
)
def test_the_result_is_told_in_every_language(language: str, side: str, reason: str, mark: str) -> None:
    said = (
        CliRunner()
        .invoke(app, ["lab", "simulate", "13-days", "--games", "60", "--seed", "3", "--lang", language])
        .output
    )
    assert re.search(rf"^{side} +\d+{re.escape(mark)}\d\d\s%", said, re.MULTILINE)
    assert re.search(rf"^  {reason} +\d+{re.escape(mark)}\d\d\s%", said, re.MULTILINE)


def test_an_interrupted_simulation_says_what_was_played_and_exits_with_130(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*arguments: Any, **options: Any) -> Iterator[Batch]:
        yield from islice(self_play.play(*arguments, **options), 1)
        raise KeyboardInterrupt

    monkeypatch.setattr(brinkmanship.cli.commands.lab.simulate, "play", interrupted)
    arguments = ["lab", "simulate", "13-days", "--games", "5000", "--seed", "1", "--json"]
    result = CliRunner().invoke(app, arguments)
    said = json.loads(result.stdout)
    assert (result.exit_code, said["complete"]) == (130, False)
    assert 0 < said["games"] < 5000
