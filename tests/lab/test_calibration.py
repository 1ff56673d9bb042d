"""Calibration: a forecast that is right is found to be, one that is wrong is not, and its page."""

from __future__ import annotations

import json
import re
from pathlib import Path

import numpy as np
import pytest

from brinkmanship.engine.playout import play
from brinkmanship.games.registry import load_game
from brinkmanship.lab.calibration import forecasts as forecasting
from brinkmanship.lab.calibration.forecasts import Sample, forecast, forecasts, policy_of, together, usual_player
from brinkmanship.lab.calibration.page import about, page
from brinkmanship.lab.calibration.reliability import all_groups, groups, reliability
from brinkmanship.lab.calibration.sampling import draw, moment_of
from brinkmanship.lab.calibration.stated_odds import SPACING, Quoted, StatedOdds, bias, gap, said
from brinkmanship.players import load_player
from support.cli_runner import run
from support.positions import SEARCHED

SEED = 1_000_000_009
MANY = 4000


def sample(predicted: np.ndarray, chances: np.ndarray) -> Sample:
    """Forecasts of positions that are won with these chances."""
    random = np.random.default_rng(3)
    happened = (random.random(len(chances)) < chances).astype(np.float64)
    asked = np.arange(len(chances)) % 2
    return Sample(predicted, predicted, happened, asked, 1 + np.arange(len(chances)) % 3)


def test_a_right_forecast_errs_as_chance_has_it_and_a_wrong_one_by_what_is_wrong() -> None:
    chances = np.random.default_rng(4).uniform(0.1, 0.8, MANY)
    right = reliability(sample(chances, chances))
    assert right.verdict != "above"
    assert right.error < 2 * right.by_chance
    wrong = reliability(sample(chances + 0.1, chances))
    assert wrong.verdict == "above"
    assert wrong.low < wrong.error < wrong.high
    assert wrong.error == pytest.approx(0.1, abs=0.02)
    assert sum(each.n for each in wrong.tenths) == wrong.n == MANY
    assert all(each.low <= each.happened <= each.high for each in wrong.tenths)


def test_parts_are_all_positions_of_a_side_and_of_a_round() -> None:
    chances = np.random.default_rng(5).uniform(0.1, 0.8, 300)
    found = groups(sample(chances, chances))
    assert [part.n for part in found.sides.values()] == [150, 150]
    assert {span: part.n for span, part in found.spans.items()} == {1: 100, 2: 100, 3: 100}


def test_luck_in_what_sorts_is_no_fault_of_the_forecast() -> None:
    """All positions are even; eight playouts say anything. Sorted by themselves they would look overconfident."""
    random = np.random.default_rng(6)
    first, second = random.binomial(8, 0.5, (2, MANY)) / 8
    even = sample(second, np.full(MANY, 0.5))
    assert reliability(even._replace(sorted_by=first)).verdict != "above"
    assert reliability(even).error > 0.1


@pytest.mark.parametrize("game_id", SEARCHED)
def test_positions_are_drawn_from_the_games_that_are_played(game_id: str) -> None:
    game = load_game(game_id)
    policy = policy_of(game, usual_player(game))
    drawn = draw(game, policy, 0, 12, SEED)
    played = [batch.winners for batch in play(game, 0, 12, SEED, (policy, policy))]
    winners = np.concatenate(played)
    assert drawn.points.tolist() == [{0: 1.0, 1: 0.0}.get(winner, 0.5) for winner in winners.tolist()]
    moment = moment_of(game)
    for number in range(12):
        side = int(drawn.deciders[number])
        assert side == game.actor(game.rules, drawn.decisions[number])
        assert len(game.legal_actions(drawn.decisions[number], side)) > 1
        assert not drawn.has_moment[number] or moment(game.rules, drawn.moments[number]) >= 0
    assert drawn.has_moment.sum() > 6


