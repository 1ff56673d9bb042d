"""Computer players of 13 Minutes: the exact end of the game, the fast policy, the value, and `rules`."""

from __future__ import annotations

from itertools import permutations
from pathlib import Path

import numpy as np
import pytest

from brinkmanship.engine import journal
from brinkmanship.engine.chance import generator
from brinkmanship.engine.game import CHANCE, OVER, Game
from brinkmanship.engine.observation import Observation
from brinkmanship.engine.playout import record
from brinkmanship.engine.record import State
from brinkmanship.games.cuban.frame import TurnStep
from brinkmanship.games.registry import load_game
from brinkmanship.games.thirteen_minutes.players import fast, weights
from brinkmanship.games.thirteen_minutes.players.judgement import N_FEATURES
from brinkmanship.games.thirteen_minutes.players.tenth_card import WAR_COUNTS
from brinkmanship.games.thirteen_minutes.players.value import value
from brinkmanship.games.thirteen_minutes.rules.action_numbers import Action
from brinkmanship.games.thirteen_minutes.rules.state import CardIs, Node
from brinkmanship.games.thirteen_minutes.training.value import as_module, self_play
from brinkmanship.players import Choice, Player, load_player
from brinkmanship.text import LANGUAGES
from brinkmanship.text.words import Words
from support.computer_games import check_blind, decisions, reached

DATA = Path(__file__).parents[2] / "data"


@pytest.fixture(scope="module")
def game() -> Game:
    return load_game("13-minutes")


@pytest.fixture(scope="module")
def rules(game: Game) -> Player:
    return load_player("rules", game, 1)


class FastPlayer(Player):
    """The fast policy as a player."""

    name = "fast"

    def choose(self, seen: Observation) -> Choice:
        return Choice(int(fast.policy(self.game.rules, seen.view(), seen.side, self.random)))


# ---- a plain second opinion on the last turn: the rules themselves, all deals, all choices


def worth(game: Game, view: State, side: int) -> float:
    """What a side wins with the tenth card in play, both sides choosing as well as can be for the same deals."""
    if view.mover >= CHANCE:
        return float(np.mean([points(game, world, side) for world in worlds(game, view)]))
    mover = int(view.mover)
    found = [worth(game, after(game, view, action), side) for action in game.legal_actions(view, mover)]
    return max(found) if mover == side else min(found)


def worlds(game: Game, view: State) -> list[State]:
    """All full states that a view may be."""
    unknown = np.flatnonzero(view.card == CardIs.UNKNOWN)
    hidden = [holder for holder in range(2) if view.hand[holder] and not (view.card == CardIs.IN_HAND + holder).any()]
    found = []
    for cards in permutations(unknown, len(hidden)):
        world = game.copy(view)
        world.card[unknown] = CardIs.IN_PILE
        for holder, card in zip(hidden, cards, strict=True):
            world.card[card] = CardIs.IN_HAND + holder
        found.append(world)
    return found


def points(game: Game, world: State, side: int) -> float:
    """1 for a win, 1/2 for no winner, when only the scoring is left."""
    state = scored(game, world)
    return 0.5 if state.winner < 0 else float(state.winner == side)


def scored(game: Game, world: State) -> State:
    """The end of a game of which only the scoring is left."""
    state = game.copy(world)
    while game.actor(game.rules, state) != OVER:
        (action,) = game.distribution(state)
        game.apply(game.rules, state, action)
    return state


def after(game: Game, state: State, action: int) -> State:
    child = game.copy(state)
    game.apply(game.rules, child, action)
    return child


def check_last_turn(game: Game, view: State, side: int, choice: Choice) -> None:
    trifle = WAR_COUNTS
    expected = {action: worth(game, after(game, view, action), side) for action in game.legal_actions(view, side)}
    assert {one.action: pytest.approx(one.value, abs=trifle) for one in choice.candidates} == expected
    assert expected[choice.action] == max(expected.values())


def test_rules_plays_the_last_turn_exactly(game: Game, rules: Player) -> None:
    players = (FastPlayer(game, 1), FastPlayer(game, 2))
    commands = events = 0
    for number in range(40):
        for view, side, _ in decisions(game, players, generator(21, number)):
            # The plain opinion takes minutes for a whole event; the last choices of one, and a Command, are short.
            in_command = view.turn == 9 and view.stack[0].step == TurnStep.COMMAND
            in_event = view.turn == 9 and not in_command and view.node in (Node.MOVE, Node.COMMAND, Node.PUT_CUBES)
            if in_command or in_event:
                check_last_turn(game, view, side, rules.choose(Observation.at(game, view, side)))
                commands += in_command
                events += in_event
    assert min(commands, events) >= 3


# ---- every player


