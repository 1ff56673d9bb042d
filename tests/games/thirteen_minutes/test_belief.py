"""The belief about the card that the other side keeps: better than an even guess, and deals follow it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import pytest

from brinkmanship.engine.chance import generator
from brinkmanship.engine.game import CHANCE, Game
from brinkmanship.engine.match import Match
from brinkmanship.engine.observation import Observation, ObservationRecorder
from brinkmanship.games.registry import load_game
from brinkmanship.games.thirteen_minutes.players.belief import deal, kept
from brinkmanship.games.thirteen_minutes.rules.state import N_CARDS, CardIs, Node
from brinkmanship.players import load_player
from brinkmanship.players.self_play import record


class Guess(NamedTuple):
    """A decision which card to play, and what the other side really keeps."""

    seen: Observation
    unknown: npt.NDArray[np.bool_]
    belief: npt.NDArray[np.float64]
    true: int


def hand(match: Match, side: int) -> set[int]:
    return set(np.flatnonzero(match.state.card == CardIs.IN_HAND + side).tolist())


def guesses(game: Game, player: str, games: int, seed: int) -> Iterator[Guess]:
    players = (load_player(player, game, 1), load_player(player, game, 1))
    for number in range(games):
        match, recorders, keeps = Match(game), [ObservationRecorder(side) for side in range(2)], [-1, -1]
        for actor, action in record(game, number, seed, players):
            is_play = actor != CHANCE and match.state.node == Node.PLAY
            if is_play:
                seen = recorders[actor].seen(match)
                belief = kept(seen)
                assert len(belief) == (0 if match.state.turn < 3 else N_CARDS)
                if len(belief):
                    yield Guess(seen, seen.view().card == CardIs.UNKNOWN, belief, keeps[1 - actor])
            match.push(action, side=None if actor == CHANCE else actor)
            if is_play:
                (keeps[actor],) = hand(match, actor)


@pytest.fixture(scope="module")
def game() -> Game:
    return load_game("13-minutes")


def test_it_is_a_probability_of_unknown_cards_and_better_than_an_even_guess(game: Game) -> None:
    found = list(guesses(game, "rules", 12, 9_000_000_000))
    assert len(found) == 12 * 7
    for each in found:
        assert each.belief.sum() == pytest.approx(1.0)
        assert not each.belief[~each.unknown].any()
        assert each.belief[each.true] > 0.0
    even = np.mean([np.log(each.unknown.sum()) for each in found])
    assert -np.mean([np.log(each.belief[each.true]) for each in found]) < even - 0.1


def test_deals_look_the_same_and_have_the_kept_card_as_often_as_believed(game: Game) -> None:
    world, times = game.new_states(1)[0], 600
    for each in list(guesses(game, "greedy", 1, 9_000_000_000))[1::3]:
        view, side = each.seen.view(), each.seen.side
        held = np.zeros(N_CARDS)
        for number in range(times):
            deal(game.rules, view, side, each.belief, generator(number, 7), world)
            assert game.view_of(world, side).tobytes() == view.tobytes()
            held += world.card == CardIs.IN_HAND + 1 - side
        # The rest of the hand is drawn evenly from the other unknown cards.
        drawn = (int(view.hand[1 - side]) - 1) / max(int(each.unknown.sum()) - 1, 1)
        assert held / times == pytest.approx(
            np.where(each.unknown, each.belief + (1 - each.belief) * drawn, 0), abs=0.08
        )


def test_a_position_without_a_past_tells_nothing(game: Game) -> None:
    (first, *_) = guesses(game, "greedy", 1, 9_000_000_000)
    assert len(kept(Observation.at(game, first.seen.view(), first.seen.side))) == 0
