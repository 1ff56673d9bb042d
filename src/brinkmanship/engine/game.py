"""The contract of a game.

A game is rules (data) x state (data) -> pure functions. `Game` bundles one game's rules tables with the compiled
functions over them; an instance is a *ruleset*: a game with chosen data and options. All other packages only read these
functions. Texts for people are in the game's narrator (`engine.narrator`).

================================  =====================================================================
``start(rules, state)``           the state after set-up
``actor(rules, state)``           the side that acts, `CHANCE`, or `OVER`
``pending(rules, state)``         bits of the sides that may act; several where they choose in secret at once
``legal(rules, state, side,       writes every legal action of that side; returns how many, never 0 for a side
out)``                            that is pending
``apply(rules, state, action)``   the successor, in place; legal input only
``outcomes(rules, state, out,     the exact distribution at a node of CHANCE: actions and integer weights; a step
weights)``                        the rules take themselves is such a node with one outcome
``sample(rules, state, random)``  an outcome drawn from that distribution by rejection sampling: full states
                                  only. A side's view hides where cards lie, so that no sample would ever
                                  be accepted and it would never return: `redeal` first
``result(rules, state,            writes each side's utility, the 0 of a draw too; returns the index of the reason in
utility)``                        `reasons`, 0 while the game is not over
``view(rules, state, side,        the side's view: the same record, hidden fields blanked. The side after the last
out)``                            is the observer, who knows the public information
``redeal(rules, view, side,       a full state sampled from all that are consistent with the view
random, out)``
``audience(rules, state,          bits of those (the observer last) who may know this action
action)``
================================  =====================================================================

States are `Record`s of `Game.dtype`, so copying, storing and comparing one is copying, storing and
comparing its bytes.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any, ClassVar, Protocol

import numpy as np
import numpy.typing as npt

from brinkmanship.engine.action_parser import ActionParser
from brinkmanship.engine.errors import DataFileError, IllegalActionError, MalformedActionError
from brinkmanship.engine.message import ActionParts, Message
from brinkmanship.engine.narrator import Narrator
from brinkmanship.engine.options import OptionValue, preset_of
from brinkmanship.engine.record import State, blank_record, blank_records, record_from_bytes
from brinkmanship.engine.standing_orders import StandingOrder

if TYPE_CHECKING:
    from brinkmanship.engine.data_file import DataSource
    from brinkmanship.engine.series import Series

CHANCE = 2
"""The actor where a card is drawn or a die is rolled, or where the rules themselves take a step."""
OVER = 3
"""The actor of a finished game."""
OBSERVER = 2
"""The "side" of a spectator, for `view` and `audience`."""
FULL_INFORMATION = 3
"""The viewer to whom all cards are open, after the game (`engine.perspective`)."""

MAX_LOADED = 64
"""Maximum cached rulesets that came from other processes, to bound memory."""


class Flow(Protocol):
    """The module of a game's rules: the functions of the contract over states."""

    start: Callable[..., None]
    actor: Callable[..., int]
    pending: Callable[..., int]
    legal: Callable[..., int]
    apply: Callable[..., None]
    outcomes: Callable[..., int]
    sample: Callable[..., int]
    result: Callable[..., int]


class Knowledge(Protocol):
    """The module of the sides' knowledge: the functions of the contract over views."""

    view: Callable[..., None]
    redeal: Callable[..., None]
    audience: Callable[..., int]


class GameFile(Protocol):
    """A game's data file as read by `engine.data_file.read`."""

    @property
    def file(self) -> str:
        """The file as the user named it, "" for the one in the package."""

    @property
    def sha256(self) -> str:
        """The SHA-256 of its text."""


