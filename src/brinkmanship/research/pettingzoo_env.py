"""A game as an environment of PettingZoo: both sides are agents, in turn (AEC) or at once (`parallel_env`).

>>> from brinkmanship.research.pettingzoo_env import env
>>> crisis = env("13-minutes")
>>> crisis.reset(seed=1)
>>> crisis.agents
['us_0', 'ussr_0']
>>> for agent in crisis.agent_iter():
...     observation, reward, terminated, truncated, info = crisis.last()
...     over = terminated or truncated
...     crisis.step(None if over else crisis.action_space(agent).sample(observation["action_mask"]))

**Agents**: a side's name with ``_0``. `agent_selection` is the one to act; in a simultaneous choice they act one after
the other, and the second does not see that the first has chosen.
**Actions**: ``Discrete(game.n_actions)``, the numbers of the game (its ``actions.py``).
**Observations**: ``observation``, a row of `research.observation` (int16, docs/research/observations.md), and
``action_mask``, int8, of the agent's legal actions: all 0 while it may not act.
**Rewards**: the game's utility at its end, otherwise 0: 1 won, -1 lost, 0 drawn. In `env` an illegal action ends the
game and costs its agent 1; `raw_env` raises `IllegalActionError`.
**At once**: in `parallel_env` every agent acts in each step. Secret choices of both sides are one step. An agent that
may not act takes the last action of its space, ``n_actions``: to wait.
**Versions**: ``v0``. The number rises when actions, observations or rewards change.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np

from brinkmanship.engine.chance import generator
from brinkmanship.engine.errors import IllegalActionError
from brinkmanship.engine.game import CHANCE, OBSERVER, OVER, Game
from brinkmanship.engine.message import Message
from brinkmanship.engine.options import OptionValue
from brinkmanship.extras import named
from brinkmanship.position import load
from brinkmanship.research.observation import Observation
from brinkmanship.research.pictures import RENDER_MODES, rendered

try:
    import gymnasium
    from gymnasium.utils import seeding
    from pettingzoo import AECEnv, ParallelEnv
    from pettingzoo.utils import wrappers
except ModuleNotFoundError as error:
    raise named(error) from None


def env(game: Game | str, **keywords: Any) -> AECEnv[str, Any, Any]:
    """Return the environment with the usual wrappers: an illegal action ends it, and calls in a wrong order raise."""
    inner = wrappers.TerminateIllegalWrapper(raw_env(game, **keywords), illegal_reward=-1)
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(inner))


_METADATA = {"render_modes": list(RENDER_MODES), "name": "brinkmanship_v0", "render_fps": 4}


class _Sides:
    """Both sides of a game as agents: what the environment in turn and the one at once share.

    Args:
        game: a ruleset or the id of a game.
        options: options of the game, if `game` is an id.
        render_mode: see `pictures.RENDER_MODES`.
        waits: True for a last action, ``n_actions``, of an agent that may not act.
    """

    def __init__(
        self,
        game: Game | str,
        options: Mapping[str, OptionValue] | None,
        render_mode: str | None,
        *,
        waits: bool = False,
    ) -> None:
        self.game = load(game, options) if isinstance(game, str) else game
        self.observation = Observation(self.game)
        self.render_mode = render_mode
        self.possible_agents = [f"{side}_0" for side in self.game.sides]
        self.agents: list[str] = []
        n_actions = self.game.n_actions + waits
        limits = np.iinfo(np.int16)
        row = gymnasium.spaces.Box(limits.min, limits.max, (self.observation.size,), np.int16)
        mask = gymnasium.spaces.Box(0, 1, (n_actions,), np.int8)
        self.observation_spaces = {
            agent: gymnasium.spaces.Dict({"observation": row, "action_mask": mask}) for agent in self.possible_agents
        }
        self.action_spaces = {agent: gymnasium.spaces.Discrete(n_actions) for agent in self.possible_agents}
        self._random, _ = seeding.np_random(None)

    def observation_space(self, agent: str) -> gymnasium.spaces.Space[Any]:
        """Return the observation space; see the module."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> gymnasium.spaces.Space[Any]:
        """Return the action space; see the module."""
        return self.action_spaces[agent]

    def close(self) -> None:
        """Do nothing: there are no resources to release."""

    def _start(self, seed: int | None) -> None:
        """Start a new game; with a seed, the random numbers of this one and the following games begin anew."""
        if seed is not None:
            self._random, _ = seeding.np_random(seed)
        self._dice = generator(int(self._random.integers(1 << 62)))
        self._state = self.game.new_state()
        self.agents = list(self.possible_agents)

    def _advance(self) -> int:
        """Let chance and the rules act; return the next actor."""
        game = self.game
        while (actor := int(game.actor(game.rules, self._state))) == CHANCE:
            game.apply(game.rules, self._state, game.sample(game.rules, self._state, self._dice))
        return actor


