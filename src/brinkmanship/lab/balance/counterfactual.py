"""Counterfactual continuations of games, on the full state: measurements may use it, players never do.

Compared branches use the same random numbers for chance and for the players. If both players have a policy, the rest of
a game runs in the compiled loop; other players choose from their side's view.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from brinkmanship.engine.chance import Random, below
from brinkmanship.engine.game import CHANCE, OVER, Game
from brinkmanship.engine.observation import Observation
from brinkmanship.engine.playout import NOBODY, luck, play_on
from brinkmanship.engine.record import State
from brinkmanship.lab.balance.profile import BalanceProfile, profile_of
from brinkmanship.players import Player, load_player

AT_ONCE = 512
"""Maximum states per call of the compiled loop."""
SALT = 0x9E37
"""Added to the seed of the deals to get independent seeds for exchanges and for players without a policy."""


class Trial(NamedTuple):
    """Games `first` .. `first + games - 1` of a seed, with one player for both sides."""

    game: Game
    player: Player
    seed: int
    first: int
    games: int

    @property
    def profile(self) -> BalanceProfile:
        """Return the balance profile of the game."""
        return profile_of(self.game)

    @property
    def numbers(self) -> range:
        """Return the numbers of the games."""
        return range(self.first, self.first + self.games)

    def with_game(self, game: Game) -> Trial:
        """Return the same games with other rules or data."""
        return self._replace(game=game, player=load_player(full_name(self.player), game, self.seed))

    def chance(self) -> npt.NDArray[np.int64]:
        """Return the random numbers of chance and of the players for each game, int64[games, 2, 4]."""
        return luck(self.seed, self.first, self.games)


def full_name(player: Player) -> str:
    """Return the name by which a player is loaded again; see `named`."""
    return str(getattr(player, "loaded_as", player.name))


def named(name: str, game: Game, seed: int) -> Player:
    """Load a player that remembers the name it was loaded by."""
    player = load_player(name, game, seed)
    vars(player)["loaded_as"] = name
    return player


class PlayedGame:
    """One game in progress, both sides played by the same player.

    Args:
        trial: the trial it belongs to.
        number: of the game.
        state: state to continue from, changed in place; None: a new game.
        chance: generators int64[2, 4] as from `luck`, advanced in place; None: those of the game's number.
    """

    def __init__(
        self, trial: Trial, number: int, state: State = None, chance: npt.NDArray[np.int64] | None = None
    ) -> None:
        self.game = trial.game
        self.number = number
        self.chance = luck(trial.seed, number, 1)[0] if chance is None else chance
        self._known = self.game.new_states(1)[0]
        self._players = [trial.player, trial.player]
        if trial.player.is_asked:
            self._players = [trial.player.fresh(_seed_of(trial.seed, number, side)) for side in range(2)]
        self.shown = NOBODY
        """The side whose secret agenda is shown to the other side (see `BalanceProfile.show`), NOBODY: none."""
        self._profile = trial.profile
        if state is None:
            state = self.game.new_states(1)[0]
            self.game.start(self.game.rules, state)
        self.state: Any = state

    @property
    def actor(self) -> int:
        """Return the side to act, CHANCE or OVER."""
        return int(self.game.actor(self.game.rules, self.state))

    def view(self, side: int) -> State:
        """Return the view of a side; overwritten by the next call."""
        self.game.view(self.game.rules, self.state, side, self._known)
        if self.shown == 1 - side:
            self._profile.show(self.state, self._known, self.shown)
        return self._known

    def decision(self, side: int) -> int:
        """Return the action that a side chooses when it is to act."""
        player = self._players[side]
        view = self.view(side)
        if player.is_asked:
            return int(player.choose(Observation.at(self.game, view, side)).action)
        if player.policy is None:
            actions = self.game.legal_actions(view, side)
            return actions[below(self.chance[1], len(actions))]
        return int(player.policy(self.game.rules, view, side, self.chance[1]))

    def step(self) -> tuple[int, int]:
        """Let the current actor act; return the actor and the action."""
        actor = self.actor
        if actor == CHANCE:
            action = int(self.game.sample(self.game.rules, self.state, self.chance[0]))
        else:
            action = self.decision(actor)
        self.apply(action)
        return actor, action

    def apply(self, action: int) -> None:
        """Apply an action."""
        self.game.apply(self.game.rules, self.state, action)

    def score(self) -> float:
        """Return the score of side 0 in a finished game: 1 won, 1/2 no winner, 0 lost."""
        return score_of(self.game, self.state)


def score_of(game: Game, state: State) -> float:
    """Return the score of side 0 in a finished state: 1 won, 1/2 no winner, 0 lost."""
    utility = np.zeros(len(game.sides))
    game.result(game.rules, state, utility)
    return 0.5 if utility[0] == utility[1] else float(utility[0] > utility[1])


def _seed_of(seed: int, number: int, side: int) -> int:
    return int(np.random.SeedSequence((seed, SALT, number, side)).generate_state(1, np.uint64)[0])


class Branches:
    """States to continue, collected and then simulated in batches."""

    def __init__(self, trial: Trial) -> None:
        self._trial = trial
        self._states: list[State] = []
        self._chance: list[Random] = []
        self._numbers: list[int] = []

    def add(self, state: State, chance: npt.NDArray[np.int64], number: int) -> int:
        """Add a copy of a state and of its game's generators; return its index among the scores."""
        self._states.append(self._trial.game.copy(state))
        self._chance.append(chance.copy())
        self._numbers.append(number)
        return len(self._states) - 1

    def scores(self) -> Sequence[float]:
        """Return the score of side 0 in each branch, in order."""
        if not self._states:
            return []
        if self._trial.player.is_asked:
            return [
                played_out(PlayedGame(self._trial, number, state, chance))
                for state, chance, number in zip(self._states, self._chance, self._numbers, strict=True)
            ]
        found: list[float] = []
        for start in range(0, len(self._states), AT_ONCE):
            part = slice(start, start + AT_ONCE)
            found += finish(self._trial, self._states[part], np.array(self._chance[part]))
        return found


def played_out(table: PlayedGame) -> float:
    """Play a game to its end, step by step, and return the score of side 0."""
    while table.actor != OVER:
        table.step()
    return table.score()


def finish(trial: Trial, states: Sequence[State], chance: npt.NDArray[np.int64]) -> list[float]:
    """Simulate games to their end in the compiled loop and return the score of side 0 in each."""
    array = trial.game.new_states(len(states))
    for row, state in enumerate(states):
        array[row] = state
    policies = (trial.player.policy, trial.player.policy)
    winners = play_on(trial.game, array, chance, policies).winners
    return [0.5 if winner == NOBODY else float(winner == 0) for winner in winners.tolist()]
