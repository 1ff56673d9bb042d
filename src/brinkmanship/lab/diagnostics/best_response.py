"""Exact best response to a strategy, for games small enough to enumerate.

The maximum a side wins when it knows the other side's strategy, but not its cards: a best response is pure and at each
information set takes the action that wins most over everything that may be hidden. The exploitability of a strategy
(Johanson, Waugh, Bowling, Zinkevich, "Accelerating Best Response Calculation in Large Extensive Games", 2011) is the
mean of what best responses to it win over both sides. In equilibrium it is 0.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from brinkmanship.engine.errors import LocalizedError
from brinkmanship.engine.game import CHANCE, OVER, Game
from brinkmanship.engine.message import Message
from brinkmanship.engine.record import State

Strategy = Callable[[State, int], Mapping[int, float]]
"""``strategy(view, side)``: probability of each action of a side, given its view; adds up to 1."""

MAX_POSITIONS = 500_000
"""Maximum positions in an enumerated game tree."""

_Known = tuple[int, tuple[bytes, ...]]
"""Information set: a side and its distinct successive views."""


class TooManyPositionsError(LocalizedError):
    """A game has more positions than can be enumerated."""


@dataclass(slots=True)
class _Position:
    actor: int
    children: dict[int, _Position] = field(default_factory=dict)
    shares: Mapping[int, float] = field(default_factory=dict)
    """Probability of each action of chance, or of the side whose strategy this is."""
    known: _Known = (OVER, ())
    utility: float = 0.0
    """Utility of the first side in a finished game."""


class BestResponse:
    """The full tree of a game, and the best responses in it to one strategy of both sides.

    Args:
        game: the ruleset.
        strategy: the strategy of both sides.

    Raises:
        TooManyPositionsError: the tree is too large.
    """

    def __init__(self, game: Game, strategy: Strategy) -> None:
        self._game = game
        self._strategy = strategy
        self._asked: dict[tuple[int, bytes], Mapping[int, float]] = {}
        self._count = 0
        start = game.new_state()
        views = tuple((game.view_of(start, side).tobytes(),) for side in range(2))
        self._root = self._grown(start, views)

    @property
    def exploitability(self) -> float:
        """Return the mean of what a best response wins over both sides, in utility (1 a game won, -1 one lost)."""
        return (self.value(0) + self.value(1)) / 2

    def value(self, side: int) -> float:
        """Return the best response value of a side, in utility."""
        found: dict[_Known, list[tuple[_Position, float]]] = {}
        _gather(self._root, side, 1.0, found)
        values: dict[int, float] = {}
        answers: dict[_Known, int] = {}

        def worth(position: _Position) -> float:
            if id(position) not in values:
                values[id(position)] = _worth(position)
            return values[id(position)]

        def _worth(position: _Position) -> float:
            if position.actor == OVER:
                return position.utility if side == 0 else -position.utility
            if position.actor != side:
                return sum(share * worth(position.children[action]) for action, share in position.shares.items())
            if position.known not in answers:
                alike = found[position.known]
                answers[position.known] = max(
                    position.children,
                    key=lambda action: sum(reach * worth(one.children[action]) for one, reach in alike),
                )
            return worth(position.children[answers[position.known]])

        return worth(self._root)

    def _grown(self, state: State, views: tuple[tuple[bytes, ...], ...]) -> _Position:
        game = self._game
        self._count += 1
        if self._count > MAX_POSITIONS:
            raise TooManyPositionsError(
                Message("fault.too_many_positions", {"title": game.title, "most": MAX_POSITIONS})
            )
        actor = int(game.actor(game.rules, state))
        position = _Position(actor)
        if actor == OVER:
            position.utility = float(game.outcome(state)[1][0])
            return position
        if actor == CHANCE:
            weights = game.distribution(state)
            position.shares = {action: weight / sum(weights.values()) for action, weight in weights.items()}
            actions = list(weights)
        else:
            actions = game.legal_actions(state, actor)
            position.known = (actor, views[actor])
            position.shares = self._shares(state, actor)
        for action in actions:
            after = game.copy(state)
            game.apply(game.rules, after, action)
            position.children[action] = self._grown(after, self._seen(after, views))
        return position

    def _seen(self, state: State, views: tuple[tuple[bytes, ...], ...]) -> tuple[tuple[bytes, ...], ...]:
        now = (self._game.view_of(state, side).tobytes() for side in range(2))
        return tuple(past if past[-1] == view else (*past, view) for past, view in zip(views, now, strict=True))

    def _shares(self, state: State, side: int) -> Mapping[int, float]:
        view = self._game.view_of(state, side)
        key = side, view.tobytes()
        if key not in self._asked:
            self._asked[key] = self._strategy(view, side)
        return self._asked[key]


def _gather(position: _Position, side: int, reach: float, found: dict[_Known, list[tuple[_Position, float]]]) -> None:
    """Collect the positions in which a side is to act by information set, with the others' reach probability."""
    if position.actor == side:
        found.setdefault(position.known, []).append((position, reach))
    for action, child in position.children.items():
        _gather(child, side, reach if position.actor == side else reach * position.shares.get(action, 0.0), found)
