"""Players to measure others by: they play by name, nobody is offered them, they are blind to what they cannot know."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

import pytest

from brinkmanship.engine.chance import generator
from brinkmanship.engine.game import Game
from brinkmanship.engine.match import Match, dealer
from brinkmanship.engine.observation import Observation
from brinkmanship.games.registry import built_in, load_game
from brinkmanship.players import load_player, players_for

BASELINES = [(game_id, name) for game_id, kit in built_in().items() for name in kit.baselines]


def questions(game: Game, seed: int) -> Iterator[Observation]:
    """Every question of a game at random that has more than one answer, as the side that is asked sees it."""
    match, deal, dice = Match(game), dealer(seed), dealer(seed + 1)
    match.advance(deal)
    while not match.is_over:
        side = min(match.pending)
        legal = match.legal(side)
        if len(legal) > 1:
            yield Observation.of(match, side)
        match.push(legal[dice(len(legal))].action, side=side)
        match.advance(deal)


@pytest.mark.parametrize(("game_id", "name"), BASELINES)
def test_a_baseline_plays_what_is_legal_whatever_it_cannot_know_and_is_not_offered(game_id: str, name: str) -> None:
    game = load_game(game_id)
    assert name not in players_for(game)
    player = load_player(name if name == "fast" else f"{name}:12n", game, 1)
    for seen in islice(questions(game, 3), 0, None, 9):
        choice = player.fresh(1).choose(seen)
        assert choice.action in game.legal_actions(seen.view(), seen.side)
        other = game.new_states(1)[0]
        game.redeal(game.rules, seen.view(), seen.side, generator(8), other)
        assert player.fresh(1).choose(Observation.at(game, game.view_of(other, seen.side), seen.side)) == choice
