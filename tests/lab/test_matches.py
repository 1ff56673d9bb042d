"""The instruments that measure computer players: matches that are kept, sequential tests, a ladder."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any, Self

import pytest

from brinkmanship.engine.chance import below
from brinkmanship.engine.observation import Observation
from brinkmanship.games.registry import load_game
from brinkmanship.lab.matches.ladder import ladder
from brinkmanship.lab.matches.match import MatchResult, Pairs, Tally, paired_match, play_pairs, result_of
from brinkmanship.lab.matches.match_file import SavedMatch, SavedMatchError, description
from brinkmanship.lab.matches.sprt import Sprt, score_of
from brinkmanship.players import load_player
from brinkmanship.players.player import Choice, Player
from support.cli_runner import run


def made_of(pentanomial: tuple[int, ...]) -> MatchResult:
    """A match with so many pairs of each outcome."""
    pairs = sum(pentanomial)
    mean = sum(n * outcome / 4 for outcome, n in enumerate(pentanomial)) / pairs
    spread = sum(n * (outcome / 4 - mean) ** 2 for outcome, n in enumerate(pentanomial)) / (pairs - 1)
    points = sum(n * outcome for outcome, n in enumerate(pentanomial))
    wins, draws = divmod(points, 2)
    total = Tally(wins, 2 * pairs - wins - draws, draws)
    return MatchResult(pairs, total, 1.96 * (spread / pairs) ** 0.5, {}, {}, pentanomial)


def test_a_match_played_in_pieces_is_the_same_match(tmp_path: Path) -> None:
    game = load_game("13-minutes")
    a, b = load_player("random", game), load_player("random", game)
    whole = paired_match(game, a, b, 30, seed=3)
    assert sum(whole.pentanomial) == 30
    assert whole.total.score == pytest.approx(sum(n * k / 4 for k, n in enumerate(whole.pentanomial)) / 30)
    file = tmp_path / "match.jsonl"
    match = description(game, "random", "random", 3)
    for first, count in ((0, 7), (7, 23)):
        saved = SavedMatch(file, match)
        assert saved.count == first
        for pairs in play_pairs(game, a, b, first, count, 3):
            saved.add(pairs)
    assert result_of(game, SavedMatch(file, match).pairs) == whole


def test_a_match_that_stopped_within_a_line_loses_only_that_line(tmp_path: Path) -> None:
    game = load_game("13-minutes")
    player = load_player("random", game)
    match = description(game, "random", "random", 3)
    file = tmp_path / "match.jsonl"
    saved = SavedMatch(file, match)
    for pairs in play_pairs(game, player, player, 0, 8, 3):
        saved.add(pairs)
    lines = file.read_text("utf-8").splitlines()
    file.write_text("\n".join(lines[:-1]) + "\n" + lines[-1][:9], "utf-8")
    again = SavedMatch(file, match)
    assert again.count == saved.count - len(saved.pairs[-1].scores)
    assert file.read_text("utf-8").splitlines() == lines[:-1]
    with pytest.raises(SavedMatchError, match="its seed is 3, not 4"):
        SavedMatch(file, description(game, "random", "random", 4))
    file.write_text("what is this?", "utf-8")
    with pytest.raises(SavedMatchError, match="is not a match file"):
        SavedMatch(file, match)


def test_the_sequential_test_accepts_what_the_pairs_say() -> None:
    test = Sprt(0, 15)
    assert test.bounds == pytest.approx((-2.944, 2.944), abs=1e-3)
    assert test.verdict((0, 0, 0, 0, 0)) == ""
    assert test.verdict((0, 0, 15, 0, 0)) == ""  # too few, whatever they say
    assert test.verdict((500, 900, 1200, 900, 500)) == "elo0"  # even
    assert test.verdict((400, 850, 1200, 950, 600)) == "elo1"  # 53.1 %, some 22 points
    assert test.verdict((0, 0, 0, 0, 40)) == "elo1"
    assert test.ratio((40, 90, 120, 100, 50)) == pytest.approx(
        -test._replace(elo0=15, elo1=0).ratio((40, 90, 120, 100, 50))
    )


def test_an_elo_point_is_what_it_is() -> None:
    assert (score_of(0), score_of(400)) == (0.5, pytest.approx(10 / 11))


def test_the_ladder_fits_all_matches_at_once() -> None:
    even = made_of((10, 20, 40, 20, 10))
    better = made_of((2, 10, 30, 38, 20))
    places = ladder(["a", "b", "c"], {("a", "b"): even, ("b", "c"): better, ("a", "c"): better}, "c")
    assert [place.name for place in places][2] == "c"
    assert places[2].elo == 0 == places[2].margin
    # Both met c with the same result, and each other evenly: both stand where their score against c puts them.
    expected = score_of(places[0].elo)
    assert places[0].elo == pytest.approx(places[1].elo, abs=1e-6)
    assert expected == pytest.approx(better.total.score, abs=0.01)
    assert 10 < places[0].margin < 60
    one_sided = ladder(["a", "b"], {("a", "b"): made_of((0, 0, 0, 0, 50))}, "b")
    assert 300 < one_sided[0].elo < 2_000
    with pytest.raises(ValueError, match="no match leads from c to a"):
        ladder(["a", "b", "c"], {("a", "b"): even}, "a")


def test_a_match_is_told_in_english() -> None:
    shown = run("--lang", "de", "lab", "match", "13-minutes", "--a", "random", "--b", "random", "--pairs", "4")
    assert shown.code == 0, shown.err
    title, head, headings, *rows = shown.out.splitlines()
    assert title.startswith("13 Minutes")
    assert re.fullmatch(r"random against random: [\d.]+% of the points \([\d.]+% – [\d.]+%\), 4 pairs, seed \d+", head)
    assert headings.split() == ["Score", "Won", "Lost", "Drawn"]
    assert rows[0].startswith("random as US ")
    assert re.fullmatch(r"random thinks [\d.]+ ms per decision", rows[-1])


def test_a_test_and_a_ladder_are_told_in_english() -> None:
    options = ("--a", "random", "--b", "random", "--most-pairs", "4", "--workers", "1")
    shown = run("lab", "sprt", "13-minutes", *options).out.splitlines()
    assert re.fullmatch(r"Log-likelihood ratio -?[\d.]+, decided below -2.94 or above 2.94", shown[-2])
    assert shown[-1] == "Not decided yet"
    players = ("--player", "random", "--player", "fast", "--pairs", "4", "--workers", "1")
    ladder = run("lab", "ladder", "13-minutes", *players).out.splitlines()
    assert ladder[0].startswith("13 Minutes")
    assert ladder[1].split()[:2] == ["Player", "Elo"]
    assert "%" in ladder[2]


def test_a_match_tells_programs_everything(tmp_path: Path) -> None:
    command = ("lab", "match", "13-minutes", "--a", "random", "--b", "random", "--seed", "9000000000", "--json")
    kept = ("--save", str(tmp_path / "kept.jsonl"))
    first = json.loads(run(*command, "--pairs", "5", *kept).out)
    told = json.loads(run(*command, "--pairs", "12", *kept).out)
    assert (first["pairs"], told["pairs"], told["seed"], told["complete"]) == (5, 12, 9_000_000_000, True)
    assert told["interval"][0] <= told["score"] <= told["interval"][1]
    assert set(told["by_side"]) == {"us", "ussr"}
    assert sum(each["wins"] + each["losses"] + each["draws"] for each in told["by_reason"].values()) == 24
    assert set(told["ms_per_decision"]) == {"random"}
    again = json.loads(run(*command, "--pairs", "12").out)
    assert {**again, "ms_per_decision": 0} == {**told, "ms_per_decision": 0}


def test_what_cannot_be_measured_is_refused() -> None:
    for command, said in (
        (("lab", "match", "13-days", "--a", "greedy", "--b", "deep", "--pairs", "1"), "its players are"),
        (("lab", "sprt", "13-days", "--a", "random", "--b", "random", "--elo0", "5", "--elo1", "5"), "must be less"),
        (("lab", "ladder", "13-days", "--player", "random", "--pairs", "1"), "at least two different players"),
        (("lab", "match", "chess", "--a", "random", "--b", "random", "--pairs", "1"), "no game 'chess'"),
    ):
        result = run(*command)
        assert result.code == 2, command
        assert said in result.err


class Counting(Player):
    """Counts the games it begins and plays at random; it is asked, so that its games are played move by move."""

    name = "counting"
    began = 0

    def fresh(self, seed: int) -> Self:
        Counting.began += 1
        return super().fresh(seed)

    def choose(self, seen: Observation) -> Choice:
        legal = self.game.legal_actions(seen.view(), seen.side)
        return Choice(legal[below(self.random, len(legal))])


@pytest.mark.parametrize("workers", [1, 2])
def test_a_match_that_ends_early_begins_few_games_in_advance(workers: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Counting, "began", 0)
    game = load_game("13-minutes")
    pairs = play_pairs(game, Counting(game), load_player("random", game), 0, 1000, seed=1, workers=workers)
    next(pairs)
    pairs.close()
    assert Counting.began <= 2 * (2 * workers + 1)


def test_an_interrupted_match_says_what_was_played_and_exits_with_130(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*arguments: Any) -> Iterator[Pairs]:
        yield from islice(play_pairs(*arguments), 1)
        raise KeyboardInterrupt

    monkeypatch.setattr("brinkmanship.cli.commands.lab.match.play_pairs", interrupted)
    shown = run("lab", "match", "13-minutes", "--a", "greedy", "--b", "random", "--pairs", "40", "--json")
    result = json.loads(shown.out)
    assert shown.code == 130
    assert not result["complete"]
    assert 0 < result["pairs"] < 40
