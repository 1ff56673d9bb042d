"""Games of computer players, decision by decision, and what every such player must keep to."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Generator, Iterable, Iterator

from brinkmanship.engine.chance import Random, generator
from brinkmanship.engine.game import CHANCE, OVER, Game
from brinkmanship.engine.observation import Observation
from brinkmanship.engine.record import State
from brinkmanship.players import Choice, Player, load_player

Decision = tuple[State, int, Choice]
"""The view, the side, and the choice."""


def decisions(game: Game, players: tuple[Player, Player], random: Random) -> Generator[Decision, None, State]:
    """Play a game, decision by decision. Returns the final state."""
    state = game.new_state()
    while (side := game.actor(game.rules, state)) != OVER:
        if side == CHANCE:
            action = game.sample(game.rules, state, random)
        else:
            view = game.view_of(state, side)
            choice = players[side].choose(Observation.at(game, view, side))
            yield view, side, choice
            action = choice.action
        game.apply(game.rules, state, action)
    return state


def reached(game: Game, player: Player, games: int, seed: int) -> Iterator[Decision]:
    """The decisions of a player in games against random, both sides in turn."""
    rival = load_player("random", game, seed)
    for number in range(games):
        players = (player, rival) if number % 2 == 0 else (rival, player)
        for view, side, choice in decisions(game, players, generator(seed, number)):
            if players[side] is player:
                yield view, side, choice


def check_blind(game: Game, player: Player, found: Iterable[Decision], redeals: int) -> int:
    """The player chooses the same whatever it cannot know; returns the number of decisions."""
    positions = 0
    for view, side, choice in found:
        positions += 1
        for number in range(redeals):
            other = game.new_states(1)[0]
            game.redeal(game.rules, view, side, generator(positions, number), other)
            assert player.choose(Observation.at(game, game.view_of(other, side), side)) == choice
    return positions


INTERPRETED_RUN = """
import json, sys
import numpy as np
from brinkmanship.engine.chance import generator
from brinkmanship.engine.observation import Observation
from brinkmanship.games.registry import load_game
from brinkmanship.players import load_player
game = load_game(sys.argv[1])
player = load_player(sys.argv[2], game)
sides = json.loads(sys.argv[3])
views = game.new_states(len(sides))
views.view(np.ndarray)[:] = np.frombuffer(sys.stdin.buffer.read(), game.dtype)
chosen = []
for view, side in zip(views, sides):
    choice = player.choose(Observation.at(game, view, side))
    assert player.policy(game.rules, view, side, generator(0)) == choice.action
    chosen.append([choice.action, choice.candidates[0].value])
print(json.dumps(chosen))
"""


def interpreted_choices(game: Game, name: str, found: Iterable[Decision]) -> list[list[float]]:
    """What a player chooses in these positions where nothing is compiled: the action, and the value of the best."""
    some = list(found)
    run = subprocess.run(
        [sys.executable, "-c", INTERPRETED_RUN, game.id, name, json.dumps([side for _, side, _ in some])],
        input=b"".join(view.tobytes() for view, _, _ in some),
        env=os.environ | {"NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        check=True,
    )
    choices: list[list[float]] = json.loads(run.stdout)
    return choices
