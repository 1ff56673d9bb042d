"""Analysis: parts that add up exactly, judged by what one could know, blunders found and named."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from html import unescape
from itertools import islice
from pathlib import Path

import msgspec
import numpy as np
import pytest

from brinkmanship.analysis import page as pages
from brinkmanship.analysis import summary
from brinkmanship.analysis.decisions import judged
from brinkmanship.analysis.pipeline import STANDARD_PLAYOUTS, analyse
from brinkmanship.analysis.report import (
    FORMAT,
    MIN_PLAYOUTS,
    Analysis,
    AnalysisError,
    Bars,
    Judgement,
    ReportStep,
    mark_of,
)
from brinkmanship.analysis.value import StateEvaluator, reference_player
from brinkmanship.drawing.style import stylesheet
from brinkmanship.engine import journal
from brinkmanship.engine.chance import generator
from brinkmanship.engine.game import CHANCE, FULL_INFORMATION, Game
from brinkmanship.engine.match import Match, dealer
from brinkmanship.engine.message import Message
from brinkmanship.engine.observation import Observation
from brinkmanship.engine.perspective import Perspective
from brinkmanship.engine.playout import luck, play_on
from brinkmanship.games.registry import load_game
from brinkmanship.players import load_player
from brinkmanship.text import LANGUAGES, Words, words_for
from support.cli_runner import run
from support.policy_games import played
from support.positions import SEARCHED, ending_in, spread
from support.thirteen_days.danger import needless_risks

FEW = 8
PLANTED = 50
"""Blunders of each kind in the long test."""
MANY_GAMES = int(os.environ.get("BRINK_TEST_ANALYSED", "1000"))
"""Games of each ruleset in the long test of the identity."""


def finished(game: Game, number: int, is_random: bool) -> Match:
    """Game `number` of a seed, between players at random, or between `greedy` and the reference player."""
    greedy, likely = (load_player("greedy", game, 1).policy, reference_player(game, 1).method.policy)
    return played(game, number, (None, None) if is_random else (greedy, likely))


def against_reference(game: Game, number: int) -> Match:
    """A player at random or `greedy` against the reference player, in turns, each in both seats."""
    other = None if number % 2 == 0 else load_player("greedy", game, 1).policy
    likely = reference_player(game, 1).method.policy
    return played(game, number // 4, (other, likely) if number // 2 % 2 == 0 else (likely, other))


def check_identity(match: Match, found: Analysis) -> None:
    at = found.initial
    for step in found.steps:
        assert step.before == at
        assert step.after - step.before == pytest.approx(step.luck + step.guess + sum(step.play), abs=1e-9)
        at = step.after
    assert at == found.final
    for side in (0, 1):
        bars = found.bars(side)
        assert bars.luck + bars.guess + bars.play == pytest.approx(bars.total, abs=1e-9)
        adjusted = found.luck_adjusted(side)
        assert adjusted == pytest.approx((found.initial if side == 0 else 1 - found.initial) + bars.play, abs=1e-9)
    assert [step.first for step in found.steps[1:]] == [step.last for step in found.steps[:-1]]
    assert found.steps[-1].last == len(match.entries)


@pytest.mark.parametrize("game_id", SEARCHED)
def test_the_parts_of_a_result_add_up_to_it(game_id: str) -> None:
    game = load_game(game_id)
    for is_random in (True, False):
        match = finished(game, 3, is_random)
        before = [match.bytes_after(count) for count in range(len(match.entries) + 1)]
        found = analyse(match, 1, FEW)
        check_identity(match, found)
        assert [match.bytes_after(count) for count in range(len(match.entries) + 1)] == before
        assert all((one.mark is None) == (mark_of(one.loss, one.error) is None) for one in found.judgements)
        bias = reference_player(game, 1).method.bias
        assert bias > 0.0
        assert all(one.error == 0.0 or one.error >= bias for each in found.judgements for one in each.options)
        assert Analysis.from_json(found.to_json()) == found


def test_an_analysis_is_the_same_for_a_seed_and_tells_how_far_it_is() -> None:
    match = finished(load_game("13-minutes"), 1, is_random=False)
    told: list[tuple[int, int]] = []
    curves: list[int] = []
    found = analyse(match, 4, FEW, progress=lambda *said: told.append(said), curve=lambda it: curves.append(len(it)))
    assert analyse(match, 4, FEW) == found
    assert analyse(match, 5, FEW) != found
    assert [done for done, _ in told] == list(range(1, told[-1][1] + 1))
    assert curves == [len(found.steps) + 1]


def test_an_analysis_can_be_stopped() -> None:
    def stop(done: int, total: int) -> None:
        if done > total // 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        analyse(finished(load_game("13-minutes"), 1, is_random=False), 4, FEW, progress=stop)


def test_what_cannot_be_analysed_is_refused() -> None:
    game = load_game("13-minutes")
    match = Match(game)
    match.advance(dealer(1))
    with pytest.raises(AnalysisError, match="not finished"):
        analyse(match, 1, FEW)
    with pytest.raises(AnalysisError, match="not finished"):
        analyse(match, 1, FEW, result="unfinished")
    with pytest.raises(AnalysisError, match="playouts"):
        analyse(finished(game, 1, is_random=True), 1, 1)
    with pytest.raises(AnalysisError, match="not an analysis"):
        Analysis.from_json(b"{}")


def test_a_game_that_was_given_up_lost_what_it_was_worth() -> None:
    game = load_game("13-minutes")
    match = finished(game, 1, is_random=False)
    while len(match.entries) > 20 or len(match.pending) != 1:
        match.pop()
    found = analyse(match, 1, FEW, result="ussr by resignation")
    last = found.steps[-1]
    assert (last.kind, last.side, found.final) == ("given_up", 0, 0.0)
    assert last.play[0] == -last.before


def test_luck_is_nothing_on_average_over_all_that_could_have_come() -> None:
    game = load_game("13-minutes")
    match = finished(game, 2, is_random=False)
    drawn = [
        number
        for number, entry in enumerate(match.entries)
        if entry.actor == CHANCE and len(game.distribution(match.state_after(number))) > 1
    ]
    before = match.state_after(drawn[-1])
    outcomes = game.distribution(before)
    after = [game.copy(before) for _ in outcomes]
    for state, outcome in zip(after, outcomes, strict=True):
        game.apply(game.rules, state, outcome)
    worth = StateEvaluator(game, reference_player(game, 1).method, 1)
    points = worth.points([before, *after], 0, 600)
    weights = np.array(list(outcomes.values())) / sum(outcomes.values())
    luck_of_each = points[:, 1:].mean(axis=0) - points[:, 0].mean()
    error = (points[:, 1:] @ weights - points[:, 0]).std() / 600**0.5
    assert len(outcomes) > 1
    assert abs(float(luck_of_each @ weights)) <= 3 * error + 1e-12


def without_past(found: Judgement) -> Judgement:
    return msgspec.structs.replace(found, first=0)


@pytest.mark.parametrize("game_id", SEARCHED)
def test_a_judgement_knows_what_its_side_knew_and_no_more(game_id: str) -> None:
    game = load_game(game_id)
    player = reference_player(game, 1)
    peeked = 0
    for number, seen in enumerate(spread(game, 3, 24)):
        taken = game.legal_actions(seen.view(), seen.side)[-1]
        found = without_past(judged(player, seen, taken, FEW, 1)[0])
        worlds = game.new_states(2)
        for world in (0, 1):
            game.redeal(game.rules, seen.view(), seen.side, generator(8, 2 * number + world), worlds[world])
            known = ending_in(seen, game.view_of(worlds[world], seen.side))
            assert without_past(judged(player, known, taken, FEW, 1)[0]) == found
        # One who looks at the cards of both would judge otherwise: the test would see it.
        peeking = [judged(player, ending_in(seen, world), taken, FEW, 1)[0].options for world in worlds]
        peeked += peeking[0] != peeking[1]
    assert peeked or game.id == "ukrainian-crisis"  # where next to nothing is hidden


def made_wars(game: Game, games: int) -> Iterator[tuple[Observation, int]]:
    """Decisions of 13 Days with an action that needlessly leads into a war which is lost, in a game not yet lost."""
    player = reference_player(game, 1)
    policy = player.method.policy
    for number in range(games):
        match = finished(game, number, is_random=False)
        for count, entry in enumerate(match.entries):
            state = match.state_after(count)
            if entry.actor == CHANCE or len(game.to_move(state)) > 1 or state.turn < 6:
                continue
            view = game.view_of(state, entry.actor)
            for action in game.legal_actions(view, entry.actor):
                if not needless_risks(game, view, entry.actor, action):
                    continue
                worlds = game.new_states(40)
                for world in range(40):
                    player.redeal(game.rules, view, entry.actor, generator(count, world), worlds[world])
                otherwise = play_on(game, worlds.copy(), luck(9, 0, 40), (policy, policy))
                if np.mean(otherwise.winners == entry.actor) < 0.2:
                    continue
                for world in range(40):
                    game.apply(game.rules, worlds[world], action)
                ended = play_on(game, worlds, luck(9, 0, 40), (policy, policy))
                wars = [game.reasons[reason].endswith("nuclear_war") for reason in ended.reasons]
                if np.mean(np.array(wars) & (ended.winners != entry.actor)) > 0.8:
                    yield Observation.at(game, view, entry.actor), action
                    break


def test_a_war_that_one_walked_into_is_found_and_named() -> None:
    game = load_game("13-days")
    player = reference_player(game, 1)
    count = 0
    for seen, action in made_wars(game, 4):
        found = judged(player, seen, action, 400, 1)[0]
        assert (found.mark, found.why) == ("blunder", "war"), found
        count += 1
    assert count >= 3


def test_the_headline_tells_own_decisions_from_those_of_the_opponent() -> None:
    step = ReportStep(0, 1, "decision", 1, before=0.9, after=0.0, play=(0.1, -1.0))
    found = Analysis(
        FORMAT, "13-minutes", 1, ("us", "ussr"), 1, 8, 2, 8, "ussr by prestige", 0.0, 0.9, steps=(step,), judgements=()
    )
    said = pages.headline(found, 0)
    assert said.key == "headline.lost.against"
    assert said.args["parts"] == (Message("part.other", {"x": 100}),)
    assert said.args["against"] == (Message("part.own", {"x": 10}),)


def endgames(game: Game, games: int) -> Iterator[tuple[Observation, list[tuple[int, float]]]]:
    """Decisions in the last turn of 13 Minutes, with what each answer exactly wins."""
    exact = load_player("rules", game, 1)
    for number in range(games):
        match = finished(game, number, is_random=True)
        for count, entry in enumerate(match.entries):
            state = match.state_after(count)
            if entry.actor == CHANCE or state.turn < 9 or len(game.legal_actions(state, entry.actor)) == 1:
                continue
            seen = Observation.at(game, game.view_of(state, entry.actor), entry.actor)
            choice = exact.choose(seen)
            yield seen, [(choice.action, 1.0), *((one.action, one.value) for one in choice.candidates)]


@pytest.mark.long
def test_planted_blunders_are_found_and_named_in_fifty_positions_each() -> None:
    """Walked into a war in 13 Days, threw a won endgame of 13 Minutes away. With the playouts of an
    analysis as anybody has it made: with a 20th of them one of the fifty wars was missed."""
    days, minutes = load_game("13-days"), load_game("13-minutes")
    wars = [
        judged(reference_player(days, 1), seen, action, STANDARD_PLAYOUTS, 1)[0]
        for seen, action in islice(made_wars(days, 1000), PLANTED)
    ]
    won = [
        judged(reference_player(minutes, 1), seen, worst, STANDARD_PLAYOUTS, 1)[0]
        for seen, worst in islice(thrown_away(minutes, 1000), PLANTED)
    ]
    for name, found, why in (("war", wars, {"war"}), ("won", won, {"war", "won"})):
        named = sum(one.mark == "blunder" and one.why in why for one in found)
        print(f"{name}: {sum(one.mark == 'blunder' for one in found)} of {len(found)} found, {named} named")
        assert named == len(found) == PLANTED


def thrown_away(game: Game, games: int) -> Iterator[tuple[Observation, int]]:
    """Decisions in the last turn of 13 Minutes with an answer that loses what another one surely wins."""
    for seen, answers in endgames(game, games):
        known = answers[1:]
        worst = min(known, key=lambda one: one[1], default=(0, 1.0))
        if worst[1] < 0.05 and max(value for _, value in known) > 0.99:
            yield seen, worst[0]


def test_a_perfect_endgame_gets_no_mark_and_a_won_one_thrown_away_does() -> None:
    game = load_game("13-minutes")
    player = reference_player(game, 1)
    perfect = thrown = 0
    for seen, answers in endgames(game, 12):
        assert judged(player, seen, answers[0][0], 60, 1)[0].mark is None
        perfect += 1
    for seen, worst in thrown_away(game, 12):
        found = judged(player, seen, worst, 400, 1)[0]
        assert (found.mark, found.why is not None) == ("blunder", True), found
        thrown += 1
    assert perfect > 10
    assert thrown > 2


def test_the_command_writes_a_page_in_every_language_and_data_for_programs(tmp_path: Path) -> None:
    file, page, data = (tmp_path / name for name in ("game.brink", "game.html", "game.json"))
    match = finished(load_game("13-minutes"), 1, is_random=True)
    journal.of_match(match).write(file)
    asked = ("analyse", str(file), "--budget", f"{FEW}n")
    result = run(*asked, "-o", str(data))
    assert (result.code, result.out, result.err) == (0, "", "")
    found = Analysis.from_json(data.read_bytes())
    assert found == analyse(match, 0, FEW)
    for language in LANGUAGES:
        words = words_for(match.game, language)
        html = pages.page(found, Perspective(match, FULL_INFORMATION), 0, words)
        assert f'lang="{language}"' in html
        assert " ." not in unescape(re.sub(r"<(style|script|svg)\b.*?</\1>", "", html, flags=re.DOTALL))
        assert html.count('scope="row"') == sum(len(one.options) for one in found.costliest(0))
        point = "." if language == "en" else ","
        assert found.error_rate(0) is not None
        assert f" {(found.error_rate(0) or 0.0) / 10:.1f} ".replace(".", point) in html
        assert "http://www.w3.org" in html
        assert re.findall(r"(?:src|href)=[\"'](?!#)", html) == []
        ids = re.findall(r' id="?([^ >"]+)', re.sub(r"<template.*?</template>", "", html))
        assert len(ids) == len(set(ids))
    result = run(*asked, "-o", str(page), "--lang", "ru", "--side", "us")
    assert (result.code, result.err) == (0, "")
    assert result.out.strip() in unescape(page.read_text("utf-8"))


def test_the_land_of_the_map_has_colours_where_no_class_above_it_reaches() -> None:
    """Boards of the page use one outline, and what is used does not see the classes round the place of use."""
    for name in ("land", "lines"):
        rule = re.search(rf"^\.brink \.{name}({{.*?}})$", stylesheet(), re.MULTILINE)
        assert rule
        assert f"\n.{name}{rule[1]}\n" in pages.STYLE


def test_an_analysis_that_cannot_be_made_is_refused(tmp_path: Path) -> None:
    file, going, unknown = (tmp_path / name for name in ("game.brink", "going.brink", "unknown.brink"))
    match = finished(load_game("13-minutes"), 1, is_random=True)
    journal.of_match(match).write(file)
    unknown.write_text(file.read_text("utf-8").replace("13-minutes", "13-hours"), "utf-8")
    while len(match.entries) > 20 or match.is_over:
        match.pop()
    journal.of_match(match).write(going)
    for arguments, complaint in (
        ((str(going),), "not finished"),
        ((str(unknown),), "13-hours"),
        ((str(tmp_path / "none.brink"),), "none.brink"),
        ((str(file), "--budget", "60s"), "7000n"),
        ((str(file), "--budget", "soon"), "soon"),
        ((str(file), "--budget", "1n"), "playouts"),
        ((str(file), "--side", "un"), "un"),
        ((str(file), "-o", "page.pdf"), ".html"),
        ((str(file), "--lang", "xx"), "xx"),
    ):
        result = run("analyse", *arguments)
        assert (result.code, result.out) == (2, "")
        assert complaint in result.err


@pytest.mark.long
@pytest.mark.parametrize("game_id", SEARCHED)
def test_the_identity_holds_and_luck_and_guess_are_nothing_on_average(game_id: str) -> None:
    """Against the reference player, who does in secret what it is taken to do; the figures are printed for
    docs/lab. With the fewest playouts: they change how far figures scatter, not what is tested."""
    game = load_game(game_id)
    table = np.array([bars_of(against_reference(game, number), number) for number in range(MANY_GAMES)])
    for name, rows in (("random", table[::2]), ("greedy", table[1::2]), ("all", table)):
        print(game_id, name, len(rows), rows.mean(axis=0), rows.std(axis=0, ddof=1) / len(rows) ** 0.5)
    for rows in (table[:, 0], table[:, 1]):
        assert abs(rows.mean()) < 3 * rows.std(ddof=1) / len(rows) ** 0.5


@pytest.mark.long
@pytest.mark.parametrize("game_id", SEARCHED)
def test_the_identity_holds_whoever_plays(game_id: str) -> None:
    """Half of the games at random, half by computer players, as many as BRINK_TEST_ANALYSED says."""
    game = load_game(game_id)
    for number in range(MANY_GAMES):
        bars_of(finished(game, number // 2, is_random=number % 2 == 0), number)


def bars_of(match: Match, seed: int) -> tuple[float, float, float]:
    """Luck, guess and play of side 0 by the fewest playouts; with what it began with they are the result."""
    found = analyse(match, seed, MIN_PLAYOUTS)
    check_identity(match, found)
    bars = found.bars()
    assert abs(found.final - found.initial - bars.luck - bars.guess - bars.play) < 1e-9
    return bars.luck, bars.guess, bars.play


def test_whole_points_add_up_as_the_bars_do() -> None:
    dice = np.random.default_rng(1)
    for lucky, guess, own, other in dice.uniform(-1.0, 1.0, (500, 4)).tolist():
        total = lucky + guess + own + other
        points = Bars(total, lucky, 0.0, guess, 0.0, own, other, 0.0).in_points()
        assert points.luck + points.guess + points.play == points.total == round(100 * total)
        assert points.own_play + points.other_play == points.play
        parts = ((points.luck, lucky), (points.guess, guess), (points.own_play, own), (points.other_play, other))
        assert all(abs(whole - 100 * part) < 1.0 for whole, part in parts)


def test_many_games_together_are_the_sums_of_each() -> None:
    game = load_game("13-days")
    found = [analyse(finished(game, number, is_random=False), 1, FEW) for number in (1, 2)]
    whole = summary.summary([(found[0], 0), (found[1], 1)])
    bars = [found[0].bars(0), found[1].bars(1)]
    assert whole.games == 2
    assert whole.luck == pytest.approx(sum(one.luck for one in bars))
    assert whole.luck_spread == pytest.approx(sum(one.luck**2 for one in bars) ** 0.5)
    counted = [*found[0].of(0), *found[1].of(1)]
    assert sum(one.decisions for one in whole.kinds) == len(counted)
    assert sum(one.loss for one in whole.kinds) == pytest.approx(sum(one.loss for one in counted if one.mark))
    for language in LANGUAGES:
        words = Words(language, (pages.DOMAIN,))
        assert len(summary.sentences(whole, words)) == 4
        assert len(summary.rows(whole, words)) == len(whole.kinds)


def test_one_game_together_has_the_points_of_its_own_page() -> None:
    luck, guess, own, other = -0.33, -0.06, -0.2, 0.055
    bars = Bars(luck + guess + own + other, luck, 0.03, guess, 0.05, own, other, 0.05)
    one = summary.Summary(1, 0.0, luck, 0.03, 0.3, guess, 0.05, own, other, 0.05, ())
    points, words = bars.in_points(), Words("en", (pages.DOMAIN,))
    assert points.other_play == 5
    assert round(100 * other) == 6
    said = summary.sentences(one, words)
    assert words.signed(points.luck) in said[1]
    assert words.signed(points.guess) in said[2]
    assert f"{words.signed(points.own_play)}, " in said[3]
    assert f"{words.signed(points.other_play)}, " in said[3]


@pytest.mark.parametrize("game_id", SEARCHED)
def test_every_question_is_a_kind_of_decision(game_id: str) -> None:
    game = load_game(game_id)
    match = finished(game, 2, is_random=True)
    for count, entry in enumerate(match.entries):
        if entry.actor != CHANCE and not entry.together:
            view = game.view_of(match.state_after(count), entry.actor)
            assert game.narrator.prompt(view, entry.actor).key in summary.KIND_OF


def test_the_command_puts_games_together(tmp_path: Path) -> None:
    file, data = tmp_path / "game.brink", tmp_path / "game.json"
    journal.of_match(finished(load_game("13-minutes"), 1, is_random=True)).write(file)
    assert run("analyse", str(file), "--budget", f"{FEW}n", "-o", str(data)).code == 0
    result = run("analyse", str(file), str(data), "--side", "us", "--budget", f"{FEW}n", "--json")
    both = [Analysis.from_json(data.read_bytes())] * 2
    assert msgspec.json.decode(result.out, type=summary.Summary) == summary.summary([(one, 0) for one in both])
    assert "2 analysed games" in run("analyse", str(data), str(data), "--side", "us").out
    for arguments in ((str(data), str(data)), (str(data), str(tmp_path / "no.json"), "--side", "us")):
        assert run("analyse", *arguments).code == 2
