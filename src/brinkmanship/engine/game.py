"""The contract of a game.

A game is rules (data) x state (data) -> pure functions. `Game` bundles one game's rules tables with the compiled
functions over them; an instance is a *ruleset*: a game with chosen data and options. Everything else in this package
only reads these functions.

================================  =====================================================================
``start(rules, state)``           the state after set-up
``actor(rules, state)``           the side that acts, `CHANCE`, or `OVER`
``pending(rules, state)``         bits of the sides that may act; several where they choose in secret at once
``legal(rules, state, side,       writes every legal action of that side; returns how many, never 0 for a side
out)``                            that is pending
``apply(rules, state, action)``   the successor, in place; legal input only
``outcomes(rules, state, out,     the exact distribution at a node of CHANCE: actions and integer weights; a step
weights)``                        the rules take themselves is such a node with one outcome
``sample(rules, state, random)``  an outcome drawn from that distribution, by trial until one fits: of a full
                                  state only. A side's view hides where cards lie and gives it nothing to
                                  find, so it would never return: `redeal` first
``result(rules, state,            writes each side's utility; returns the index of the reason in `reasons`, 0
utility)``                        while the game is not over
``view(rules, state, side,        what the side knows: the same record, the rest blanked. The side after the last
out)``                            is the observer, who knows what is public
``redeal(rules, view, side,       a full state drawn from all that the side cannot tell apart
random, out)``
``audience(rules, state,          bits of those (the observer last) who may know this action
action)``
================================  =====================================================================

States are `Record`s of `Game.dtype`, so copying, storing and comparing one is copying, storing and
comparing its bytes.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
import numpy.typing as npt

from brinkmanship.engine.message import ActionParts, Dice, Line, Message
from brinkmanship.engine.options import OptionValue, preset_of
from brinkmanship.engine.reader import ActionReader
from brinkmanship.engine.record import blank_record, blank_records, record_from_bytes

if TYPE_CHECKING:
    from brinkmanship.engine.series import Series

CHANCE = 2
"""The actor where a card is drawn or a die is rolled, or where the rules themselves take a step."""
OVER = 3
"""The actor of a finished game."""
OBSERVER = 2
"""The "side" of an onlooker, for `view` and `audience`."""

State = Any
"""One `Record` of a game's dtype."""


