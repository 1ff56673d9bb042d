"""A game as an environment of Gymnasium: one agent, against any computer player.

>>> import gymnasium
>>> import brinkmanship.research.gymnasium_env                      # registers the games
>>> env = gymnasium.make("brinkmanship/13-days-v0", opponent="greedy")
>>> row, info = env.reset(seed=1)
>>> row, reward, over, _, info = env.step(env.action_space.sample(info["action_mask"]))
>>> env.close()

**Actions**: ``Discrete(game.n_actions)``, the numbers of the game (its ``actions.py``).
``info["action_mask"]`` (int8) and ``action_masks()`` (bool) mark the legal ones. An illegal action is replaced by a
random legal one, ``info["illegal"]`` is true, and the reward is reduced by `ILLEGAL`.
**Observations**: a row of `research.observation`, int16 (docs/research/observations.md); with ``normalised=True``
float32 in -1..1.
**Rewards**: the game's utility at its end, otherwise 0: 1 won, -1 lost, 0 drawn.
**Many games at once**: ``gymnasium.make_vec(name, num_envs=256, vectorization_mode="vector_entry_point")`` makes a
`VectorEnv` over the compiled rules.
**Seed**: for chance, the opponent, and the side, if it is drawn.
**Versions**: ``v0``. The number rises when actions, observations or rewards change.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Literal

import numpy as np
import numpy.typing as npt

from brinkmanship.engine.chance import below, generator
from brinkmanship.engine.game import CHANCE, Game
from brinkmanship.engine.match import Match
from brinkmanship.engine.observation import ObservationRecorder
from brinkmanship.engine.options import OptionValue
from brinkmanship.extras import named
from brinkmanship.games.registry import kits
from brinkmanship.players import Player, load_player
from brinkmanship.position import PositionError, load
from brinkmanship.research.observation import Observation
from brinkmanship.research.pictures import RENDER_MODES, rendered
from brinkmanship.research.vector import ALTERNATE, VectorGames

try:
    import gymnasium
    from gymnasium.vector.utils import batch_space
except ModuleNotFoundError as error:
    raise named(error) from None

ILLEGAL = 0.01
"""Penalty for an illegal action."""

Row = npt.NDArray[np.int16] | npt.NDArray[np.float32]
Info = dict[str, Any]


class BrinkmanshipEnv(gymnasium.Env[Row, np.int64]):
    """One side of a game; see the module docstring.

    Args:
        game: a ruleset or the id of a game.
        side: the agent's side; "random" draws it for each game.
        opponent: a computer player or its name.
        options: options of the game, if `game` is an id.
        render_mode: see `pictures.RENDER_MODES`.
        normalised: True for rows of `Observation.normalised`, float32.

    Raises:
        PositionError: the game has no such side.
        UnknownGameError, UnknownPlayerError, OptionError: as `load` and `load_player`.
    """

    metadata: ClassVar[dict[str, Any]] = {  # type: ignore[misc]  # a class attribute, although the library declares otherwise
        "render_modes": list(RENDER_MODES),
        "render_fps": 4,
    }

    def __init__(
        self,
        game: Game | str,
        side: str = "random",
        opponent: Player | str = "random",
        options: Mapping[str, OptionValue] | None = None,
        render_mode: Literal["human", "ansi", "svg", "rgb_array"] | None = None,
        *,
        normalised: bool = False,
    ) -> None:
        self.game = load(game, options) if isinstance(game, str) else game
        if side != "random" and side not in self.game.sides:
            raise PositionError(
                f"{self.game.title} has no side {side!r}; its sides are {' and '.join(self.game.sides)}"
            )
        self.opponent = load_player(opponent, self.game) if isinstance(opponent, str) else opponent
        self.observation = Observation(self.game)
        self.observation_space = _rows(self.observation, normalised)
        self.action_space = gymnasium.spaces.Discrete(self.game.n_actions)
        self.render_mode = render_mode
        self._normalised = normalised
        self.side = 0
        """The side of the agent in this game."""
        self._side = side
        self._match = Match(self.game)

    def reset(self, *, seed: int | None = None, options: Info | None = None) -> tuple[Row, Info]:
        """Start a new game, up to the agent's first decision. `options` is ignored."""
        super().reset(seed=seed, options=options)
        while True:
            sides = self.game.sides
            drawn = int(self.np_random.integers(len(sides)))
            self.side = drawn if self._side == "random" else sides.index(self._side)
            self._dice, self._action_random = (generator(int(self.np_random.integers(1 << 62))) for _ in range(2))
            self._rival = self.opponent.fresh(int(self.np_random.integers(1 << 62)))
            self._witness = ObservationRecorder(1 - self.side)
            self._match = Match(self.game)
            self._go_on()
            if not self._match.is_over:  # otherwise the agent had no decision in it; draw another game
                return self._row(), self._info()

    def step(self, action: np.int64) -> tuple[Row, float, bool, bool, Info]:
        """Take an action of the agent; chance, the rules and the opponent follow, up to its next decision."""
        legal = self.game.legal_actions(self._match.state, self.side)
        if not legal:
            raise gymnasium.error.ResetNeeded("the game is over: reset the environment")
        illegal = int(action) not in legal
        taken = legal[int(self.np_random.integers(len(legal)))] if illegal else int(action)
        self._match.push(taken, self.side)
        self._go_on()
        reward = 0.0
        if self._match.is_over:
            reward = float(self.game.outcome(self._match.state)[1][self.side])
        info = {**self._info(), "illegal": illegal}
        return self._row(), reward - ILLEGAL * illegal, self._match.is_over, False, info

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """Return the legal actions, bool[n_actions], as MaskablePPO of sb3-contrib asks for them."""
        mask = np.zeros(self.game.n_actions, np.bool_)
        mask[self.game.legal_actions(self._match.state, self.side)] = True
        return mask

    def render(self) -> Any:
        """Render the board as the agent knows it; see `pictures`."""
        view = self.game.view_of(self._match.state, self.side)
        return rendered(self.game, view, self.side, self.render_mode)

    def _go_on(self) -> None:
        """Let all others act until the agent has to act or the game is over."""
        match, game = self._match, self.game
        while not match.is_over and self.side not in match.pending:
            actor = match.actor
            if actor == CHANCE:
                match.push(int(game.sample(game.rules, match.state, self._dice)))
            elif self._rival.is_asked:
                match.push(self._rival.choose(self._witness.seen(match)).action, actor)
            elif self._rival.policy is not None:
                match.push(int(self._rival.policy(game.rules, match.view(actor), actor, self._action_random)), actor)
            else:
                legal = game.legal_actions(match.state, actor)
                match.push(legal[int(below(self._action_random, len(legal)))], actor)

    def _row(self) -> Row:
        row = self.observation.of(self.game.view_of(self._match.state, self.side), self.side)
        return self.observation.normalised(row) if self._normalised else row

    def _info(self) -> Info:
        return {"action_mask": self.action_masks().astype(np.int8), "side": self.game.sides[self.side]}