class raw_env(_Sides, AECEnv[str, Any, Any]):  # type: ignore[misc]  # noqa: N801 - the library's naming convention
    """The environment without wrappers; see the module docstring.

    Args:
        game: a ruleset or the id of a game.
        options: options of the game, if `game` is an id.
        render_mode: see `pictures.RENDER_MODES`.

    Raises:
        UnknownGameError, OptionError: as `load`.
    """

    metadata: ClassVar[dict[str, Any]] = {**_METADATA, "is_parallelizable": False}

    def __init__(
        self, game: Game | str, options: Mapping[str, OptionValue] | None = None, render_mode: str | None = None
    ) -> None:
        super().__init__(game, options, render_mode)

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:  # noqa: ARG002 - the library's
        """Start a new game. `options` is ignored."""
        self._start(seed)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self.agents[0]
        self._go_on()

    def observe(self, agent: str) -> dict[str, Any]:
        """Return the observation and the legal actions of an agent."""
        side = self.possible_agents.index(agent)
        mask = np.zeros(self.game.n_actions, np.int8)
        if agent == self.agent_selection:
            mask[self.game.legal_actions(self._state, side)] = 1
        return {"observation": self.observation.of(self.game.view_of(self._state, side), side), "action_mask": mask}

    def step(self, action: Any) -> None:
        """Take the action of the agent to act; chance and the rules follow.

        Raises:
            IllegalActionError: the action is not legal.
        """
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        if action is None:
            raise IllegalActionError(Message("fault.action.none", {"who": agent}))
        game, side = self.game, self.possible_agents.index(agent)
        number = game.legal_action(int(action), side, game.legal_actions(self._state, side))
        self._cumulative_rewards[agent] = 0.0
        game.apply(game.rules, self._state, number)
        self._go_on()
        self._accumulate_rewards()

    def render(self) -> Any:
        """Render the board as the agent to act knows it; see `pictures`."""
        side = self.possible_agents.index(self.agent_selection)
        return rendered(self.game, self.game.view_of(self._state, side), side, self.render_mode)

    def _go_on(self) -> None:
        actor = self._advance()
        if actor == OVER:
            utility = self.game.outcome(self._state)[1]
            self.rewards = {agent: float(utility[side]) for side, agent in enumerate(self.possible_agents)}
            self.terminations = dict.fromkeys(self.agents, True)
        else:
            self.agent_selection = self.possible_agents[actor]


class parallel_env(_Sides, ParallelEnv[str, Any, Any]):  # type: ignore[misc]  # noqa: N801 - the library's naming convention
    """The environment in which both agents act at once; see the module docstring.

    Args:
        game: a ruleset or the id of a game.
        options: options of the game, if `game` is an id.
        render_mode: see `pictures.RENDER_MODES`.

    Raises:
        UnknownGameError, OptionError: as `load`.
    """

    metadata: ClassVar[dict[str, Any]] = dict(_METADATA)

    def __init__(
        self, game: Game | str, options: Mapping[str, OptionValue] | None = None, render_mode: str | None = None
    ) -> None:
        super().__init__(game, options, render_mode, waits=True)
        self.wait = self.game.n_actions
        """The action of an agent that may not act."""

    def reset(
        self,
        seed: int | None = None,
        options: dict[str, Any] | None = None,  # noqa: ARG002 - the library's
    ) -> tuple[dict[str, Any], dict[str, dict[str, Any]]]:
        """Start a new game; return observations and infos. `options` is ignored."""
        self._start(seed)
        self._advance()
        return self._observations(), {agent: {} for agent in self.agents}

    def step(
        self, actions: Mapping[str, Any]
    ) -> tuple[dict[str, Any], dict[str, float], dict[str, bool], dict[str, bool], dict[str, dict[str, Any]]]:
        """Take the actions of all agents that may act, the others wait; chance and the rules follow.

        Raises:
            IllegalActionError: an action is not legal; nothing was changed.
        """
        game, agents = self.game, self.agents
        taken = {}
        for side in sorted(game.to_move(self._state)):
            legal = game.legal_actions(self._state, side)
            taken[side] = game.legal_action(int(actions[self.possible_agents[side]]), side, legal)
        while (actor := int(game.actor(game.rules, self._state))) in taken:
            game.apply(game.rules, self._state, taken.pop(actor))
        over = self._advance() == OVER
        utility = game.outcome(self._state)[1] if over else np.zeros(len(agents))
        rewards = {agent: float(utility[side]) for side, agent in enumerate(agents)}
        seen = self._observations()
        if over:
            self.agents = []
        return seen, rewards, dict.fromkeys(agents, over), dict.fromkeys(agents, False), {agent: {} for agent in agents}

    def render(self) -> Any:
        """Render the board as an observer knows it; see `pictures`."""
        return rendered(self.game, self.game.view_of(self._state, OBSERVER), OBSERVER, self.render_mode)

    def _observations(self) -> dict[str, Any]:
        game, seen = self.game, {}
        acting = game.to_move(self._state)
        for side, agent in enumerate(self.possible_agents):
            mask = np.zeros(self.wait + 1, np.int8)
            mask[game.legal_actions(self._state, side) if side in acting else self.wait] = 1
            row = self.observation.of(game.view_of(self._state, side), side)
            seen[agent] = {"observation": row, "action_mask": mask}
        return seen
