"""Players to measure others by: they play by name, nobody is offered them, they are blind to what they cannot know."""

from __future__ import annotations

import pytest

from brinkmanship.engine.chance import generator
from brinkmanship.engine.observation import Observation
from brinkmanship.games.registry import built_in, load_game
from brinkmanship.players import load_player, players_for
from support.positions import spread

BASELINES = [(game_id, name) for game_id, kit in built_in().items() for name in kit.baselines]


@pytest.mark.parametrize(("game_id", "name"), BASELINES)
def test_a_baseline_plays_what_is_legal_whatever_it_cannot_know_and_is_not_offered(game_id: str, name: str) -> None:
    game = load_game(game_id)
    assert name not in players_for(game)
    player = load_player(name if name == "fast" else f"{name}:12n", game, 1)
    for seen in spread(game, 3, 9):
        choice = player.fresh(1).choose(seen)
        assert choice.action in game.legal_actions(seen.view(), seen.side)
        other = game.new_states(1)[0]
        game.redeal(game.rules, seen.view(), seen.side, generator(8), other)
        assert player.fresh(1).choose(Observation.at(game, game.view_of(other, seen.side), seen.side)) == choice