class Game(ABC):
    """A game with chosen data and options. Subclasses live in `brinkmanship.games`, one per game.

    A subclass names the modules of its functions and, where it has words, its `Narrator`:
    ``class SealedBids(Game, flow=flow, knowledge=knowledge, narrator=SealedBidsNarrator)``.
    """

    id: ClassVar[str]
    version: ClassVar[int]
    """Version of the rules: raised when a recorded game could now go differently."""
    also_plays: ClassVar[frozenset[int]] = frozenset()
    """Older versions whose recorded games replay exactly the same in this one, e.g. because only options were added."""
    title: ClassVar[str]
    data_name: ClassVar[str] = "cards"
    """The content of the data file. It names the command line option (``--cards``, ``--scenario``) and the package's
    own file (``cards.toml``).
    """
    sides: ClassVar[tuple[str, ...]] = ("us", "ussr")
    reasons: ClassVar[tuple[str, ...]]
    """Why a game ends; the first means that it is not over."""
    dtype: ClassVar[np.dtype[Any]]
    n_actions: ClassVar[int]
    max_legal: ClassVar[int]

    open_cards: ClassVar[tuple[str, ...]] = ()
    """The piles of `known_state` that lie open between both sides while a side has to look at them."""
    allowed_options: ClassVar[Mapping[str, Sequence[OptionValue]]] = {}
    """The options with the values they take, for `option_values`."""
    own_cards: ClassVar[tuple[str, ...]] = ("hand",)
    """The piles of `known_state` that belong to a side, in the order in which they are shown to it."""
    last_step_of_rules: ClassVar[int] = -1
    """The last of the nodes, which come first, where the rules themselves take a step (`is_rules_step`)."""

    narrator_class: ClassVar[type[Narrator[Any]]] = Narrator
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

    narrator: Narrator[Any]
    """The texts of the game for people."""
    rules: Any
    """The tables that every function above takes first."""
    action_texts: Mapping[int, str] | Sequence[str]
    """The text of every action, by its number."""
    action_parser: ActionParser
    """The inverse: actions by their texts."""
    options: Mapping[str, OptionValue]
    """All options of the ruleset with their values."""
    default_options: Mapping[str, OptionValue]
    """The default options, from the data file."""
    data_file: str
    """The data file as the user named it, "" for the one in the package."""
    source: DataSource | None = None
    """The data source as passed to `load_game`, None for the package's own."""
    data_sha256: str
    """SHA-256 of the data file, so that a record identifies its cards."""

    def __init_subclass__(
        cls,
        flow: Flow | None = None,
        knowledge: Knowledge | None = None,
        narrator: type[Narrator[Any]] | None = None,
        **keywords: Any,
    ) -> None:
        super().__init_subclass__(**keywords)
        cls.narrator_class = narrator or cls.narrator_class
        for module, contract in ((flow, Flow), (knowledge, Knowledge)):
            for name in contract.__annotations__ if module is not None else ():
                setattr(cls, name, staticmethod(getattr(module, name)))

    def __init__(
        self, data: GameFile, options: Mapping[str, OptionValue], default_options: Mapping[str, OptionValue]
    ) -> None:
        self.narrator = self.narrator_class(self)
        self.options = options
        self.default_options = default_options
        self.data_file = data.file
        self.data_sha256 = data.sha256

    @classmethod
    @abstractmethod
    def load(cls, data_file: DataSource | None = None, options: Mapping[str, OptionValue] | None = None) -> Game:
        """Load a ruleset from a data file (None: the package's own) and options (missing ones: their defaults).

        Raises:
            DataFileError: the file cannot be used.
            OptionError: an unknown option or value.
        """

    def __reduce__(self) -> tuple[Any, ...]:
        # Pickle the sources of a ruleset instead of its tables: the other process loads and caches it.
        return _loaded, (type(self), self.source, tuple(sorted(self.options.items())), self.data_sha256)

    @classmethod
    def can_play(cls, version: int) -> bool:
        """Return True if recorded games of a version of the rules replay unchanged in this one."""
        return version == cls.version or version in cls.also_plays

    def action_text(self, action: int) -> str:
        """Return the text of an action, as in journals and programs."""
        return self.action_texts[action]

    def parse_action(self, text: str, side: int) -> int:
        """Return the action with this text by this side (`CHANCE` for chance and the rules).

        Raises:
            MalformedActionError: no action of this ruleset has this text.
        """
        return self.action_parser.number(text, side)

    def hidden_action_text(self, action: int) -> str:
        """Return the text of an action for viewers outside its audience: only its kind."""
        return self.action_texts[action].split()[0] + " ?"

    def is_rules_step(self, state: State) -> bool:
        """Return True if this node of CHANCE is a step the rules take themselves: nothing is drawn or rolled."""
        return int(state.node) <= self.last_step_of_rules

    @abstractmethod
    def public_state(self, state: State) -> dict[str, Any]:
        """Return the public part of a state as plain JSON data, with the ids of the data file."""

    @abstractmethod
    def known_state(self, view: State, side: int) -> dict[str, Any]:
        """Return the knowledge of a side (or `OBSERVER`) as plain JSON data, for programs.

        It is the public part and the side's own secrets. Two keys mean the same in every game: ``cards``, the ids of
        the cards that the viewer knows, one for each card, by pile ("hand", "drawn" ...), with empty lists for empty
        piles; and in games with agendas ``agenda``, the id of the agenda chosen by each side, None if unknown.
        """

    def option_values(self) -> Mapping[str, Sequence[OptionValue]]:
        """Return every option with the values it takes."""
        return self.allowed_options

    @property
    def own_data(self) -> str:
        """The file in the game's package that the ruleset uses without a custom data file."""
        return f"{self.data_name}.toml"

    @classmethod
    def own_files(cls) -> Sequence[str]:
        """Return the data files in the game's package; copy one to make custom cards."""
        return (f"{cls.data_name}.toml",)

    def option_ranges(self) -> Mapping[str, tuple[int, int]]:
        """Return the options that take any whole number of an inclusive range; `option_values` has the usual ones."""
        return {}

    def presets(self) -> Mapping[str, Mapping[str, OptionValue]]:
        """Return the presets by name, each with the options that differ from their defaults.

        A preset is chosen as the option `engine.options.PRESET`.
        """
        return {}

    def series(self, first_sides: tuple[int, int] = (0, 1)) -> Series | None:  # noqa: ARG002 - for games that have one
        """Return a new series of games between two players (a campaign), or None if the game has none.

        `first_sides` are the sides of players 0 and 1 in its first game.
        """
        return None

    def orders(self, side: int) -> Sequence[StandingOrder]:  # noqa: ARG002 - for games that have some
        """Return the standing orders available to a side: choices in advance for questions caused by the other side."""
        return ()

    def ordered_action(self, orders: Collection[str], view: State, side: int) -> int | None:  # noqa: ARG002 - as above
        """Return the legal action that a side's orders (texts of `orders`) prescribe in its view, or None."""
        return None

    @property
    def preset(self) -> str | None:
        """The preset that the options of this ruleset match, or None."""
        return preset_of(self.options, self.default_options, self.presets())

    def action_parts(self, action: int) -> ActionParts:
        """Return the parts of an action: its kind, and the card, place, track, side and number it names.

        The default has kinds only: the first words of the texts.
        """
        return ActionParts(self.action_text(action).split()[0])

    def new_states(self, count: int) -> npt.NDArray[Any]:
        """Return an array of blank states."""
        return blank_records(count, self.dtype)

    def new_state(self) -> State:
        """Return a state after set-up."""
        state = blank_record(self.dtype)
        self.start(self.rules, state)
        return state

    def state_from_bytes(self, raw: bytes) -> State:
        """Return a state from its bytes (`state.tobytes()`), as a separate record."""
        return record_from_bytes(raw, self.dtype)

    def copy(self, state: State) -> State:
        """Return an independent copy of a state."""
        return record_from_bytes(state.tobytes(), self.dtype)

    def after(self, state: State, action: int | str, side: int) -> State:
        """Return a copy of a state or view after a checked action of a side; chance has not acted yet.

        Raises:
            MalformedActionError: not an action of this game.
            IllegalActionError: not legal here; the message lists the legal actions.
        """
        number = self.legal_action(action, side, self.legal_actions(state, side))
        after = self.copy(state)
        self.apply(self.rules, after, number)
        return after

    def legal_action(self, action: int | str, side: int, legal: Sequence[int]) -> int:
        """Return the number of an action, given by text or number; it must be one of `legal`.

        Raises:
            MalformedActionError: not an action of this game.
            IllegalActionError: not one of `legal`; the message lists them.
        """
        number = self.parse_action(action, side) if isinstance(action, str) else int(action)
        if number not in legal:
            shown = action if isinstance(action, str) else self._text_of(number)
            if not legal:
                raise IllegalActionError(Message("fault.action.over", {"action": shown}))
            texts = ", ".join(self.action_text(each) for each in legal[:8]) + (", ..." if len(legal) > 8 else "")
            known = {"action": shown, "who": self.actor_name(side), "legal": texts}
            raise IllegalActionError(Message("fault.action.illegal", known))
        return number

    def _text_of(self, action: int) -> str:
        try:
            return self.action_text(action)
        except (KeyError, IndexError):
            known = {"action": str(action), "title": self.title}
            raise MalformedActionError(Message("fault.action.number", known)) from None

    def actor_name(self, actor: int) -> str:
        """Return the name of the side, "chance", or "nobody" when the game is over."""
        return {CHANCE: "chance", OVER: "nobody"}.get(actor) or self.sides[actor]

    def to_move(self, state: State) -> frozenset[int]:
        """Return the sides that may act in a state or view; more than one where they choose in secret at once."""
        return _sides_in(int(self.pending(self.rules, state)))

    def is_over(self, state: State) -> bool:
        """Return True if the game is over in a state or view."""
        return int(self.actor(self.rules, state)) == OVER

    def legal_actions(self, state: State, side: int) -> list[int]:
        """Return the legal actions of a side, as a list."""
        out = np.empty(self.max_legal, np.int16)
        actions: list[int] = out[: self.legal(self.rules, state, side, out)].tolist()
        return actions

    def distribution(self, state: State) -> dict[int, int]:
        """Return the outcomes at a node of CHANCE with their weights."""
        out = np.empty(self.max_legal, np.int16)
        weights = np.empty(self.max_legal, np.int64)
        count = self.outcomes(self.rules, state, out, weights)
        return dict(zip(out[:count].tolist(), weights[:count].tolist(), strict=True))

    def view_of(self, state: State, side: int) -> State:
        """Return a side's view as a new record."""
        out = blank_record(self.dtype)
        self.view(self.rules, state, side, out)
        return out

    def outcome(self, state: State) -> tuple[str, npt.NDArray[np.float64]]:
        """Return why the game ended ("not_over" before that) and each side's utility, float64[2]."""
        utility = np.zeros(len(self.sides), np.float64)
        return self.reasons[self.result(self.rules, state, utility)], utility


@lru_cache(MAX_LOADED)
def _loaded(
    game: type[Game], source: DataSource | None, options: tuple[tuple[str, OptionValue], ...], data_sha256: str
) -> Game:
    loaded = game.load(source, dict(options))
    if loaded.data_sha256 != data_sha256:
        raise DataFileError(loaded.data_file or loaded.own_data, None, Message("fault.changed"))
    loaded.source = source
    return loaded


@cache
def _sides_in(bits: int) -> frozenset[int]:
    return frozenset(side for side in range(bits.bit_length()) if bits >> side & 1)
