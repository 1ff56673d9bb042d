"""Games between computer players.

If both have a policy, the loops of `engine.playout` play them; otherwise they are played move by move, so that each
player without a policy gets its side's whole observation.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from brinkmanship.engine import playout
from brinkmanship.engine.chance import below
from brinkmanship.engine.game import CHANCE, Game
from brinkmanship.engine.match import Match
from brinkmanship.engine.observation import ObservationRecorder
from brinkmanship.engine.playout import CHUNK, NOBODY, Batch
from brinkmanship.players.player import Player

Players = tuple[Player, Player]
"""The players of both sides."""


def play(
    game: Game, first: int, count: int, seed: int, players: Players, chunk: int = CHUNK, workers: int = 1
) -> Iterator[Batch]:
    """Play games number `first` .. `first + count - 1` of a seed; see `playout.play`.

    Chance has the same numbers for all players. Each player without a policy has its own random numbers in each game.
    """
    if not any(player.is_asked for player in players):
        policies = (players[0].policy, players[1].policy)
        yield from playout.play(game, first, count, seed, policies, chunk, workers)
        return
    yield from playout.in_order(lambda number: _one(game, number, seed, players), range(first, first + count), workers)


def record(game: Game, number: int, seed: int, players: Players) -> Iterator[tuple[int, int]]:
    """Yield game `number` of a seed, the same that `play` plays, action by action: (actor, action)."""
    if any(player.is_asked for player in players):
        yield from _asked(Match(game), number, seed, players)
    else:
        yield from playout.record(game, number, seed, (players[0].policy, players[1].policy))


def _one(game: Game, number: int, seed: int, players: Players) -> Batch:
    match = Match(game)
    actors = [actor for actor, _ in _asked(match, number, seed, players)]
    batch = Batch(game.new_states(1), *(np.zeros(1, np.int64) for _ in range(4)))
    batch.states[0] = match.state
    batch.decisions[0] = sum(actor != CHANCE for actor in actors)
    batch.steps[0] = len(actors)
    utility = np.zeros(len(game.sides))
    batch.reasons[0] = game.result(game.rules, match.state, utility)
    batch.winners[0] = NOBODY if utility[0] == utility[1] else np.argmax(utility)
    return batch


def _asked(match: Match, number: int, seed: int, players: Players) -> Iterator[tuple[int, int]]:
    """Play a match to its end, as `playout.record` does; yield each action after it has been taken."""
    game = match.game
    dice, policy_rng = playout.luck(seed, number, 1)[0]
    thinking = {
        side: player.fresh(_own_seed(seed, number, side)) for side, player in enumerate(players) if player.is_asked
    }
    witnesses = [ObservationRecorder(side) for side in range(len(players))]
    while not match.is_over:
        actor = match.actor
        if actor == CHANCE:
            action = int(game.sample(game.rules, match.state, dice))
        elif actor in thinking:
            action = thinking[actor].choose(witnesses[actor].seen(match)).action
        elif (policy := players[actor].policy) is not None:
            action = int(policy(game.rules, match.view(actor), actor, policy_rng))
        else:
            actions = game.legal_actions(match.state, actor)
            action = actions[below(policy_rng, len(actions))]
        match.push(action, side=actor if actor != CHANCE else None)
        yield actor, action


def _own_seed(seed: int, number: int, side: int) -> int:
    return int(np.random.SeedSequence((seed, number, side)).generate_state(1, np.uint64)[0])
