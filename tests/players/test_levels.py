"""Levels: six computer players of each game, from a beginner to the strongest; and which one suits after a game."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest

from brinkmanship import players
from brinkmanship.engine.chance import generator
from brinkmanship.engine.game import Game
from brinkmanship.engine.message import Message, Ref
from brinkmanship.engine.message_json import as_json, message_of
from brinkmanship.engine.observation import Observation
from brinkmanship.engine.playout import Policy
from brinkmanship.engine.score import ScorePart, ScoreTable
from brinkmanship.games.registry import BUILT_IN, load_game
from brinkmanship.lab.matches.ladder import LadderPlace
from brinkmanship.lab.matches.plot import ladder_svg
from brinkmanship.players import (
    UnknownPlayerError,
    level_that_suits,
    levels,
    levels_for,
    load_player,
    noisy_player,
    opponents_for,
    thinks_less,
    usual_opponent,
)
from brinkmanship.players.policy_player import Evaluation
from brinkmanship.text import LANGUAGES, Words, words_for
from brinkmanship.text.hints import why_text
from support.cli_runner import run
from support.computer_games import reached

FEW_DRAWS = 30
MAX_COMPARED = 3
"""Actions that a level chooses among: more might not all come up in these draws."""
SIX = ("level:1", "level:2", "level:3", "level:4", "level:5", "level:6")


@pytest.fixture(params=BUILT_IN)
def game(request: pytest.FixtureRequest) -> Game:
    return load_game(request.param)


def test_each_game_has_six_levels_that_are_players_and_have_a_name_and_a_line_in_each_language(game: Game) -> None:
    assert levels_for(game) == SIX
    assert opponents_for(game)[:6] == SIX
    assert usual_opponent(game) == "level:2"
    for language in LANGUAGES:
        words = Words(language, ("players",))
        for level in SIX:
            assert words.sentence(Message(f"player.{level}"))
            assert words.sentence(Message(f"{level}.{game.id}")).endswith(".")


@pytest.mark.parametrize(
    "name",
    [
        *("level:0", "level:7", "level", "level:", "greedy~", "greedy~-1", "greedy~1e9", "hal~1"),
        *("greedy~1+", "greedy~1+shy", "greedy~+bold", "greedy+bold"),
    ],
)
def test_what_is_no_level_and_no_grain_is_refused_with_what_there_is(name: str) -> None:
    with pytest.raises(UnknownPlayerError, match="random, greedy, rules, search, level:1 to level:6"):
        load_player(name, load_game("13-days"))


def test_coarse_eyes_take_nothing_that_looks_worse_by_more_than_their_grain_or_is_more_dangerous() -> None:
    game = load_game("13-days")
    judge, coarse = load_player("greedy", game, 1), load_player("greedy~0.5", game, 1)
    others = 0
    for view, side, choice in reached(game, judge, 4, 2):
        taken = coarse.choose(Observation.at(game, view, side))
        found = next(one for one in choice.candidates if one.action == taken.action)
        assert found.danger == choice.candidates[0].danger
        assert found.value >= choice.candidates[0].value - 0.5
        others += taken.action != choice.action
        assert (taken.reason == Message("why.level")) == (taken.action != choice.action)
    assert others >= 5


@pytest.mark.parametrize(
    ("game_id", "noisy"),
    [
        ("13-days", "rules~0.6"),
        ("13-minutes", "rules~0.28"),
        ("13-minutes", "greedy~0.8"),
        ("ukrainian-crisis", "rules~3.3"),
    ],
)
def test_a_level_says_what_speaks_for_a_choice_that_its_judge_does_not_prefer(game_id: str, noisy: str) -> None:
    game = load_game(game_id)
    judge, level = load_player(noisy.split("~")[0], game, 1), load_player(noisy, game, 1)
    others, facts = 0, 0
    for view, side, choice in reached(game, judge, 2, 2):
        taken = level.choose(Observation.at(game, view, side))
        if taken.action == choice.action:
            continue
        others += 1
        assert taken.reason is not None
        if taken.reason.key in ("why.level.fact", "why.level.against"):
            facts += 1
            (fact,) = taken.reason.args.values()
            assert isinstance(fact, Message)
            for language in LANGUAGES:
                words = words_for(game, language)
                assert why_text(taken.reason, words).startswith(why_text(fact, words))
    assert others >= 10
    assert facts == others


@pytest.mark.parametrize(
    ("game_id", "noisy"), [("13-days", "rules~0.6"), ("13-minutes", "rules~0.28"), ("ukrainian-crisis", "rules~3.3")]
)
def test_a_manner_prefers_the_bolder_or_the_more_cautious_of_what_looks_alike(game_id: str, noisy: str) -> None:
    game = load_game(game_id)
    judge = load_player("rules", game, 1)
    bold, cautious = (load_player(f"{noisy}+{manner}", game, 1) for manner in (levels.BOLD, levels.CAUTIOUS))
    boldness = players._levels(game).boldness
    assert boldness is not None
    bolder = 0
    for view, side, choice in reached(game, judge, 4, 2):
        seen = Observation.at(game, view, side)
        taken = [player.choose(seen) for player in (bold, cautious)]
        for one in taken:
            found = next(candidate for candidate in choice.candidates if candidate.action == one.action)
            assert found.danger == choice.candidates[0].danger
        boldest, most_cautious = (boldness(game.rules, game.after(view, one.action, side), side) for one in taken)
        assert boldest >= most_cautious
        bolder += boldest > most_cautious
    assert bolder >= 10


@pytest.mark.parametrize(
    ("game_id", "level"),
    [
        ("13-days", "rules~0.6+cautious"),
        ("13-minutes", "greedy~0.8"),
        ("13-minutes", "rules~0.16+bold"),
        ("ukrainian-crisis", "rules~2+bold"),
    ],
)
def test_the_model_of_a_noisy_level_chooses_among_the_same_actions(game_id: str, level: str) -> None:
    game = load_game(game_id)
    player = load_player(level, game, 1)
    model = player.compiled_model()
    assert model is not None
    several = 0
    for view, side, _ in reached(game, load_player("rules", game, 1), 4, 2):
        seen = Observation.at(game, view, side)
        taken = {player.fresh(seed).choose(seen).action for seed in range(FEW_DRAWS)}
        if len(taken) > MAX_COMPARED:
            continue
        before = view.copy()
        assert taken == {int(model(game.rules, view, side, generator(seed))) for seed in range(FEW_DRAWS)}
        assert view == before
        several += len(taken) > 1
    assert several >= 5


def test_a_level_that_checks_for_wars_has_the_model_of_the_player_it_checks(monkeypatch: pytest.MonkeyPatch) -> None:
    def named(game: Game, evaluation: Evaluation, noise: float, _: levels.Levels, manner: str) -> Policy:  # noqa: ARG001
        return lambda *_: round(100 * noise)

    monkeypatch.setattr(noisy_player, "noisy_policy", named)
    level = load_player("level:4", load_game("13-days"), 1)
    assert level.policy is None
    model = level.compiled_model()
    assert model is not None
    assert model(None, None, 0, generator(1)) == 13


@pytest.mark.parametrize("name", ["search~0.03:6n", "level:6"])
def test_a_search_has_no_compiled_model(name: str) -> None:
    assert load_player(name, load_game("13-days"), 1).compiled_model() is None


def test_a_game_without_a_measure_of_boldness_has_no_manners() -> None:
    game = load_game("13-days")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(players, "_levels", lambda _: levels.Levels(()))
        with pytest.raises(UnknownPlayerError):
            load_player("greedy~1+bold", game)


def test_a_level_does_not_say_of_a_tenth_card_that_nothing_wins_more_where_something_does() -> None:
    game = load_game("13-minutes")
    judge = load_player("rules", game, 1)
    found = 0
    for view, side, choice in reached(game, judge, 30, 4):
        if game.rules.limits.last_turn - view.turn != 1 or len(choice.candidates) < 2:
            continue
        seen = Observation.at(game, view, side)
        judge.choose(seen)
        best = max(one.value for one in choice.candidates)
        for one in choice.candidates:
            reason = judge.why(seen, choice._replace(action=one.action))
            assert reason is not None
            if 0.05 < one.value < best - 0.05:
                found += 1
                assert reason.key == "why.13-minutes.end.behind"
    assert found > 0


def test_a_level_with_a_seed_chooses_the_same_again() -> None:
    game = load_game("13-minutes")
    positions = [(view, side) for view, side, _ in reached(game, load_player("greedy", game, 1), 2, 2)]
    courses = [
        [player.choose(Observation.at(game, view, side)).action for view, side in positions]
        for player in (load_player("level:1", game, 5), load_player("level:1", game, 9).fresh(5))
    ]
    assert courses[0] == courses[1]


@pytest.mark.parametrize(
    ("level", "result", "points", "suits"),
    [
        ("level:2", "us by prestige", (3, 1), "level:3"),
        ("level:6", "us by prestige", (3, 1), "level:6"),
        ("level:2", "ussr by prestige", (0, 1), "level:2"),
        ("level:2", "ussr by prestige", (0, 4), "level:1"),
        ("level:2", "ussr by nuclear_war", (2, 0), "level:1"),
        ("level:3", "ussr by resignation", (0, 0), "level:2"),
        ("level:1", "ussr by nuclear_war", (0, 0), "level:1"),
        ("level:4", "nobody by agreement", (0, 0), "level:4"),
    ],
)
def test_the_level_that_suits_is_higher_after_a_victory_and_lower_after_a_bad_defeat(
    level: str, result: str, points: tuple[int, int], suits: str
) -> None:
    score = [ScoreTable(Message("score.title"), (ScorePart(Message("score.start"), points),))]
    assert level_that_suits(load_game("13-days"), level, 0, result, score) == suits


def test_a_message_is_the_same_after_it_was_kept() -> None:
    parts = (Ref("area", "military"), Message("c"))
    said = Message("a", {"n": 2, "x": "y", "zone": Ref("zone", "kyiv"), "m": Message("b"), "parts": parts})
    assert message_of(as_json(said)) == said


def test_the_ladder_is_drawn_with_each_player_once_and_between_its_marks() -> None:
    drawn = ladder_svg(
        "13 Days", [LadderPlace("rules", 120.0, 15.0), LadderPlace("greedy", 0.0, 0.0), LadderPlace("a<b", -90.0, 20.0)]
    )
    root = ElementTree.fromstring(drawn)
    assert len([one for one in root if one.tag.endswith("circle")]) == 3
    texts = [one.text for one in root if one.tag.endswith("text")]
    assert {"13 Days", "rules", "greedy", "a<b", "-150", "150"} <= set(texts)


@pytest.mark.parametrize("language", LANGUAGES)
def test_who_plays_a_level_that_thinks_less_than_usual_is_told(language: str, monkeypatch: pytest.MonkeyPatch) -> None:
    text = Words(language, ("terminal",)).text(Message("play.thinks_less"))

    def told(level: str) -> int:
        asked = ["play", "13-days", "--against", level, "--seed", "3", "--lang", language, "--plain"]
        answers = iter(["1", "1", "quit", "no"])
        shown = run(*asked, answer=lambda _: next(answers))
        return " ".join(shown.out.split()).count(text)

    assert told("level:6") == 0
    monkeypatch.setattr(levels, "is_interpreting", lambda: True)
    assert [told(level) for level in ("level:6", "level:1")] == [1, 0]


def test_a_search_by_the_clock_thinks_less_where_nothing_is_compiled(
    game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = ("search", "search:0.3s", "search~0.1", "search:400n", "rules", "random")
    assert not any(thinks_less(name, game) for name in names)
    monkeypatch.setattr(players, "is_interpreting", lambda: True)
    assert [thinks_less(name, game) for name in names] == [True] * 3 + [False] * 3