@pytest.mark.parametrize("game_id", SEARCHED)
def test_forecasts_are_the_same_in_however_many_pieces_and_fill_the_page(
    game_id: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = load_game(game_id)
    policy = policy_of(game, usual_player(game))
    whole = forecast(game, policy, 0, 12, SEED, 4)
    monkeypatch.setattr(forecasting, "PIECE", 5)
    pieces = list(forecasts(game, policy, 12, SEED, 4, 2))
    assert [games for games, _ in pieces] == [5, 5, 2]
    found = together([each for _, each in pieces])
    assert found.keys() == whole.keys() == set(forecasting.WAYS)
    for way, each in found.items():
        for column, same in zip(each, whole[way], strict=True):
            assert column.tolist() == same.tolist()
        assert np.all((each.predicted >= 0) & (each.predicted <= 1))
    told = about(game, usual_player(game), 12, SEED, 4)
    html = page(game, told, all_groups(found))
    assert html.count('<svg class="plot"') == len(forecasting.WAYS)
    assert re.findall(r"(?:src|href)=", html) == []


def test_a_forecast_for_a_side_knows_what_that_side_knows(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same positions with the unseen dealt anew have the same forecasts."""
    game = load_game("13-days")
    policy = policy_of(game, "fast")
    real = draw(game, policy, 0, 6, SEED)
    other = real._replace(decisions=real.decisions.copy())
    for number, side in enumerate(real.deciders.tolist()):
        view = game.view_of(real.decisions[number], side)
        random = np.array([number + 1, 2, 3, 4], np.int64)
        game.redeal(game.rules, view, side, random, other.decisions[number])
    told = []
    for drawn in (real, other):
        monkeypatch.setattr(forecasting, "draw", lambda *_, drawn=drawn: drawn)
        told.append(forecast(game, policy, 0, 6, SEED, 4))
    assert told[0]["known"].predicted.tolist() == told[1]["known"].predicted.tolist()
    assert told[0]["open"].predicted.tolist() != told[1]["open"].predicted.tolist()


def test_the_command_writes_a_page_and_data_and_says_what_is_wrong(tmp_path: Path) -> None:
    file = tmp_path / "page.html"
    asked = ("lab", "calibrate", "13-minutes", "--positions", "8", "--playouts", "2", "--workers", "1")
    made = run(*asked, "-o", str(file))
    assert (made.code, made.err) == (0, "")
    assert "How reliable" in file.read_text("utf-8")
    assert str(file) in made.out
    told = json.loads(run(*asked, "--json").out)
    assert (told["player"], told["seed"], told["games"], told["complete"]) == ("fast", 9_000_000_000, 8, True)
    assert told["forecasts"]["known"]["all"]["n"] == 8
    assert json.loads(run(*asked[:-4], "--playouts", "0", "--json").out)["forecasts"].keys() == {"learned"}
    for wrong, reason in (
        (("13-minutes", "-o", "page.pdf"), "must end in .html"),
        (("13-minutes", "-o", str(tmp_path / "nowhere" / "p.html")), "there is no folder"),
        (("13-minutes", "--player", "search"), "not compiled"),
        (("13-minutes", "--seed", "7"), "1000000000"),
        (("13-minutes", "--player", "nobody"), "nobody"),
    ):
        refused = run("lab", "calibrate", *wrong)
        assert refused.code == 2, wrong
        assert reason in refused.err


def test_a_calibration_that_is_stopped_tells_what_it_has(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from brinkmanship.cli.commands.lab import calibrate

    def stopped(*asked: object) -> object:
        yield from [next(iter(forecasts(*asked)))]  # type: ignore[arg-type]
        raise KeyboardInterrupt

    monkeypatch.setattr(forecasting, "PIECE", 4)
    monkeypatch.setattr(calibrate, "forecasts", stopped)
    file = tmp_path / "page.html"
    made = run("lab", "calibrate", "13-minutes", "--positions", "8", "--playouts", "2", "-o", str(file))
    assert made.code == 130
    assert "Stopped early: results of 4 games." in made.err
    assert file.exists()


def test_what_a_player_says_of_its_choices_is_compared_with_the_results_of_its_games() -> None:
    game = load_game("13-minutes")
    player = load_player("search:6n", game, 1)
    found = list(said(game, player, 3, SEED, 2))
    assert found == list(said(game, player, 3, SEED, 1))
    for one in found:
        assert len(one.predicted) == len(one.happened) > 10
        assert all(0 <= value <= 1 for value in one.predicted)
        assert set(one.happened) <= {0.0, 0.5, 1.0}
        at = [index for index, _, _ in one.distances]
        assert 0 < len(at) <= len(one.predicted) // SPACING
        assert all((index + 1) % SPACING == 0 for index in at)
        assert all(abs(distance) <= 1 for _, *both in one.distances for distance in both)
        assert [each.at for each in one.quoted] == [*range(SPACING - 1, len(one.predicted), SPACING)]
        for kind in (one.of_hints(), one.of_analyses()):
            assert 0 < len(kind.predicted) == len(kind.happened) <= len(one.quoted)
            assert all(0 <= value <= 1 for value in kind.predicted)
    assert len({one.predicted for one in found}) == 3


def test_the_gap_is_that_of_all_decisions_and_its_error_that_of_games() -> None:
    fair = gap([StatedOdds((0.5, 0.5), (1.0, 1.0)), StatedOdds((0.5, 0.5), (0.0, 0.0))])
    assert fair is not None
    assert (fair.games, fair.decisions, fair.difference) == (2, 4, 0.0)
    assert fair.margin > 0.5
    sure = gap([StatedOdds((0.9,), (0.8,))] * 50)
    assert sure is not None
    assert sure.difference == pytest.approx(0.1)
    assert sure.margin == pytest.approx(0.0)
    assert gap([StatedOdds((), ())]) is None


def test_what_hints_and_analyses_say_is_compared_with_the_same_results() -> None:
    one = StatedOdds((0.5, 0.6, 0.7), (1.0, 0.0, 1.0), (), (Quoted(0, 0.8, 0.4), Quoted(2, None, 0.9)))
    assert one.of_hints() == StatedOdds((0.8,), (1.0,), own=(0.5,))
    assert one.of_analyses() == StatedOdds((0.4, 0.9), (1.0, 1.0), own=(0.5, 0.7))


def test_what_hints_and_analyses_say_is_compared_with_what_the_player_says() -> None:
    games = [StatedOdds((0.5, 0.6), (result, result), (), (Quoted(0, 0.8, 0.4),)) for result in (1.0, 0.0) * 9]
    found = gap([one.of_hints() for one in games])
    assert found is not None
    assert (found.excess, found.excess_margin) == (pytest.approx(0.3), pytest.approx(0.0))  # whatever the results
    assert found.margin > 0.1
    own = gap(games)
    assert own is not None
    assert own.excess is None


def test_the_bias_is_what_two_independent_comparisons_share() -> None:
    assert bias([StatedOdds((0.5,), (1.0,))]) is None
    wrong = bias([StatedOdds((0.7, 0.3), (0.5, 0.5), ((0, 0.2, 0.2), (1, -0.2, -0.2)))] * 9)
    assert wrong is not None
    assert (wrong.decisions, wrong.error) == (18, pytest.approx(0.2 / 2**0.5))
    assert wrong.shared == pytest.approx(wrong.square)  # the results are those that `rules` foretells
    assert wrong.square_margin == pytest.approx(0.0)
    only_chance = bias([StatedOdds((0.5,), (0.5,), ((0, 0.1, -0.1),))] * 9)
    assert only_chance is not None
    assert (only_chance.error, only_chance.shared) == (0.0, 0.0)


def test_the_command_compares_what_is_said() -> None:
    asked = ("lab", "calibrate", "13-minutes", "--said", "--positions", "2", "--player", "search:4n", "--workers", "1")
    text = run(*asked)
    assert (text.code, text.err) == (0, "")
    assert "2 games" in text.out
    assert "playouts of rules" in text.out
    assert "hints, " in text.out
    assert "analyses, " in text.out
    assert text.out.count(" beside search:4n") == 2
    silent = run("lab", "calibrate", "13-minutes", "--said", "--positions", "2", "--player", "random")
    assert (silent.code, "random does not say how good" in silent.err) == (2, True)
    data = json.loads(run(*asked, "--json").out)
    assert data["difference"] == pytest.approx(data["predicted"] - data["happened"])
    assert data["bias"]["error"] >= 0
    assert data["hints"]["decisions"] <= data["analyses"]["decisions"] < data["decisions"]
    assert -1 < data["analyses"]["excess"] < 1
    assert data["excess"] is None