@pytest.mark.parametrize("name", ["rules", "fast"])
def test_a_player_takes_legal_actions_and_the_same_again(game: Game, name: str) -> None:
    player = load_player(name, game, 1) if name == "rules" else FastPlayer(game, 1)
    count = 0
    for view, side, choice in reached(game, player, 6, 3):
        count += 1
        assert choice.action in game.legal_actions(view, side)
        if view.node != Node.BID:
            assert player.choose(Observation.at(game, view, side)) == choice
    assert count > 80


def test_rules_and_the_fast_policy_cannot_tell_apart_what_their_side_cannot(game: Game, rules: Player) -> None:
    for player in (rules, FastPlayer(game, 1)):
        after_bids = (found for found in reached(game, player, 4, 4) if found[0].node != Node.BID)
        assert check_blind(game, player, after_bids, redeals=3) >= 50


# ---- rules


def test_rules_plays_as_its_policy_does_and_says_why_in_every_language(game: Game, rules: Player) -> None:
    assert rules.policy is not None
    reasons = {}
    for view, side, choice in reached(game, rules, 8, 3):
        assert choice.reason is not None
        reasons[choice.reason.key] = choice.reason
        assert sorted(one.action for one in choice.candidates) == sorted(game.legal_actions(view, side))
        assert all(0.0 <= one.value <= 1.0 for one in choice.candidates)
        if view.node != Node.BID:
            assert choice.action == choice.candidates[0].action
            assert rules.policy(game.rules, view, side, generator(0)) == choice.action
    assert len(reasons) > 7
    for language in LANGUAGES:
        words = Words(language, ("players",))
        assert len({words.sentence(message) for message in reasons.values()}) == len(reasons)


def test_rules_bids_more_for_the_last_word_than_greedy_does_and_goes_last(game: Game, rules: Player) -> None:
    bids = []
    for view, side, choice in reached(game, rules, 12, 5):
        if view.node == Node.BID:
            bids.append(game.action_parts(choice.action).count)
        if view.node == Node.FIRST:
            assert choice.action == Action.FIRST + 1 - side
    assert 4 < np.mean(bids) < 9


@pytest.mark.parametrize(
    ("file", "peaceful"),
    [
        # One of four cards still wins something; that was ranked behind what was never looked at.
        ("13-minutes-war-or-a-chance", "play public_protests neutral"),
        # All is lost, but only three of four ways by war.
        ("13-minutes-war-or-a-defeat", "play u2_downed neutral"),
    ],
)
def test_a_war_that_need_not_be_is_not_started_in_a_lost_position(
    game: Game, rules: Player, file: str, peaceful: str
) -> None:
    match = journal.play(journal.read(DATA / f"{file}.brink"), game)
    choice = rules.choose(Observation.of(match, match.actor))
    assert game.action_text(choice.action) == peaceful
    dangers = {game.action_text(one.action): one.danger for one in choice.candidates}
    assert dangers[peaceful] == 0
    assert max(dangers.values()) == 1


# ---- the value


def test_the_values_of_both_sides_add_up_to_one(game: Game) -> None:
    count = 0
    for view, _, _ in decisions(game, (FastPlayer(game, 1), FastPlayer(game, 2)), generator(5)):
        if view.first >= 0:
            chances = [value(game.rules, view, side) for side in range(2)]
            assert sum(chances) == pytest.approx(1.0)
            assert 0.0 < chances[0] < 1.0
            count += 1
    assert count > 15


def test_a_game_that_is_over_has_the_value_of_its_result(game: Game) -> None:
    state = game.new_state()
    state.mover, state.winner = OVER, 1
    assert [value(game.rules, state, side) for side in range(2)] == [0.0, 1.0]
    state.winner = -1
    assert value(game.rules, state, 0) == 0.5


def test_the_value_tells_who_wins_games_it_was_not_fitted_to(game: Game) -> None:
    losses: dict[int, list[float]] = {5: [], 9: []}
    for number in range(150):
        state, met = game.new_state(), {}
        for _, action in record(game, number, 9_000_000_001, (fast.policy, fast.policy)):
            game.apply(game.rules, state, action)
            if state.depth == 0 and int(state.turn) in losses:
                met[int(state.turn)] = value(game.rules, state, 0)
        if state.winner >= 0:
            for turn, chance in met.items():
                losses[turn].append(-np.log(chance if state.winner == 0 else 1 - chance))
    assert np.mean(losses[5]) < 0.6
    assert np.mean(losses[9]) < 0.5


def test_weights_are_written_as_a_module_and_read_again(game: Game) -> None:
    found = self_play(game, weights.WEIGHTS, 0, 40, 5)
    assert found.is_kept.any(axis=0).all()
    written: dict[str, object] = {}
    exec(as_module(weights.WEIGHTS, weights.MANIFEST), written)
    assert written["MANIFEST"] == weights.MANIFEST
    assert np.array_equal(np.asarray(written["WEIGHTS"]), weights.WEIGHTS)


def test_the_weights_belong_to_this_deck_and_these_features(game: Game) -> None:
    assert weights.MANIFEST["data"] == game.data_sha256
    assert weights.WEIGHTS.shape == (10, N_FEATURES)
