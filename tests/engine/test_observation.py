"""What a computer player is given: the game as its side saw it, and nothing more; how its name and budget are read."""

from __future__ import annotations

import pickle
import random

import pytest

from brinkmanship.engine.game import Game
from brinkmanship.engine.match import Match, dealer
from brinkmanship.engine.observation import Observation, ObservationRecorder
from brinkmanship.engine.perspective import UNKNOWN, Perspective
from brinkmanship.games.registry import BUILT_IN, load_game
from brinkmanship.players import Budget, BudgetError, Choice, Player, UnknownPlayerError, load_player
from brinkmanship.players.self_play import play, record


class LastMover(Player):
    """Has to be asked, and takes one of its actions by what it has seen and by its own random numbers."""

    name = "last-mover"

    def choose(self, seen: Observation) -> Choice:
        assert len(seen.views) == len(seen.actions) + 1 > 1
        actions = seen.game.legal_actions(seen.view(), seen.side)
        return Choice(actions[(len(seen.actions) + int(self.random[0])) % len(actions)])


class FirstAction(Player):
    """Has a `choose`, and says nothing else."""

    name = "first-action"

    def choose(self, seen: Observation) -> Choice:
        return Choice(seen.game.legal_actions(seen.view(), seen.side)[0])


@pytest.mark.parametrize("game_id", BUILT_IN)
def test_a_player_is_asked_unless_it_has_a_policy_or_is_the_random_one(game_id: str) -> None:
    game = load_game(game_id)
    is_asked = {
        name: load_player(name, game, 1).is_asked for name in ("random", "greedy", "rules", "search", "level:6")
    }
    assert is_asked == {"random": False, "greedy": False, "rules": False, "search": True, "level:6": True}
    assert FirstAction(game).is_asked


def test_a_player_with_nothing_but_choose_plays_what_it_chooses() -> None:
    game = load_game("13-minutes")
    players = (FirstAction(game), load_player("random", game))
    match, answers = Match(game), 0
    for actor, action in record(game, 0, 7, players):
        if actor == 0:
            assert action == match.legal(0)[0].action
            answers += 1
        match.push(action, side=actor if actor < 2 else None)
    assert answers > 1
    (batch,) = play(game, 0, 1, 7, players)
    assert batch.states.tobytes() == match.state.tobytes()


def course(game: Game, seed: int) -> Match:
    """A match played at random to its end."""
    match, deal, dice = Match(game), dealer(seed), random.Random(seed)
    match.advance(deal)
    while not match.is_over:
        side = dice.choice(sorted(match.pending))
        match.push(dice.choice(match.legal(side)).action, side=side)
        match.advance(deal)
    return match


@pytest.mark.parametrize("game_id", BUILT_IN)
def test_a_player_is_given_what_its_side_saw_and_nothing_else(game_id: str) -> None:
    match = course(load_game(game_id), 3)
    for side in range(2):
        seen = Observation.of(match, side)
        known = Perspective(match, side)
        assert [step.action for step in seen.actions] == [entry.action for entry in known.entries]
        assert UNKNOWN in {step.action for step in seen.actions}
        for count in (0, len(seen.actions) // 2, len(seen.actions)):
            assert seen.view(count).tobytes() == known.view(count).tobytes()
        assert pickle.loads(pickle.dumps(seen)).views == seen.views
        assert set(type(seen).__slots__) == {"game", "side", "actions", "views"}


def test_an_answer_given_in_secret_is_not_seen_before_both_have_answered() -> None:
    match = Match(load_game("13-days"))
    match.advance(dealer(1))
    own, other = (Observation.of(match, side) for side in range(2))
    match.push(match.legal(0)[0].action, side=0)
    assert Observation.of(match, 1) == other
    now = Observation.of(match, 0)
    assert len(now.actions) == len(own.actions) + 1
    assert now.before(len(own.actions)) == own


def test_a_witness_sees_what_one_who_looks_anew_sees_whatever_is_taken_back() -> None:
    match, deal, dice = Match(load_game("13-days")), dealer(4), random.Random(4)
    match.advance(deal)
    witnesses = [ObservationRecorder(side) for side in range(2)]
    while not match.is_over:
        for _ in range(match.undo_count(0) if dice.random() < 0.2 else 0):
            match.pop()
        side = dice.choice(sorted(match.pending))
        match.push(dice.choice(match.legal(side)).action, side=side)
        match.advance(deal)
        for number, witness in enumerate(witnesses):
            if dice.random() < 0.3:
                assert witness.seen(match) == Observation.of(match, number)


def test_a_ruleset_goes_to_another_process_as_what_it_was_loaded_from() -> None:
    game = load_game("13-days", options={"agenda_icon_order": "escalate_then_score"})
    other = pickle.loads(pickle.dumps(game))
    assert type(other) is type(game)
    assert other.options == game.options
    assert pickle.loads(pickle.dumps(game)) is other


def test_a_player_that_is_asked_plays_the_same_game_whatever_the_workers() -> None:
    game = load_game("13-minutes")
    asked, rival = LastMover(game), load_player("random", game)
    for players in ((asked, rival), (rival, asked), (asked, asked)):
        one, two = (
            [batch.states.tobytes() for batch in play(game, 3, 4, 7, players, workers=workers)] for workers in (1, 2)
        )
        assert one == two
        match = Match(game)
        for actor, action in record(game, 3, 7, players):
            match.push(action, side=actor if actor < 2 else None)
        assert match.state.tobytes() == one[0]


@pytest.mark.parametrize("text", ["0.3s", "2s", "400n"])
def test_a_budget_is_read_as_it_is_written(text: str) -> None:
    assert str(Budget.parse(text)) == text


@pytest.mark.parametrize("text", ["", "s", "0s", "0n", "-1n", "0.3", "400 n", "1e3n", "nan s", "99999s", "1.5n"])
def test_what_is_no_budget_is_refused(text: str) -> None:
    with pytest.raises(BudgetError, match=r"0\.3s, .* nodes \(400n"):
        Budget.parse(text)


def test_a_player_that_takes_no_budget_says_so() -> None:
    game = load_game("13-minutes")
    with pytest.raises(BudgetError, match="greedy takes no budget"):
        load_player("greedy:0.3s", game)
    with pytest.raises(UnknownPlayerError, match="no player 'deep"):
        load_player("deep:0.3s", game)
