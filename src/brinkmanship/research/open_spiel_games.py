"""The games in OpenSpiel (extra ``openspiel``): importing this module registers them.

>>> import random
>>> import pyspiel
>>> import brinkmanship.research.open_spiel_games
>>> game = pyspiel.load_game("brinkmanship_13_minutes")
>>> state, choose = game.new_initial_state(), random.Random(1)
>>> while not state.is_terminal():
...     state.apply_action(choose.choice(state.legal_actions()))
>>> len(state.returns())
2

* **Players** 0 and 1 are the sides in the game's order. In a simultaneous choice player 0 chooses first, and player 1
  does not see that choice.
* **Actions** are the numbers of the game, including those of chance. Events with a single outcome, such as the steps of
  the rules, happen immediately and are not nodes.
* **Observations**: a player's is the row of `research.observation` (docs/research/observations.md), the public one that
  of an observer, the private one the difference of the two. Strings are JSON of `Game.known_state`.
* **Information states**: as strings everything the player saw, and the player's current knowledge; as tensors that
  knowledge and the last `HISTORY` actions, two numbers each, the latest first: ``(actor + 1) / 4`` and
  ``(action + 1) / n_actions``, 0 for an action the player does not know.
* **Parameter** ``options``: "name:value;name:value" of the game.
* `State.resample_from_infostate` samples a state consistent with the player's information, for the IS-MCTS in Python.
  The one in C++ crashes with any game written in Python (OpenSpiel 2.0.2).
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

import numpy as np

from brinkmanship.engine.chance import generator
from brinkmanship.engine.errors import OptionError
from brinkmanship.engine.game import CHANCE, OBSERVER, OVER, Game
from brinkmanship.engine.message import Message
from brinkmanship.engine.options import OptionValue
from brinkmanship.engine.record import State
from brinkmanship.extras import named
from brinkmanship.games.registry import kit_for, kit_of, kits
from brinkmanship.position import load
from brinkmanship.research.observation import Observation
from brinkmanship.research.step import LOWEST_ACTOR, MAX_TAKEN, PackedAction, stepper
from brinkmanship.testing import MAX_ACTIONS

try:
    import pyspiel
except ModuleNotFoundError as error:
    raise named(error) from None

HISTORY = 128
"""Number of actions in the tensor of an information state; longer games lose their beginning."""
_PLAYERS = {0: 0, 1: 1, CHANCE: int(pyspiel.PlayerId.CHANCE), OVER: int(pyspiel.PlayerId.TERMINAL)}


class _Ruleset:
    """A game, its layout and its step function; copies of a state share it."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.observation = Observation(game)
        self.step = stepper(type(game))

    def __deepcopy__(self, _: dict[int, Any]) -> _Ruleset:
        return self


class _Held:
    """The record of a state, copied by its bytes, with its history and its legal actions."""

    def __init__(self, ruleset: _Ruleset, record: State, taken: list[int], answers: list[int]) -> None:
        self._ruleset = ruleset
        self._step, self._rules = ruleset.step, ruleset.game.rules
        self._taken = np.empty(MAX_TAKEN, np.int64)
        self._answers = np.empty(ruleset.game.max_legal, np.int16)
        self._weights = np.empty(ruleset.game.max_legal, np.int64)
        self._shares = np.empty(ruleset.game.max_legal, np.float64)
        self.record = record
        self.taken = taken
        """The actions as packed by `PackedAction`."""
        self.answers = answers
        """The legal actions in order."""

    def __deepcopy__(self, _: dict[int, Any]) -> _Held:
        held = _Held(self._ruleset, self._ruleset.game.copy(self.record), self.taken.copy(), self.answers)
        held._shares[:] = self._shares
        return held

    def take(self, action: int, actor: int) -> int:
        """Apply an action and everything that follows without a choice; return the next actor."""
        # Optimised for speed: half of the cost of a step is spent here.
        room = self._taken, self._answers, self._weights, self._shares
        code = self._step(self._rules, self.record, action, actor, *room)
        if code >> 24 == 1:
            self.taken.append(self._taken.item(0))
        else:
            self.taken += self._taken[: code >> 24].tolist()
        self.answers = answers = self._answers[: code >> 8 & 0xFFFF].tolist()
        actor = (code & 255) + LOWEST_ACTOR
        if actor == CHANCE and len(answers) == 1:
            return self.take(answers[0], actor)
        return actor

    def begin(self, outcomes: Mapping[int, int]) -> None:
        """Set the possible first outcomes with their weights."""
        self.answers = sorted(outcomes)
        total = sum(outcomes.values())
        self._shares[: len(outcomes)] = [outcomes[answer] / total for answer in self.answers]

    def outcomes(self) -> list[tuple[int, float]]:
        """Return the outcomes of a chance node, in order, each with its probability."""
        return list(zip(self.answers, self._shares[: len(self.answers)].tolist(), strict=True))


@cache
def _ruleset(game_id: str, options: str) -> _Ruleset:
    return _Ruleset(load(game_id, _options(game_id, options)))


