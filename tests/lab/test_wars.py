"""`brink lab wars`: wars that could have been avoided are counted, and where they could have been is told; wary players
avoid them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from brinkmanship.engine.game import Game
from brinkmanship.engine.observation import Observation
from brinkmanship.games.registry import load_game
from brinkmanship.lab.balance import wars
from brinkmanship.lab.balance.counterfactual import PlayedGame, Trial, named
from brinkmanship.lab.diagnostics.audit import choices, courses
from brinkmanship.players import levels_for, load_player
from brinkmanship.players.blunder_check import BlunderCheckPlayer
from brinkmanship.players.search import SearchPlayer, no_cut
from brinkmanship.text import LANGUAGES
from support.cli_runner import run

ASKED = ("lab", "wars", "13-minutes", "--player", "greedy", "--workers", "1")


def counted(*options: str) -> dict[str, Any]:
    shown = run(*ASKED, *options, "--json")
    assert (shown.code, shown.err) == (0, "")
    told: dict[str, Any] = json.loads(shown.out)
    return told


def reached(told: dict[str, Any]) -> Iterator[tuple[dict[str, Any], PlayedGame]]:
    """The decisions that were told of the first player, and the table at each."""
    game = load_game(told["game"])
    [found] = told["players"]
    trial = Trial(game, named(found["player"], game, told["seed"]), told["seed"], 0, found["games"])
    for one in found["found"]:
        table = PlayedGame(trial, one["game"])
        for _ in range(one["step"]):
            table.step()
        yield one, table


def wary(game: Game, seed: int) -> BlunderCheckPlayer:
    search = load_player("search", game, 0)
    assert isinstance(search, SearchPlayer)
    search.method = search.method._replace(cut=no_cut(type(game)))
    return BlunderCheckPlayer(game, partial(load_player, "greedy", game), search, seed)


def test_the_decision_that_led_to_an_avoidable_war_is_told() -> None:
    told = counted("--games", "10")
    [found] = told["players"]
    assert found["games"] == 10
    assert 0 < found["avoidable"]["games"] <= sum(side["avoidable"] for side in found["wars"].values())
    assert sum(side["avoidable"] for side in found["wars"].values()) == len(found["found"])
    assert all(side["avoidable"] <= side["begun"] for side in found["wars"].values())
    game = load_game("13-minutes")
    for one, table in reached(told):
        side = table.actor
        legal = {game.action_text(action) for action in game.legal_actions(table.state, side)}
        assert game.sides[side] == one["side"]
        assert {one["action"], one["better"]} <= legal
        assert game.action_text(table.step()[1]) == one["action"] != one["better"]


def test_a_way_out_is_verified_in_likely_deals(monkeypatch: pytest.MonkeyPatch) -> None:
    told = counted("--games", "10")
    game = load_game("13-minutes")
    trial = Trial(game, named("greedy", game, told["seed"]), told["seed"], 0, 10)
    one, table = next(reached(told))
    action, better = (
        next(each for each in game.legal_actions(table.state, table.actor) if game.action_text(each) == one[which])
        for which in ("action", "better")
    )
    search = load_player("search", game, 0)
    assert isinstance(search, SearchPlayer)
    dealt = []

    def likely(rules: Any, view: Any, side: int, random: Any, out: Any) -> None:
        dealt.append(side)
        game.redeal(rules, view, side, random, out)

    monkeypatch.setattr(wars, "_method", lambda _: search.method._replace(redeal=likely))
    assert wars.holds(trial, one["game"], table.actor, wars.WayOut(one["step"], action, better))
    assert dealt == [table.actor] * 2 * wars.VERIFIED  # once for each policy
    assert not wars.holds(trial, one["game"], table.actor, wars.WayOut(one["step"], better, action))


def test_a_wary_player_does_something_else_there_and_says_why() -> None:
    game = load_game("13-minutes")
    for one, table in reached(counted("--games", "20")):
        seen = Observation.at(game, table.view(table.actor), table.actor)
        taken = [wary(game, seed).choose(seen) for seed in range(5)]
        assert game.action_text(load_player("greedy", game, 1).choose(seen).action) == one["action"]
        assert one["action"] not in {game.action_text(choice.action) for choice in taken}
        assert {choice.reason.key for choice in taken if choice.reason} == {"why.wary"}


@pytest.mark.parametrize("game_id", ["13-days", "13-minutes"])
def test_a_wary_player_is_itself_where_no_war_threatens_and_knows_what_its_side_knows(game_id: str) -> None:
    game = load_game(game_id)
    bold = partial(load_player, "greedy")
    for course in islice(courses(game, (load_player("random", game, 1), load_player("random", game, 2)), 2, 1), 6):
        first, *others = (
            choices(game, wary, 4, 1, course.side, actions, course.decisions) for actions in course.histories
        )
        assert all(each == first for each in others)
        of_bold = choices(game, bold, 4, 1, course.side, course.histories[0], course.decisions)
        for choice, other in zip(first, of_bold, strict=True):
            is_another = choice.action != other.action
            assert is_another == (choice.reason is not None and choice.reason.key == "why.wary")


def test_every_level_but_the_first_is_wary_where_there_are_wars() -> None:
    for game_id, are_wary in (("13-days", True), ("13-minutes", True), ("ukrainian-crisis", False)):
        game = load_game(game_id)
        kinds = [isinstance(load_player(level, game, 1), BlunderCheckPlayer) for level in levels_for(game)]
        assert kinds == [False, *[are_wary] * 5]


def test_games_that_are_kept_count(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("brinkmanship.cli.commands.lab.wars.STEP", 2)
    kept = ("--save", str(tmp_path / "wars.sqlite"))
    counted("--games", "4", *kept)
    assert counted("--games", "6", *kept) == counted("--games", "6")
    other = run(*ASKED, "--games", "6", "--seed", "5", *kept)
    assert other.code == 2
    assert "its seed is" in other.err


@pytest.mark.parametrize("language", LANGUAGES)
def test_wars_read_in_every_language(language: str) -> None:
    shown = run(*ASKED, "--games", "6", "--lang", language)
    assert shown.code == 0
    assert "wars." not in shown.out
    assert "{" not in shown.out
    assert run("lab", "wars", "ukrainian-crisis", "--player", "random", "--lang", language).code == 2


def test_a_player_is_named_once() -> None:
    refused = run(*ASKED, "--player", "greedy", "--games", "2")
    assert (refused.code, refused.out) == (2, "")
    assert "twice" in refused.err