class Game(ABC):
    """A game with chosen data and options. Subclasses live in `brinkmanship.games`, one per game."""

    id: ClassVar[str]
    version: ClassVar[int]
    """Of the rules: rises when a recorded game could now go differently."""
    title: ClassVar[str]
    data_name: ClassVar[str] = "cards"
    """What the data file holds. So the command line calls it (``--cards``, ``--scenario``), and so the package's own
    file is called (``cards.toml``)."""
    sides: ClassVar[tuple[str, ...]] = ("us", "ussr")
    reasons: ClassVar[tuple[str, ...]]
    """Why a game ends; the first means that it has not."""
    dtype: ClassVar[np.dtype[Any]]
    span: ClassVar[str] = ""
    """What who looks back counts by, "round" or "turn": a number in `public_state`. Empty for what is told in one."""
    has_dice: ClassVar[bool] = False
    """Whether dice are rolled (`dice`)."""
    n_actions: ClassVar[int]
    max_legal: ClassVar[int]

    rules_type: ClassVar[Any]
    state_type: ClassVar[Any]

    start: ClassVar[Callable[..., None]]
    actor: ClassVar[Callable[..., int]]
    pending: ClassVar[Callable[..., int]]
    legal: ClassVar[Callable[..., int]]
    apply: ClassVar[Callable[..., None]]
    outcomes: ClassVar[Callable[..., int]]
    sample: ClassVar[Callable[..., int]]
    result: ClassVar[Callable[..., int]]
    view: ClassVar[Callable[..., None]]
    redeal: ClassVar[Callable[..., None]]
    audience: ClassVar[Callable[..., int]]

    rules: Any
    """The tables every function above takes first."""
    action_texts: Mapping[int, str] | Sequence[str]
    """The text of every action, by its number."""
    action_reader: ActionReader
    """The other way."""
    options: Mapping[str, OptionValue]
    """All options of the ruleset with their values."""
    default_options: Mapping[str, OptionValue]
    """What the options are when nothing is chosen: by the data file."""
    data_file: str
    """The data file as the user named it, "" for the one in the package."""
    data_sha256: str
    """Fingerprint of the data file, so that a record names what it was played with."""

    @classmethod
    @abstractmethod
    def load(cls, data_file: str | Path | None = None, options: Mapping[str, OptionValue] | None = None) -> Game:
        """A ruleset from a data file (None: the package's own) and options (missing ones: their defaults).

        Raises:
            DataFileError: the file cannot be used.
            OptionError: an unknown option or value.
        """

    def action_text(self, action: int) -> str:
        """The text of an action, as journals and programs write it."""
        return self.action_texts[action]

    def parse_action(self, text: str, side: int) -> int:
        """The action with this text by this side (`CHANCE` for chance and the rules).

        Raises:
            MalformedActionError: no action of this ruleset is called so.
        """
        return self.action_reader.number(text, side)

    def hidden_action_text(self, action: int) -> str:
        """The text of an action for those outside its audience: what kind it is, and no more."""
        return self.action_texts[action].split()[0] + " ?"

    @abstractmethod
    def is_rules_step(self, state: State) -> bool:
        """Whether this node of CHANCE is a step the rules take themselves: nothing is drawn or rolled."""

    @abstractmethod
    def public_state(self, state: State) -> dict[str, Any]:
        """The public part of a state as plain JSON data, ids as in the data file."""

    @abstractmethod
    def known_state(self, view: State, side: int) -> dict[str, Any]:
        """What a side (or `OBSERVER`) knows as plain JSON data, for programs.

        It is the public part and the side's own secrets. Two keys mean the same in every game: ``cards``, the ids of
        the cards that the reader knows, one for each card, by where they lie ("hand", "drawn" ...), empty where cards
        lie nowhere; and where sides choose agendas ``agenda``, the id of what each side has chosen, None if unknown.
        """

    @abstractmethod
    def option_values(self) -> Mapping[str, Sequence[OptionValue]]:
        """Every option with the values it takes."""

    def option_ranges(self) -> Mapping[str, tuple[int, int]]:
        """The options that take any whole number of a range, both ends included; `option_values` has the usual ones."""
        return {}

    def presets(self) -> Mapping[str, Mapping[str, OptionValue]]:
        """Options that go together, by the name of the preset: those that differ from their defaults. Chosen as the
        option `engine.options.PRESET`."""
        return {}

    def series(self, first_sides: tuple[int, int] = (0, 1)) -> Series | None:  # noqa: ARG002 - for games that have one
        """A new series of games between two players (a campaign), or None where the game has none.

        `first_sides` are the sides of players 0 and 1 in its first game.
        """
        return None

    @property
    def preset(self) -> str | None:
        """The preset that the options of this ruleset are, or None."""
        return preset_of(self.options, self.default_options, self.presets())

    @abstractmethod
    def action_parts(self, action: int) -> ActionParts:
        """What an action is made of: its kind, and the card, place, track, side and number it names."""

    @abstractmethod
    def prompt(self, view: State, side: int) -> Message:
        """What is asked now, for a reader (a side or `OBSERVER`) from that reader's view: a side that is asked reads
        the question, everybody else whom the game waits for."""

    @abstractmethod
    def describe(self, view: State, side: int, action: int) -> Message:
        """A legal action of a side as a choice a person reads, from that side's view."""

    @abstractmethod
    def narrate(self, before: State, action: int, after: State, reader: int) -> Iterator[Line]:
        """What happened when `action` (-1 where the reader may not know it) was taken, from the reader's two views:
        the deed first, then what followed from it."""

    def dice(self, before: State, action: int) -> Dice | None:  # noqa: ARG002 - for games with dice
        """The dice that fell as `action` was taken, from a reader's view before it; None where it is no roll."""
        return None

    def new_states(self, count: int) -> npt.NDArray[Any]:
        """An array of blank states."""
        return blank_records(count, self.dtype)

    def new_state(self) -> State:
        """A state after set-up."""
        state = blank_record(self.dtype)
        self.start(self.rules, state)
        return state

    def state_from_bytes(self, raw: bytes) -> State:
        """A state from its bytes (`state.tobytes()`), a record of its own."""
        return record_from_bytes(raw, self.dtype)

    def copy(self, state: State) -> State:
        """An independent copy of a state."""
        return record_from_bytes(state.tobytes(), self.dtype)

    def legal_actions(self, state: State, side: int) -> list[int]:
        """The legal actions of a side, as a list."""
        out = np.empty(self.max_legal, np.int16)
        actions: list[int] = out[: self.legal(self.rules, state, side, out)].tolist()
        return actions

    def distribution(self, state: State) -> dict[int, int]:
        """The outcomes at a node of CHANCE with their weights."""
        out = np.empty(self.max_legal, np.int16)
        weights = np.empty(self.max_legal, np.int64)
        count = self.outcomes(self.rules, state, out, weights)
        return dict(zip(out[:count].tolist(), weights[:count].tolist(), strict=True))

    def view_of(self, state: State, side: int) -> State:
        """A side's view as a new record."""
        out = blank_record(self.dtype)
        self.view(self.rules, state, side, out)
        return out

    def outcome(self, state: State) -> tuple[str, npt.NDArray[np.float64]]:
        """Why the game ended ("not_over" before that) and each side's utility, float64[2]."""
        utility = np.zeros(len(self.sides), np.float64)
        return self.reasons[self.result(self.rules, state, utility)], utility
