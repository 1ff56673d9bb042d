"""Simulated games between any two players: compiled functions, computer players by name, or plain Python functions.

>>> import brinkmanship as brink
>>> def first_legal(view):
...     return view.legal[0]
>>> results = list(brink.play_games(brink.load("13-minutes"), 3, us=first_legal, ussr="random", seed=7))
>>> results[2].number
2
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from brinkmanship.engine.game import Game
from brinkmanship.engine.observation import Observation
from brinkmanship.engine.playout import NOBODY, Policy, compiled_policy
from brinkmanship.engine.record import State
from brinkmanship.players import Choice, Player, load_player
from brinkmanship.players.self_play import play
from brinkmanship.position import PositionError, View, ViewPolicy


class GameResult(NamedTuple):
    """The result of one game."""

    number: int
    """Number of the game, from 0; game k of a seed is always the same game between the same players."""
    winner: str | None
    """The side that won, None without a winner."""
    reason: str
    """One of `Game.reasons`."""
    decisions: int
    """Number of decisions taken by the sides."""
    state: State
    """The final state."""


class PythonPlayer(Player):
    """A computer player made from a plain Python function.

    It can replace a compiled player in matches and simulations, at the speed of the function: some ten thousand
    decisions a second instead of millions. docs/research/python.md shows how to compile one.

    Args:
        game: the ruleset.
        decide: given the `View` of its side, it returns a legal action.
        seed: seed of the player's random numbers.
    """

    name = "python"

    def __init__(self, game: Game, decide: ViewPolicy, seed: int | None = None) -> None:
        super().__init__(game, seed)
        self._decide = decide

    def choose(self, seen: Observation) -> Choice:
        """Choose an action with the function.

        Raises:
            IllegalActionError: the function returned an action that is not legal.
        """
        view = View.of_observation(seen)
        legal = [action.number for action in view.legal]
        return Choice(self.game.legal_action(self._decide(view), seen.side, legal))


class CompiledPlayer(Player):
    """A computer player made from a function over the records of the game, compiled: as fast as the built-in players.

    Args:
        game: the ruleset.
        decide: ``decide(rules, view, side, random) -> action``, in the subset of Python that Numba compiles. The fields
            of the records are listed in the game's ``tables.py`` and ``state.py``; pass `random` to
            `engine.chance.below`.
        seed: seed of the player's random numbers.
    """

    name = "compiled"

    def __init__(self, game: Game, decide: Policy, seed: int | None = None) -> None:
        super().__init__(game, seed)
        self.policy = compiled_policy(type(game), decide)

    def choose(self, seen: Observation) -> Choice:
        """Choose an action with the compiled function."""
        assert self.policy is not None
        return Choice(int(self.policy(self.game.rules, seen.view(), seen.side, self.random)))


AnyPlayer = str | ViewPolicy | Player
"""The name of a computer player, a function that takes a `View` and returns an action, or a `Player`."""


def play_games(
    game: Game,
    count: int,
    *,
    seed: int = 0,
    first: int = 0,
    workers: int = 1,
    players: Mapping[str, AnyPlayer] | None = None,
    **named: AnyPlayer,
) -> Iterator[GameResult]:
    """Play games and yield their results in order.

    Args:
        game: the ruleset.
        count: number of games.
        seed: game k of a seed has the same chance for all players.
        first: number of the first game.
        workers: number of threads; more than one helps if both players are compiled.
        players: players by side: the name of a computer player, a `Player`, or a function that takes a `View` and
            returns an action. A side without a player plays at random.
        **named: the same by keyword (``us=``, ``ussr=``; ``ua=``, ``ru=``). Use `players` for a side whose name is one
            of the parameters above or is not a valid keyword.

    Raises:
        PositionError: the game has no such side, a side is named twice, or a number parameter is not a number.
        UnknownPlayerError: the game has no player of this name.
        IllegalActionError: a function returned an action that is not legal.
    """
    numbers = {"seed": seed, "first": first, "workers": workers}
    if taken := [name for name, value in numbers.items() if not isinstance(value, int)]:
        raise PositionError(f"{taken[0]!r} is a number here; for a side of that name use players={{{taken[0]!r}: ...}}")
    seats = {**(players or {}), **named}
    if unknown := [name for name in seats if name not in game.sides]:
        raise PositionError(f"{game.title} has no side {unknown[0]!r}; its sides are {' and '.join(game.sides)}")
    if twice := [name for name in named if name in (players or {})]:
        raise PositionError(f"the side {twice[0]!r} is named twice")
    return _played(game, count, seed, first, workers, (seats.get(game.sides[0]), seats.get(game.sides[1])))


def _played(
    game: Game, count: int, seed: int, first: int, workers: int, seats: tuple[AnyPlayer | None, AnyPlayer | None]
) -> Iterator[GameResult]:
    both = (_player_of(game, seats[0]), _player_of(game, seats[1]))
    chunk = max(1, min(256, count // (4 * workers)))
    for batch in play(game, first, count, seed, both, chunk, workers):
        for state, decisions, reason, winner in zip(
            batch.states, batch.decisions.tolist(), batch.reasons.tolist(), batch.winners.tolist(), strict=True
        ):
            side = None if winner == NOBODY else game.sides[winner]
            yield GameResult(first, side, game.reasons[reason], decisions, state)
            first += 1


def _player_of(game: Game, player: AnyPlayer | None) -> Player:
    if player is None or isinstance(player, str):
        return load_player(player or "random", game)
    return player if isinstance(player, Player) else PythonPlayer(game, player)
