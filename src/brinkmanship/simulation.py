"""Many games between any two players: compiled ones, computer players by name, or a function in plain Python.

>>> import brinkmanship as brink
>>> def first_legal(view):
...     return view.legal[0]
>>> results = list(brink.play_games(brink.load("13-minutes"), 3, us=first_legal, ussr="random", seed=7))
>>> [result.number for result in results]
[0, 1, 2]
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from brinkmanship.engine.chance import Random
from brinkmanship.engine.game import Game
from brinkmanship.engine.observation import Observation
from brinkmanship.engine.playout import NOBODY, Policy, compiled_policy
from brinkmanship.engine.record import State
from brinkmanship.players import Choice, Player, load_player
from brinkmanship.players.self_play import play
from brinkmanship.position import PositionError, View, ViewPolicy


class GameResult(NamedTuple):
    """How a game went."""

    number: int
    """Of the game, from 0; game k of a seed is always the same game between the same players."""
    winner: str | None
    """The side that won, None for nobody."""
    reason: str
    """One of `Game.reasons`."""
    decisions: int
    """How many decisions the sides took."""
    state: State
    """The last state."""


class PythonPlayer(Player):
    """A computer player made of a function in plain Python.

    It can stand wherever a compiled one can, in matches and simulations, slower by what the function takes: some ten
    thousand decisions a second in place of millions. docs/research/python.md tells how to compile one.

    Args:
        game: the ruleset.
        decide: given what its side knows (`View`; without the history), it returns a legal action.
    """

    name = "python"

    def __init__(self, game: Game, decide: ViewPolicy, seed: int | None = None) -> None:
        super().__init__(game, seed)
        self._decide = decide
        self.policy = self._policy

    def choose(self, seen: Observation) -> Choice:
        """See `Player.choose`.

        Raises:
            IllegalActionError: the function returned something that is not legal.
        """
        game, view, side = self.game, seen.view(), seen.side
        bits = int(game.pending(game.rules, view))
        asked = tuple(name for number, name in enumerate(game.sides) if bits >> number & 1)
        legal = game.legal_actions(view, side)
        known = View(game, game.sides[side], view, asked, tuple(map(game.action_text, legal)), ())
        return Choice(game.legal_action(self._decide(known), side, legal))

    def _policy(self, rules: Any, view: State, side: int, random: Random) -> int:  # noqa: ARG002 - the shape of a `Policy`
        return self.choose(Observation.at(self.game, view, side)).action


class CompiledPlayer(Player):
    """A computer player made of a function over the records of the game, compiled: as fast as ours.

    Args:
        game: the ruleset.
        decide: ``decide(rules, view, side, random) -> action``, what Numba can compile. The fields of the records are
            listed in the game's ``tables.py`` and ``state.py``; `random` serves `engine.chance.below`.
    """

    name = "compiled"

    def __init__(self, game: Game, decide: Policy, seed: int | None = None) -> None:
        super().__init__(game, seed)
        self.policy = compiled_policy(type(game), decide)

    def choose(self, seen: Observation) -> Choice:
        """See `Player.choose`."""
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
    """Play games and yield how each went, in order.

    Args:
        game: the ruleset.
        count: how many games.
        seed: game k of a seed has the same chance whoever plays.
        first: number of the first game.
        workers: threads; they help where both players are compiled.
        players: who plays, by side: the name of a computer player, a `Player`, or a function that takes a `View` and
            returns an action. A side that is not named plays at random.
        **named: the same by keyword (``us=``, ``ussr=``; ``ua=``, ``ru=``). A side that is called as one of the
            parameters above, or as no keyword can be, is named in `players`.

    Raises:
        PositionError: the game has no such side, a side is named twice, or a number is given by a side's name.
        UnknownPlayerError: the game has no player of this name.
        IllegalActionError: a function returned something that is not legal.
    """
    numbers = {"seed": seed, "first": first, "workers": workers}
    if taken := [name for name, value in numbers.items() if not isinstance(value, int)]:
        raise PositionError(
            f"{taken[0]!r} is a number here; a side of that name stands in players={{{taken[0]!r}: ...}}"
        )
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