def _options(game_id: str, text: str) -> Mapping[str, OptionValue]:
    """Parse the options of a parameter.

    Raises:
        OptionError: the format is not "name:value;name:value", or the game has no such option or value.
    """
    game = load(game_id)
    chosen: dict[str, OptionValue] = {}
    for part in filter(None, text.split(";")):
        name, colon, value = part.partition(":")
        if not colon:
            raise OptionError(Message("fault.option.pair", {"text": part}))
        known = {str(each).lower(): each for each in game.option_values().get(name, ())}
        chosen[name] = known.get(value.lower(), int(value) if value.isdecimal() else value)
    return chosen


def _first(ruleset: _Ruleset) -> tuple[_Held, int]:
    """Return the first position with a choice, and its actor."""
    game = ruleset.game
    held = _Held(ruleset, game.new_state(), [], [])
    actor = int(game.actor(game.rules, held.record))
    if actor != CHANCE:
        held.answers = sorted(game.legal_actions(held.record, actor))
        return held, actor
    outcomes = game.distribution(held.record)
    if len(outcomes) == 1:
        return held, held.take(next(iter(outcomes)), actor)
    held.begin(outcomes)
    return held, actor


class BrinkmanshipState(pyspiel.State):  # type: ignore[misc]
    """A position; see the module."""

    def __init__(self, game: BrinkmanshipGame) -> None:
        super().__init__(game)
        self._ruleset = game.ruleset
        self._held, self._actor = _first(game.ruleset)
        self._player = _PLAYERS[self._actor]

    @property
    def record(self) -> State:
        """The state of the game, a record of `Game.dtype`."""
        return self._held.record

    @property
    def taken(self) -> list[int]:
        """All actions so far, packed as `PackedAction.of` reads them."""
        return self._held.taken

    def current_player(self) -> int:
        """Return the player to act."""
        return self._player

    # The base class would call back into Python for these two; overriding them saves the round trip.

    def legal_actions(self, player: int | None = None) -> list[int]:
        """Return the legal actions of the player to act; empty for another player."""
        return self._held.answers.copy() if player in (None, self._player) else []

    def is_chance_node(self) -> bool:
        """Return True if chance acts."""
        return self._actor == CHANCE

    def _legal_actions(self, player: int) -> list[int]:
        return self._held.answers if player == self._actor else []

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return the outcomes of a chance node, each with its probability."""
        return self._held.outcomes()

    def _apply_action(self, action: int) -> None:
        self._actor = actor = self._held.take(action, self._actor)
        self._player = _PLAYERS[actor]

    def _action_to_string(self, player: int, action: int) -> str:  # noqa: ARG002 - the library's signature
        return self._ruleset.game.action_text(action)

    def is_terminal(self) -> bool:
        """Return True if the game is over."""
        return self._actor == OVER

    def returns(self) -> list[float]:
        """Return each player's utility: 1 won, -1 lost, 0 drawn or not over."""
        utility: list[float] = self._ruleset.game.outcome(self.record)[1].tolist()
        return utility

    def seen(self, viewer: int) -> list[str]:
        """Return all actions so far as a viewer saw them."""
        game = self._ruleset.game
        texts = (game.hidden_action_text, game.action_text)
        moves = map(PackedAction.of, self._held.taken)
        return [f"{game.actor_name(who)} {texts[known >> viewer & 1](action)}" for who, action, known in moves]

    def resample_from_infostate(self, player: int, rng: Callable[[], float]) -> BrinkmanshipState:
        """Sample a state consistent with the information of the player to act.

        It has no history of its own: its past moves are masked to those the player saw.
        """
        game = self._ruleset.game
        view = game.view_of(self.record, player)
        dice = generator(int(rng() * (1 << 53)))
        sample = BrinkmanshipState(self.get_game())
        while True:
            game.redeal(game.rules, view, player, dice, sample.record)
            if game.actor(game.rules, sample.record) == player:  # otherwise the other half of the choice is open
                break
        sample._actor = sample._player = player
        moves = map(PackedAction.of, self._held.taken)
        known = (move if move.audience >> player & 1 else move._replace(audience=0) for move in moves)
        sample._held.taken = [move.packed() for move in known]
        sample._held.answers = sorted(game.legal_actions(sample.record, player))
        return sample

    def __str__(self) -> str:
        game = self._ruleset.game
        known = json.dumps(game.public_state(self.record))
        return f"{known} after {self.seen(OBSERVER)[-1] if self._held.taken else 'nothing'}"


