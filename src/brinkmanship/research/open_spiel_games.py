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

* **Players** 0 and 1 are the sides in the game's order. Where both choose in secret player 0 is asked first, and
  player 1 is not told what it chose.
* **Actions** are the numbers of the game, those of chance as well. What has one outcome, as the steps of the rules, is
  taken at once and is no node.
* **Observations**: a player's is the row of `research.observation` (docs/research/observations.md), the public one that
  of an onlooker, the private one the difference of the two. Strings are JSON of `Game.known_state`. Information states
  are strings only: all that the player saw, and what it knows now.
* **Parameter** ``options``: "name:value;name:value" of the game.
* `State.resample_from_infostate` draws a state that the player cannot tell from this one, for the IS-MCTS in Python.
  The one in C++ ends the process with any game written in Python (OpenSpiel 2.0.2).
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

import numpy as np
import pyspiel

from brinkmanship.engine.chance import generator
from brinkmanship.engine.errors import OptionError
from brinkmanship.engine.game import CHANCE, OBSERVER, OVER, Game
from brinkmanship.engine.message import Message
from brinkmanship.engine.options import OptionValue
from brinkmanship.engine.record import State
from brinkmanship.games.registry import kit_for, kit_of, kits
from brinkmanship.position import load
from brinkmanship.research.observation import Observation
from brinkmanship.research.step import LOWEST_ACTOR, MAX_TAKEN, Taken, stepper
from brinkmanship.testing import LONGEST

_PLAYERS = {0: 0, 1: 1, CHANCE: int(pyspiel.PlayerId.CHANCE), OVER: int(pyspiel.PlayerId.TERMINAL)}


class _Ruleset:
    """A game, its layout and its steps; copies of a state share it."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.observation = Observation(game)
        self.step = stepper(type(game))

    def __deepcopy__(self, _: dict[int, Any]) -> _Ruleset:
        return self


class _Held:
    """The record of a state, copied by its bytes, the way to it, and the answers there."""

    def __init__(self, ruleset: _Ruleset, record: State, taken: list[int], answers: list[int]) -> None:
        self._ruleset = ruleset
        self._step, self._rules = ruleset.step, ruleset.game.rules
        self._taken = np.empty(MAX_TAKEN, np.int64)
        self._answers = np.empty(ruleset.game.max_legal, np.int16)
        self._weights = np.empty(ruleset.game.max_legal, np.int64)
        self._shares = np.empty(ruleset.game.max_legal, np.float64)
        self.record = record
        self.taken = taken
        """The actions as `Taken` packs them."""
        self.answers = answers
        """In order."""

    def __deepcopy__(self, _: dict[int, Any]) -> _Held:
        held = _Held(self._ruleset, self._ruleset.game.copy(self.record), self.taken.copy(), self.answers)
        held._shares[:] = self._shares
        return held

    def take(self, action: int, actor: int) -> int:
        """Carry out an action and all that follows without a choice; who acts then."""
        # The quickest way there is in Python: half of what a step costs is spent here.
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
        """Say what may come first, and how much each of it weighs."""
        self.answers = sorted(outcomes)
        total = sum(outcomes.values())
        self._shares[: len(outcomes)] = [outcomes[answer] / total for answer in self.answers]

    def outcomes(self) -> list[tuple[int, float]]:
        """What may come where chance is to act, in order, each with its probability."""
        return list(zip(self.answers, self._shares[: len(self.answers)].tolist(), strict=True))


@cache
def _ruleset(game_id: str, options: str) -> _Ruleset:
    return _Ruleset(load(game_id, _options(game_id, options)))


def _options(game_id: str, text: str) -> Mapping[str, OptionValue]:
    """The options of a parameter.

    Raises:
        OptionError: it is not written "name:value;name:value", or the game has no such option or value.
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
    """The first position with a choice, and who has it."""
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

    def current_player(self) -> int:
        """Whose turn it is."""
        return self._player

    # The library asks its own class these two, which asks the state again: in Python the state answers itself.

    def legal_actions(self, player: int | None = None) -> list[int]:
        """What whoever acts may do; nothing for another player."""
        return self._held.answers.copy() if player in (None, self._player) else []

    def is_chance_node(self) -> bool:
        """Whether chance acts."""
        return self._actor == CHANCE

    def _legal_actions(self, player: int) -> list[int]:
        return self._held.answers if player == self._actor else []

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """What may come at a chance node, with its probability."""
        return self._held.outcomes()

    def _apply_action(self, action: int) -> None:
        self._actor = actor = self._held.take(action, self._actor)
        self._player = _PLAYERS[actor]

    def _action_to_string(self, player: int, action: int) -> str:  # noqa: ARG002 - the library's signature
        return self._ruleset.game.action_text(action)

    def is_terminal(self) -> bool:
        """Whether the game is over."""
        return self._actor == OVER

    def returns(self) -> list[float]:
        """Each player's utility: 1 won, -1 lost, 0 drawn or not over."""
        utility: list[float] = self._ruleset.game.outcome(self.record)[1].tolist()
        return utility

    def seen(self, reader: int) -> list[str]:
        """All actions so far as a reader saw them."""
        game = self._ruleset.game
        texts = (game.hidden_action_text, game.action_text)
        moves = map(Taken.of, self._held.taken)
        return [f"{game.actor_name(who)} {texts[known >> reader & 1](action)}" for who, action, known in moves]

    def resample_from_infostate(self, player: int, rng: Callable[[], float]) -> BrinkmanshipState:
        """A state drawn from those that a player on turn cannot tell from this one.

        It is a state without a history: the moves that led to it are known as far as the player saw them.
        """
        game = self._ruleset.game
        view = game.view_of(self.record, player)
        dice = generator(int(rng() * (1 << 53)))
        sample = BrinkmanshipState(self.get_game())
        while True:
            game.redeal(game.rules, view, player, dice, sample.record)
            if game.actor(game.rules, sample.record) == player:  # else one who was asked at once has not answered yet
                break
        sample._actor = sample._player = player
        moves = map(Taken.of, self._held.taken)
        known = (move if move.audience >> player & 1 else move._replace(audience=0) for move in moves)
        sample._held.taken = [move.packed() for move in known]
        sample._held.answers = sorted(game.legal_actions(sample.record, player))
        return sample

    def __str__(self) -> str:
        game = self._ruleset.game
        known = json.dumps(game.public_state(self.record))
        return f"{known} after {self.seen(OBSERVER)[-1] if self._held.taken else 'nothing'}"