class BrinkmanshipVectorEnv(gymnasium.vector.VectorEnv[Row, npt.NDArray[np.int64], Any]):
    """Many games at once over the compiled rules (`VectorGames`), one agent against a compiled computer player.

    A finished game is replaced in the same step; its last observation is not kept, since no game is ever truncated.
    ``info["action_mask"]`` is int8[num_envs, n_actions]. An illegal action is replaced as in `BrinkmanshipEnv`.

    Args:
        num_envs: number of games.
        game: a ruleset or the id of a game.
        side: the agent's side; "alternate" changes it from game to game.
        opponent: a compiled computer player or its name.
        options: options of the game, if `game` is an id.
        normalised: True for rows of `Observation.normalised`, float32.

    Raises:
        PositionError: the game has no such side.
        OpponentError: the opponent is not compiled.
        UnknownGameError, UnknownPlayerError, OptionError: as `load` and `load_player`.
    """

    metadata: ClassVar[dict[str, Any]] = {  # type: ignore[misc]  # as above
        "render_modes": [],
        "autoreset_mode": gymnasium.vector.AutoresetMode.SAME_STEP,
    }

    def __init__(
        self,
        num_envs: int,
        game: Game | str,
        side: str = ALTERNATE,
        opponent: Player | str = "random",
        options: Mapping[str, OptionValue] | None = None,
        *,
        normalised: bool = False,
    ) -> None:
        self.game = load(game, options) if isinstance(game, str) else game
        self.num_envs = num_envs
        self._side = side
        self._opponent = opponent
        self._normalised = normalised
        self.observation = Observation(self.game)
        self.single_observation_space = _rows(self.observation, normalised)
        self.single_action_space = gymnasium.spaces.Discrete(self.game.n_actions)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._games = self._begin(0)

    def _begin(self, seed: int) -> VectorGames:
        return VectorGames(self.game, self.num_envs, seed, tensors=True, opponent=self._opponent, side=self._side)

    def reset(self, *, seed: int | None = None, options: Info | None = None) -> tuple[Row, Info]:
        """Start new games, each up to the agent's first decision. `options` is ignored."""
        super().reset(seed=seed, options=options)
        self._games = self._begin(int(self.np_random.integers(1 << 62)))
        return self._row(), self._info()

    def step(
        self, actions: npt.NDArray[np.int64]
    ) -> tuple[Row, npt.NDArray[np.float64], npt.NDArray[np.bool_], npt.NDArray[np.bool_], Info]:
        """Take an action in each game; chance, the rules and the opponent follow, up to the agent's next decision."""
        games = self._games
        chosen = np.asarray(actions, np.int64)
        known = (chosen >= 0) & (chosen < self.game.n_actions)
        illegal = ~(known & games.masks[np.arange(self.num_envs), np.where(known, chosen, 0)])
        games.step(np.where(illegal, games.random_actions(), chosen))
        rewards = games.agent_rewards - ILLEGAL * illegal
        truncated = np.zeros(self.num_envs, np.bool_)
        return self._row(), rewards, games.over.copy(), truncated, {**self._info(), "illegal": illegal}

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """Return the legal actions of each game, bool[num_envs, n_actions]."""
        return self._games.masks.copy()

    def _row(self) -> Row:
        assert self._games.tensors is not None
        return self.observation.normalised(self._games.tensors) if self._normalised else self._games.tensors.copy()

    def _info(self) -> Info:
        return {"action_mask": self._games.masks.astype(np.int8), "side": self._games.sides.copy()}


def _rows(observation: Observation, normalised: bool) -> Any:
    if normalised:
        return gymnasium.spaces.Box(-1.0, 1.0, (observation.size,), np.float32)
    limits = np.iinfo(np.int16)
    return gymnasium.spaces.Box(limits.min, limits.max, (observation.size,), np.int16)


def _register() -> None:
    for game_id in kits():
        name = f"brinkmanship/{game_id}-v0"
        if name not in gymnasium.registry:
            gymnasium.register(
                name,
                f"{__name__}:{BrinkmanshipEnv.__name__}",
                vector_entry_point=f"{__name__}:{BrinkmanshipVectorEnv.__name__}",
                kwargs={"game": game_id},
            )


_register()
