"""The search player: the same for the same nodes, blind to what it cannot know, in time, out of danger."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from brinkmanship.engine.chance import generator
from brinkmanship.engine.game import Game
from brinkmanship.engine.match import Match, dealer
from brinkmanship.engine.observation import Observation
from brinkmanship.games.registry import load_game
from brinkmanship.players import Choice, Player, load_player, search
from brinkmanship.players.search import SearchPlayer
from brinkmanship.text import LANGUAGES, words_for
from support.positions import MIXED, SEARCHED, ending_in, positions, spread

A_WORLD_SECONDS = 0.02


def is_searched(choice: Choice) -> bool:
    """Whether playouts decided, and not the quick player alone."""
    return choice.reason is not None and choice.reason.key in ("why.search", "why.search.fact")


def is_mixed(choice: Choice) -> bool:
    """Whether it was drawn from the answers to a question put to both sides in secret."""
    return choice.reason is not None and choice.reason.key in ("why.search.secret", "why.search.secret.fact")


def searching(game: Game, budget: str) -> SearchPlayer:
    player = load_player(f"search:{budget}", game, 5)
    assert isinstance(player, SearchPlayer)
    return player


@pytest.mark.parametrize("game_id", SEARCHED)
def test_with_the_same_nodes_and_numbers_it_chooses_the_same_whatever_it_cannot_know(game_id: str) -> None:
    game = load_game(game_id)
    player = searching(game, "12n")
    for seen in spread(game, 3, 12):
        choice = player.fresh(1).choose(seen)
        assert choice.action in game.legal_actions(seen.view(), seen.side)
        assert choice.action == choice.candidates[0].action or not is_searched(choice)
        other = game.new_states(1)[0]
        game.redeal(game.rules, seen.view(), seen.side, generator(8), other)
        assert player.fresh(1).choose(ending_in(seen, game.view_of(other, seen.side))) == choice


@pytest.mark.parametrize("game_id", SEARCHED)
def test_what_it_says_is_said_in_every_language(game_id: str) -> None:
    game = load_game(game_id)
    seen = spread(game, 4, 20)
    asked_both = next(one for one in positions(game, 4) if len(game.to_move(one.view())) > 1)
    choices = [searching(game, "4n").choose(one) for one in (*seen, asked_both)]
    assert is_mixed(choices[-1]) or game_id not in MIXED
    reasons = [choice.reason for choice in choices if is_searched(choice) or is_mixed(choice)]
    assert len(reasons) > 1
    for language in LANGUAGES:
        words = words_for(game, language).with_domain("players")
        for reason in filter(None, reasons):
            assert str(reason.args["percent"]) in words.sentence(reason)


@pytest.mark.parametrize("game_id", SEARCHED)
def test_what_it_says_of_a_choice_begins_with_a_fact_of_the_position(game_id: str) -> None:
    game = load_game(game_id)
    choices = [searching(game, "4n").choose(one) for one in spread(game, 4, 12)]
    keys = [choice.reason.key for choice in choices if choice.reason and is_searched(choice)]
    assert keys
    assert set(keys) == {"why.search.fact"}


def test_a_choice_that_was_not_played_out_has_no_win_probability() -> None:
    game = load_game("13-days")
    player = searching(game, "2n")
    left = [choice for seen in positions(game, 6) if not (choice := player.choose(seen)).candidates]
    assert left
    assert not any(is_searched(choice) or is_mixed(choice) for choice in left)


def test_what_both_are_asked_in_secret_is_played_out_in_several_worlds_however_few_nodes_there_are() -> None:
    game = load_game("13-minutes")
    seen = next(one for one in positions(game, 4) if len(game.to_move(one.view())) > 1)
    choice = searching(game, "1n").choose(seen)
    assert choice.reason
    assert choice.reason.args["n"] == search.MIN_SHARED * len(choice.candidates) ** 2


def test_two_candidates_that_are_the_same_come_to_the_same_in_every_world() -> None:
    game = load_game("13-minutes")
    seen = spread(game, 5, 4)[3]
    action = game.legal_actions(seen.view(), seen.side)[0]
    playouts = search.Playouts(searching(game, "1n"), seen, 7)
    points = playouts.play(np.array([[action], [action]], np.int64), 5, with_scores=True)
    assert (playouts.scores[:, 0] == playouts.scores[:, 1]).all()
    assert (points[:, 0] == points[:, 1]).all()
    assert ((points >= 0) & (points <= 1)).all()


def test_it_plays_only_what_is_in_least_danger() -> None:
    game = load_game("13-days")
    rules, player = load_player("rules", game), searching(game, "2n")
    for seen in spread(game, 6, 5):
        dangers = {one.action: one.danger for one in rules.choose(seen).candidates}
        assert dangers[player.choose(seen).action] == min(dangers.values())


def test_it_thinks_for_the_time_it_has(monkeypatch: pytest.MonkeyPatch) -> None:
    game = load_game("13-minutes")
    seen = spread(game, 5, 4)[3]
    monkeypatch.setattr(search, "INTERPRETED", False)
    for seconds in (0.25, 1.0):
        player = searching(game, f"{seconds}s")
        loop, now = player._loop, [0.0]

        def working(*arguments: Any, loop: Any = loop, now: list[float] = now) -> None:
            now[0] += A_WORLD_SECONDS * len(arguments[-2])
            loop(*arguments)

        player._loop = working
        monkeypatch.setattr(search, "perf_counter", lambda now=now: now[0])
        choice = player.choose(seen)
        assert is_searched(choice)
        assert choice.reason
        assert 0.6 * seconds <= now[0] <= seconds + A_WORLD_SECONDS
        played = choice.reason.args["n"]
        assert isinstance(played, int)
        assert played >= now[0] / A_WORLD_SECONDS


def test_where_only_one_thing_can_be_done_it_does_not_think() -> None:
    game = load_game("13-days")
    match, deal = Match(game), dealer(2)
    player: Player = searching(game, "8n")
    match.advance(deal)
    while not match.is_over:
        side = min(match.pending)
        legal = match.legal(side)
        if len(legal) == 1:
            assert player.choose(Observation.of(match, side)) == Choice(legal[0].action)
        match.push(legal[-1].action, side=side)
        match.advance(deal)