class BrinkmanshipObserver:
    """What a player sees of a state; see the module."""

    def __init__(self, ruleset: _Ruleset, kind: Any, params: Any) -> None:
        if params:
            raise ValueError(f"an observer takes no parameters, not {params}")
        self._ruleset = ruleset
        self._recalls = kind.perfect_recall
        self._public = kind.public_info
        self._private = kind.private_info == pyspiel.PrivateInfoType.SINGLE_PLAYER
        self._all = kind.private_info == pyspiel.PrivateInfoType.ALL_PLAYERS
        size = ruleset.observation.size
        has_tensor = not self._recalls and (self._public or self._private or self._all)
        self._rows = 2 if self._all else 1
        self.tensor = np.zeros(self._rows * size, np.float32) if has_tensor else None
        self.dict = {} if self.tensor is None else {"observation": self.tensor.reshape(self._rows, size)}

    def set_from(self, state: BrinkmanshipState, player: int) -> None:
        """Write what a player sees to `tensor`."""
        if self.tensor is None:
            return
        for row, reader in zip(self.dict["observation"], self._readers(player), strict=True):
            row[:] = self._row(state, reader)
            if not self._public:
                row -= self._row(state, OBSERVER)

    def string_from(self, state: BrinkmanshipState, player: int) -> str | None:
        """What a player sees, as a text."""
        if not (self._public or self._private or self._all):
            return None
        lines = state.seen(player if self._private or self._all else OBSERVER) if self._recalls else []
        for reader in self._readers(player):
            known = self._known(state, reader)
            if not self._public:
                public = self._known(state, OBSERVER)
                known = {name: value for name, value in known.items() if public.get(name) != value}
            who = "public" if reader == OBSERVER else self._ruleset.game.sides[reader]
            lines.append(f"{who}: {json.dumps(known)}")
        return "\n".join(lines)

    def _readers(self, player: int) -> tuple[int, ...]:
        if self._all:
            return (0, 1)
        return (player,) if self._private else (OBSERVER,)

    def _row(self, state: BrinkmanshipState, reader: int) -> Any:
        return self._ruleset.observation.of(self._ruleset.game.view_of(state.record, reader), reader)

    def _known(self, state: BrinkmanshipState, reader: int) -> dict[str, Any]:
        game = self._ruleset.game
        view = game.view_of(state.record, reader)
        return {**game.known_state(view, reader), "asked": [game.sides[side] for side in sorted(game.asked(view))]}


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
            max_game_length=LONGEST,
            **zero,
        )
        super().__init__(self.kind, info, params or {})

    def new_initial_state(self) -> BrinkmanshipState:
        """A game before the first card is dealt."""
        return BrinkmanshipState(self)

    def max_chance_nodes_in_history(self) -> int:
        """A bound that no game comes near."""
        return LONGEST

    def make_py_observer(self, kind: Any = None, params: Any = None) -> BrinkmanshipObserver:
        """What players, or everybody, can see."""
        return BrinkmanshipObserver(self.ruleset, kind or pyspiel.IIGObservationType(perfect_recall=False), params)


def short_name(game_id: str) -> str:
    """What OpenSpiel calls a game: "brinkmanship_13_days"."""
    return "brinkmanship_" + game_id.replace("-", "_")


def _register(game_id: str) -> None:
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
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification={"options": ""},
        provides_factored_observation_string=True,
    )
    of_game = type(f"Brinkmanship_{game_id}", (BrinkmanshipGame,), {"kind": kind, "game_id": game_id})
    pyspiel.register_game(kind, of_game)


for _game_id in kits():
    if short_name(_game_id) not in pyspiel.registered_names():
        _register(_game_id)
