"""Computer players: what they know, how strong they are, and that greedy never starts a war needlessly."""

from __future__ import annotations

from pathlib import Path

import pytest

from brinkmanship.engine.chance import generator
from brinkmanship.engine.game import Game
from brinkmanship.engine.jit.compile import INTERPRETED
from brinkmanship.games.registry import load_game
from brinkmanship.games.thirteen_days.players.danger import danger
from brinkmanship.games.thirteen_days.rules.state import Reason
from brinkmanship.lab.matches.match import paired_match
from brinkmanship.players import (
    Player,
    UnknownPlayerError,
    are_compiled,
    compile_players,
    load_player,
    players_for,
)
from support.computer_games import check_blind, decisions, interpreted_choices, reached
from support.thirteen_days.danger import could_start_war, needless_risks


@pytest.fixture(scope="module")
def game() -> Game:
    return load_game("13-days")


@pytest.fixture(scope="module")
def greedy(game: Game) -> Player:
    return load_player("greedy", game, 1)


# ---- a plain second opinion on danger


# ---- games, decision by decision


def check_safety(game: Game, greedy: Player, opponent: Player, games: int, seed: int) -> tuple[int, int]:
    """Play games and check the rule at each decision of greedy; returns decisions, and wars greedy started itself."""
    count = wars = 0
    for number in range(games):
        own = number % 2
        players = (greedy, opponent) if own == 0 else (opponent, greedy)
        course = decisions(game, players, generator(seed, number))
        while True:
            try:
                view, side, choice = next(course)
            except StopIteration as end:
                final = end.value
                break
            if players[side] is greedy:
                count += 1
                assert not needless_risks(game, view, side, choice.action), game.action_text(choice.action)
        wars += final.reason == Reason.MUTUAL_WAR or (final.reason == Reason.NUCLEAR_WAR and final.winner != own)
    return count, wars


# ---- the registry


def test_a_game_names_its_players_and_loads_them(game: Game) -> None:
    assert players_for(game) == ("random", "greedy", "rules", "search")
    for name in players_for(game):
        assert load_player(name, game).name == name


def test_an_unknown_player_is_refused_with_the_names_of_those_known(game: Game) -> None:
    with pytest.raises(UnknownPlayerError, match="random, greedy, rules, search"):
        load_player("deep blue", game)


def test_a_random_player_with_a_seed_plays_the_same_again(game: Game) -> None:
    courses = []
    for _ in range(2):
        players = (load_player("random", game, 5), load_player("random", game, 6))
        courses.append([choice.action for _, _, choice in decisions(game, players, generator(1))])
    assert courses[0] == courses[1]