class BrinkmanshipObserver:
    """A player's observation of a state; see the module."""

    def __init__(self, ruleset: _Ruleset, kind: Any, params: Any) -> None:
        if params:
            raise ValueError(f"an observer takes no parameters, not {params}")
        self._ruleset = ruleset
        self._recalls = kind.perfect_recall
        self._public = kind.public_info
        self._private = kind.private_info == pyspiel.PrivateInfoType.SINGLE_PLAYER
        self._all = kind.private_info == pyspiel.PrivateInfoType.ALL_PLAYERS
        size = ruleset.observation.size + (2 * HISTORY if self._recalls else 0)
        has_tensor = self._public or self._private or self._all
        self._rows = 2 if self._all else 1
        self.tensor = np.zeros(self._rows * size, np.float32) if has_tensor else None
        self.dict = {} if self.tensor is None else {"observation": self.tensor.reshape(self._rows, size)}

    def set_from(self, state: BrinkmanshipState, player: int) -> None:
        """Write a player's observation to `tensor`."""
        if self.tensor is None:
            return
        for row, viewer in zip(self.dict["observation"], self._viewers(player), strict=True):
            row[:] = self._row(state, viewer)
            if not self._public:
                row -= self._row(state, OBSERVER)

    def string_from(self, state: BrinkmanshipState, player: int) -> str | None:
        """Return a player's observation as a text."""
        if not (self._public or self._private or self._all):
            return None
        lines = state.seen(player if self._private or self._all else OBSERVER) if self._recalls else []
        for viewer in self._viewers(player):
            known = self._known(state, viewer)
            if not self._public:
                public = self._known(state, OBSERVER)
                known = {name: value for name, value in known.items() if public.get(name) != value}
            who = "public" if viewer == OBSERVER else self._ruleset.game.sides[viewer]
            lines.append(f"{who}: {json.dumps(known)}")
        return "\n".join(lines)

    def _viewers(self, player: int) -> tuple[int, ...]:
        if self._all:
            return (0, 1)
        return (player,) if self._private else (OBSERVER,)

    def _row(self, state: BrinkmanshipState, viewer: int) -> Any:
        row = self._ruleset.observation.of(self._ruleset.game.view_of(state.record, viewer), viewer)
        return np.concatenate([row, self._history(state, viewer)]) if self._recalls else row

    def _history(self, state: BrinkmanshipState, viewer: int) -> Any:
        """Return the last actions as a viewer saw them, float32[2 * HISTORY]; see the module."""
        out = np.zeros((HISTORY, 2), np.float32)
        for place, packed in enumerate(reversed(state.taken[-HISTORY:])):
            move = PackedAction.of(packed)
            out[place, 0] = (move.actor + 1) / 4
            out[place, 1] = (move.action + 1) / self._ruleset.game.n_actions if move.audience >> viewer & 1 else 0
        return out.ravel()

    def _known(self, state: BrinkmanshipState, viewer: int) -> dict[str, Any]:
        game = self._ruleset.game
        view = game.view_of(state.record, viewer)
        return {**game.known_state(view, viewer), "asked": [game.sides[side] for side in sorted(game.to_move(view))]}


class BrinkmanshipGame(pyspiel.Game):  # type: ignore[misc]
    """A ruleset; one class for each game is registered."""

    kind: Any
    game_id: str

    def __init__(self, params: Mapping[str, Any] | None = None) -> None:
        self.ruleset = _ruleset(self.game_id, str((params or {}).get("options", "")))
        game = self.ruleset.game
        zero = {"utility_sum": 0.0} if kit_for(game).zero_sum else {}
        info = pyspiel.GameInfo(
            num_distinct_actions=game.n_actions,
            max_chance_outcomes=game.n_actions,
            num_players=len(game.sides),
            min_utility=-1.0,
            max_utility=1.0,
            max_game_length=MAX_ACTIONS,
            **zero,
        )
        super().__init__(self.kind, info, params or {})

    def new_initial_state(self) -> BrinkmanshipState:
        """Return a game before the first card is dealt."""
        return BrinkmanshipState(self)

    def max_chance_nodes_in_history(self) -> int:
        """Return an upper bound far above any game."""
        return MAX_ACTIONS

    def make_py_observer(self, kind: Any = None, params: Any = None) -> BrinkmanshipObserver:
        """Return an observer for a player or the public."""
        return BrinkmanshipObserver(self.ruleset, kind or pyspiel.IIGObservationType(perfect_recall=False), params)


def short_name(game_id: str) -> str:
    """Return OpenSpiel's name of a game: "brinkmanship_13_days"."""
    return "brinkmanship_" + game_id.replace("-", "_")


def register(game_id: str) -> None:
    """Register a game, unless it is already; the games installed at the first import are."""
    if short_name(game_id) in pyspiel.registered_names():
        return
    zero = pyspiel.GameType.Utility.ZERO_SUM if kit_of(game_id).zero_sum else pyspiel.GameType.Utility.GENERAL_SUM
    kind = pyspiel.GameType(
        short_name=short_name(game_id),
        long_name=f"Brinkmanship: {game_id}",
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
        utility=zero,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=2,
        min_num_players=2,
        provides_information_state_string=True,
        provides_information_state_tensor=True,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification={"options": ""},
        provides_factored_observation_string=True,
    )
    of_game = type(f"Brinkmanship_{game_id}", (BrinkmanshipGame,), {"kind": kind, "game_id": game_id})
    pyspiel.register_game(kind, of_game)


for _game_id in kits():
    register(_game_id)