@pytest.mark.skipif(INTERPRETED, reason="nothing is compiled")
def test_it_is_known_that_all_players_of_a_game_have_been_compiled(
    game: Game, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    monkeypatch.setattr("brinkmanship.engine.jit.cache.cache_folder", lambda module: tmp_path / f"{module}-1")
    assert not are_compiled(game.id)
    compile_players(game)
    assert are_compiled(game.id)


# ---- what greedy returns


def test_greedy_judges_every_legal_action_and_takes_the_best(game: Game, greedy: Player) -> None:
    for view, side, choice in reached(game, greedy, 4, 2):
        assert sorted(c.action for c in choice.candidates) == sorted(game.legal_actions(view, side))
        assert choice.action == choice.candidates[0].action
        ranks = [(c.danger, -c.value) for c in choice.candidates]
        assert ranks == sorted(ranks)


def test_the_compiled_policy_chooses_what_choose_does(game: Game, greedy: Player) -> None:
    assert greedy.policy is not None
    for view, side, choice in reached(game, greedy, 6, 3):
        assert greedy.policy(game.rules, view, side, generator(0)) == choice.action


def test_greedy_cannot_tell_apart_what_its_side_cannot(game: Game, greedy: Player) -> None:
    assert check_blind(game, greedy, reached(game, greedy, 10, 4), redeals=4) >= 300


def test_the_interpreted_player_chooses_what_the_compiled_one_does(game: Game, greedy: Player) -> None:
    some = [entry for number, entry in enumerate(reached(game, greedy, 2, 5)) if number % 12 == 0]
    expected = [[choice.action, choice.candidates[0].value] for _, _, choice in some]
    assert interpreted_choices(game, "greedy", some) == expected


# ---- danger


def test_danger_is_what_the_second_opinion_says(game: Game) -> None:
    rival = load_player("random", game, 1)
    seen = {True: 0, False: 0}
    for number in range(20):
        for view, side, _ in decisions(game, (rival, rival), generator(6, number)):
            for about in (side, 1 - side):
                expected = could_start_war(game, view, about)
                assert (danger(game.rules, view, about) > 0) == expected
                seen[expected] += 1
    assert min(seen.values()) > 100


@pytest.mark.parametrize(
    ("steps", "own", "flags", "expected"),
    [
        ((3, 3, 3), "berlin", ("italy",), 0),
        ((6, 1, 1), "berlin", ("italy",), 0),
        ((6, 1, 1), "berlin", ("italy", "military_track"), 1),
        ((6, 1, 1), "military_track", ("italy",), 65),
        ((5, 1, 1), "military_track", ("italy", "political_track"), 0),
        ((5, 1, 1), "military_track", ("italy", "military_track"), 1),
        ((7, 1, 1), "berlin", ("italy",), 65),
        ((4, 5, 4), "berlin", ("italy",), 65),
        ((4, 7, 5), "berlin", ("italy",), 66),
    ],
)
def test_danger_counts_the_steps_to_safety_and_64_where_war_is_certain(
    game: Game, steps: tuple[int, ...], own: str, flags: tuple[str, ...], expected: int
) -> None:
    agendas = [agenda.id for agenda in game.data.agenda]  # type: ignore[attr-defined]
    view = game.new_state()
    view.defcon[0] = steps
    view.chosen[:] = (agendas.index(own), -2)
    view.dealt[1] = len(flags)
    for flag in flags:
        view.agenda_dealt[1, agendas.index(flag)] = 1
    assert danger(game.rules, view, 0) == expected


def test_greedy_never_risks_war_where_it_could_be_safe_against_random(game: Game, greedy: Player) -> None:
    count, _ = check_safety(game, greedy, load_player("random", game, 7), 40, 3)
    assert count > 1000


def test_greedy_never_risks_war_where_it_could_be_safe_against_itself(game: Game, greedy: Player) -> None:
    count, _ = check_safety(game, greedy, greedy, 20, 4)
    assert count > 1000


@pytest.mark.long
def test_greedy_never_risks_war_in_thousands_of_games(game: Game, greedy: Player) -> None:
    check_safety(game, greedy, load_player("random", game, 7), 3000, 8)
    check_safety(game, greedy, greedy, 1000, 9)


# ---- strength, and the match that measures it


def test_greedy_beats_random(game: Game, greedy: Player) -> None:
    result = paired_match(game, greedy, load_player("random", game), 200, seed=1)
    assert result.total.score > 0.9
    assert all(tally.score > 0.85 for tally in result.by_side.values())


def test_a_match_counts_every_game_once_and_does_not_depend_on_workers(game: Game, greedy: Player) -> None:
    rival = load_player("random", game)
    result = paired_match(game, greedy, rival, 30, seed=2)
    assert sum(result.total) == 60
    assert [sum(tally) for tally in result.by_side.values()] == [30, 30]
    assert [sum(column) for column in zip(*result.by_reason.values(), strict=True)] == list(result.total)
    assert paired_match(game, greedy, rival, 30, seed=2, workers=2) == result
    low, high = result.interval
    assert 0 <= low <= result.total.score <= high <= 1


def test_a_player_scores_half_against_itself_in_every_pair(game: Game, greedy: Player) -> None:
    result = paired_match(game, greedy, greedy, 20, seed=3)
    assert result.total.score == 0.5
    assert result.margin == 0
