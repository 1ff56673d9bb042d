"""The interactive API: games and views for Python code (`import brinkmanship as brink`).

>>> import brinkmanship as brink
>>> game = brink.load("13-minutes")
>>> position = brink.Position(game, seed=1)          # chance is drawn from the seed until a side has to act
>>> position.to_move                                   # both sides bid at once, in secret
('us', 'ussr')
>>> position.legal[1]
'bid 1'
>>> position.play("bid 1")
>>> position.play("bid 0", "ussr")
>>> position.undo()
'bid 0'
>>> position.to_move
('ussr',)

`Position` is the whole game, `View` the part of it that one viewer knows. Both can be written to and read from JSON,
and are displayed as the board in a notebook. They are built on `engine.match` and `engine.perspective`, which give
programs more control.
"""

from __future__ import annotations

import base64
import json
import random
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from brinkmanship.compilation import announced
from brinkmanship.engine import journal
from brinkmanship.engine.chance import generator
from brinkmanship.engine.errors import BrinkError, MalformedActionError
from brinkmanship.engine.game import CHANCE, FULL_INFORMATION, OBSERVER, Game
from brinkmanship.engine.match import Dealer, Match, dealer
from brinkmanship.engine.observation import Observation
from brinkmanship.engine.options import OptionValue
from brinkmanship.engine.perspective import Perspective
from brinkmanship.engine.record import State
from brinkmanship.games.registry import is_compiled, load_game

PUBLIC = "public"
"""The viewer who does not play a side."""


class LegalAction(str):
    """The text of a legal action, as `Position.play` takes it; `number` is the action's number.

    >>> action = Position(load("13-days"), seed=1).legal[0]
    >>> action, action.number
    ('keep military_track', 115)
    """

    number: int

    def __new__(cls, text: str, number: int) -> LegalAction:
        action = super().__new__(cls, text)
        action.number = number
        return action

    def __reduce__(self) -> tuple[type[LegalAction], tuple[str, int]]:
        return LegalAction, (str(self), self.number)


class Result(NamedTuple):
    """The result of a game."""

    winner: str | None
    """The side that won, None without a winner."""
    reason: str
    """One of `Game.reasons`."""


class PositionError(BrinkError, ValueError):
    """A text that is not a position or view of this program, or a side that the game does not have."""


def load(game_id: str, options: Mapping[str, OptionValue] | None = None, cards: str | Path | None = None) -> Game:
    """Load a ruleset by the id of its game; compile it first, with a line that says so, if this machine has not yet.

    Args:
        game_id: "13-days", "13-minutes", "ukrainian-crisis", or a game that another package provides.
        options: by name; missing ones have their defaults. `Game.option_values` lists them.
        cards: a data file in place of the game's own (docs/design/cards.md).

    Raises:
        UnknownGameError: no game has this id.
        DataFileError: the data file cannot be used.
        OptionError: an unknown option or value.

    >>> load("13-days", options={"agenda_icon_order": "escalate_then_score"}).title
    '13 Days: The Cuban Missile Crisis'
    """
    with announced(game_id, is_compiled(game_id)):
        return load_game(game_id, cards, options)


class Position:
    """A game in progress, with all cards open and every action since its start.

    Chance events are resolved automatically: after each call a side has to act, or the game is over.

    Args:
        game: the ruleset (`load`).
        seed: seed of chance: the same decisions always give the same game. None: the operating system's randomness.
    """

    def __init__(self, game: Game, seed: int | None = None) -> None:
        self.game = game
        self.seed = seed
        self._match = Match(game)
        self._match.advance(self._deal)

    @classmethod
    def of_match(cls, match: Match, seed: int | None = None) -> Position:
        """Return the position of a match, as an independent copy.

        >>> Position.of_match(Match(load("13-days")), seed=1).to_move
        ('us', 'ussr')
        """
        position = cls.__new__(cls)
        position.game, position.seed, position._match = match.game, seed, match.copy()
        position._match.advance(position._deal)
        return position

    @classmethod
    def from_state(cls, game: Game, state: State, seed: int | None = None) -> Position:
        """Return the position of a full state, such as one of `View.redeal`; it has no past.

        Args:
            game: the ruleset.
            state: the state record (`Game.dtype`), which is copied.
            seed: seed of the chance events to come.

        >>> position = Position(load("13-days"), seed=1)
        >>> Position.from_state(position.game, position.state, seed=3).to_move
        ('us', 'ussr')
        """
        return cls.of_match(Match(game, state), seed)

    @property
    def _deal(self) -> Dealer:
        if self.seed is None:
            return dealer()
        # Seed each chance event by its index, so that undoing and repeating an action draws the same result.
        return lambda n: random.Random(f"{self.seed} {len(self._match.entries)}").randrange(n)

    @property
    def state(self) -> State:
        """A copy of the state record (`Game.dtype`). Its fields are listed in the game's ``state.py``."""
        return self.game.copy(self._match.state)

    @property
    def to_move(self) -> tuple[str, ...]:
        """The sides that may act: two where both choose in secret at once, none when the game is over."""
        return tuple(self.game.sides[side] for side in sorted(self._match.pending))

    @property
    def legal(self) -> list[LegalAction]:
        """The legal actions of the first side to move, as `play` takes them; for the other: ``view(side).legal``."""
        side = min(self._match.pending, default=OBSERVER)
        return [LegalAction(decision.text, decision.action) for decision in self._match.legal(side)]

    @property
    def history(self) -> list[str]:
        """Every action so far with its actor: "us keep cuba_military", "chance draw scramble", "rules escalate".

        >>> Position(load("13-days"), seed=1).history[0]
        'rules escalate'
        """
        return [f"{journal.actor_name(self.game, entry)} {entry.text}" for entry in self._match.entries]

    @property
    def is_over(self) -> bool:
        """True if the game has ended."""
        return self._match.is_over

    @property
    def outcome(self) -> Result | None:
        """The winner and the reason; None while the game is in progress."""
        if (outcome := self._match.outcome()) is None:
            return None
        return Result(None if outcome.winner is None else self.game.sides[outcome.winner], outcome.reason)

    def play(self, action: str | int, side: str | None = None) -> None:
        """Take an action, then resolve chance and the steps of the rules.

        Args:
            action: its text or its number.
            side: the side that takes it; None: the first of `to_move`.

        Raises:
            MalformedActionError: not an action of this game.
            IllegalActionError: not legal here; the message lists the legal actions. The position is unchanged.
            PositionError: the game has no such side.
        """
        self._match.push(action, min(self._match.pending, default=None) if side is None else _side(self.game, side))
        self._match.advance(self._deal)

    def undo(self) -> str:
        """Take back the last decision with all chance events and rule steps after it, and return its text.

        Raises:
            IndexError: no decision has been taken yet.
        """
        if all(entry.actor == CHANCE for entry in self._match.entries):
            raise IndexError("nothing to take back: no decision has been taken yet")
        while True:
            entry = self._match.pop()
            if entry.actor != CHANCE:
                return entry.text

    def positions(self) -> list[Position]:
        """Return the position before each decision, from the start, and this one.

        >>> position = Position(load("13-days"), seed=1)
        >>> position.play(position.legal[0])
        >>> len(position.positions())
        2
        """
        found = [self]
        while any(entry.actor != CHANCE for entry in found[-1]._match.entries):
            earlier = found[-1].copy()
            earlier.undo()
            found.append(earlier)
        return found[::-1]

    def copy(self) -> Position:
        """Return an independent position at the same point, with the same past and the same chance."""
        return Position.of_match(self._match, self.seed)

    def view(self, viewer: str = PUBLIC) -> View:
        """Return the view of a side, or of the public.

        Raises:
            PositionError: the game has no such side.
        """
        return View.of(Perspective(self._match, _viewer(self.game, viewer)))

    def svg(self, language: str = "en") -> str:
        """Draw the board with all cards open, as a standalone picture."""
        return _board(self.game, self._match.state, OBSERVER, language)

    def journal(self, headers: Mapping[str, str] | None = None) -> journal.Journal:
        """Return the record of the game (docs/develop/formats.md); ``position.journal().text()`` is its text.

        Raises:
            PositionError: the position was made by `from_state`, so that nobody knows how it came about.
        """
        if not self._match.is_from_start:
            raise PositionError("a position made from a state has no journal: its game before that is not known")
        return journal.of_match(self._match, headers)

    def write(self, path: str | Path, headers: Mapping[str, str] | None = None) -> None:
        """Write the journal to a file atomically.

        Raises:
            OSError: the file cannot be written.
        """
        self.journal(headers).write(path)

    def to_json(self) -> str:
        """Return the whole position as JSON: its journal, from which `from_json` restores it, and its public state."""
        state = self.game.public_state(self._match.state)
        return json.dumps({"position": 1, "seed": self.seed, "journal": self.journal().text(), "public": state})

    @classmethod
    def from_json(cls, text: str, game: Game | None = None) -> Position:
        """Restore a position from the JSON of `to_json`.

        Args:
            text: the JSON.
            game: the ruleset, if the game is played with a custom data file.

        Raises:
            PositionError: the text is not such JSON.
            JournalError: its journal breaks the rules.
        """
        data = _json(text, "position", {"seed": (int, type(None)), "journal": (str,)})
        record = journal.parse(data["journal"])
        ruleset = game or load_game(record.game_id, options=record.options)
        return cls.of_match(journal.play(record, ruleset), data["seed"])

    def _repr_svg_(self) -> str:
        return self.svg()

    def __repr__(self) -> str:
        if (outcome := self.outcome) is not None:
            return f"<Position of {self.game.id}: over, {outcome.winner or 'nobody'} by {outcome.reason}>"
        last = f", after {self.history[-1]!r}" if self._match.entries else ""
        return f"<Position of {self.game.id}: {' and '.join(self.to_move)} asked, {len(self.legal)} legal{last}>"


@dataclass(frozen=True)
class View:
    """A position as one viewer knows it: all information that an honest player may have.

    >>> view = Position(load("13-days"), seed=1).view("us")
    >>> view.to_move
    ('us', 'ussr')
    >>> View.from_json(view.to_json()) == view
    True
    """

    game: Game
    viewer: str
    """A side, or "public"."""
    state: State
    """The viewer's record (`Game.view`): the fields of the whole state, blank where the viewer does not know them."""
    to_move: tuple[str, ...]
    """The sides that may act, as far as the viewer may know."""
    legal: tuple[LegalAction, ...]
    """The legal actions of the viewer, as `Position.play` takes them."""
    history: tuple[str, ...]
    """Every action; "chance draw ?" where the viewer may not know the card."""

    @classmethod
    def of(cls, perspective: Perspective) -> View:
        """Return the current view of a perspective."""
        game = perspective.game
        return cls(
            game,
            _viewer_name(game, perspective.viewer),
            perspective.view(),
            tuple(game.sides[side] for side in sorted(perspective.to_move)),
            tuple(LegalAction(decision.text, decision.action) for decision in perspective.legal()),
            tuple(f"{journal.actor_name(game, entry)} {entry.text}" for entry in perspective.entries),
        )

    @classmethod
    def of_observation(cls, seen: Observation) -> View:
        """Return the view of the side that observed a game."""
        game, state = seen.game, seen.view()
        bits = int(game.pending(game.rules, state))
        return cls(
            game,
            game.sides[seen.side],
            state,
            tuple(name for number, name in enumerate(game.sides) if bits >> number & 1),
            tuple(LegalAction(game.action_text(action), action) for action in game.legal_actions(state, seen.side)),
            tuple(each.line for each in seen.actions),
        )

    @property
    def side(self) -> int:
        """The number of the viewer's side; `OBSERVER` for the public."""
        return _viewer(self.game, self.viewer)

    @property
    def known(self) -> dict[str, Any]:
        """The viewer's state as plain data with the ids of the data file (`Game.known_state`)."""
        return self.game.known_state(self.state, self.side)

    def after(self, action: str | int) -> State:
        """Return the viewer's record after one of the viewer's own actions, before the chance events it causes.

        Raises:
            MalformedActionError: not an action of this game.
            IllegalActionError: not legal here.
        """
        return self.game.after(self.state, action, self.side)

    def redeal(self, seed: int) -> State:
        """Sample a whole state that is consistent with the view (a determinization); the same one for the same seed."""
        out = self.game.new_states(1)[0]
        self.game.redeal(self.game.rules, self.state, self.side, generator(seed), out)
        return out

    def svg(self, language: str = "en") -> str:
        """Draw the board as the viewer sees it, as a standalone picture."""
        return _board(self.game, self.state, self.side, language)

    def to_json(self) -> str:
        """Return the view as JSON: the viewer's knowledge with ids of the data file, and the record itself."""
        return json.dumps(
            {
                "view": 1,
                "game": self.game.id,
                "rules": self.game.version,
                "options": dict(self.game.options),
                "data_sha256": self.game.data_sha256,
                "reader": self.viewer,
                "asked": self.to_move,
                "legal": self.legal,
                "history": self.history,
                "known": self.known,
                "record": base64.b64encode(self.state.tobytes()).decode("ascii"),
            }
        )

    @classmethod
    def from_json(cls, text: str, game: Game | None = None) -> View:
        """Restore a view from the JSON of `to_json`.

        Args:
            text: the JSON.
            game: the ruleset, if the game is played with a custom data file.

        Raises:
            PositionError: the text is not such JSON, or belongs to another version of the rules or of the data file.
        """
        shape = {"game": (str,), "rules": (int,), "options": (dict,), "data_sha256": (str,), "reader": (str,)}
        lists = {"asked": (list,), "legal": (list,), "history": (list,), "record": (str,)}
        data = _json(text, "view", {**shape, **lists})
        ruleset = game or load_game(data["game"], options=data["options"])
        if (ruleset.id, ruleset.version, ruleset.data_sha256) != (data["game"], data["rules"], data["data_sha256"]):
            raise PositionError("this view belongs to other rules or cards; pass the game it belongs to")
        raw = base64.b64decode(data["record"])
        if len(raw) != ruleset.dtype.itemsize:
            raise PositionError(f"the record of a view of {ruleset.id} has {ruleset.dtype.itemsize} bytes")
        viewer = _viewer(ruleset, data["reader"])
        try:
            legal = tuple(LegalAction(text, ruleset.parse_action(text, viewer)) for text in data["legal"])
        except MalformedActionError as error:
            raise PositionError(f"the legal actions of a view: {error}") from error
        return cls(
            ruleset,
            _viewer_name(ruleset, viewer),
            ruleset.state_from_bytes(raw),
            tuple(data["asked"]),
            legal,
            tuple(data["history"]),
        )

    def _repr_svg_(self) -> str:
        return self.svg()

    def __repr__(self) -> str:
        return f"<View of {self.game.id} by {self.viewer}: {' and '.join(self.to_move) or 'nobody'} asked>"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, View) and self.to_json() == other.to_json()

    def __hash__(self) -> int:
        return hash((self.game.id, self.viewer, self.history))


def read(path: str | Path, cards: str | Path | None = None, seed: int | None = None) -> Position:
    """Return the position at the end of a journal file, checked by the rules.

    Args:
        path: the file.
        cards: the data file the game was played with, if it is not the game's own.
        seed: seed of the chance events still to come.

    Raises:
        JournalError: the file cannot be read or breaks the rules; the message names file and line.
    """
    record = journal.read(path)
    game = load_game(record.game_id, cards, record.options)
    return Position.of_match(journal.play(record, game), seed)


def read_all(path: str | Path, cards: str | Path | None = None, seed: int | None = None) -> Iterator[Position]:
    """Yield the positions at the ends of all journals of a file, one after another.

    Args:
        path: the file, with any number of journals.
        cards: the data file the games were played with, if it is not the game's own.
        seed: seed of the chance events still to come.

    Raises:
        JournalError: the file cannot be read, or a journal breaks the rules; the message names its number and line.
    """
    for record in journal.read_all(path):
        game = load_game(record.game_id, cards, record.options)
        yield Position.of_match(journal.play(record, game), seed)


ViewPolicy = Callable[[View], str | int]
"""A player in plain Python: given the view of its side, it returns one of `View.legal`, or an action's number."""


def _side(game: Game, name: str) -> int:
    if name not in game.sides:
        raise PositionError(f"{game.title} has no side {name!r}; its sides are {' and '.join(game.sides)}")
    return game.sides.index(name)


def _viewer(game: Game, name: str) -> int:
    return OBSERVER if name == PUBLIC else _side(game, name)


def _viewer_name(game: Game, viewer: int) -> str:
    if viewer == FULL_INFORMATION:
        raise PositionError("a View belongs to one reader; use a Position for full information")
    return journal.viewers(game)[viewer]


def _board(game: Game, state: State, viewer: int, language: str) -> str:
    from brinkmanship.drawing import BoardRequest, drawing_of
    from brinkmanship.text import words_for

    return drawing_of(game).board(game, state, viewer, words_for(game, language), BoardRequest(standalone="auto"))


def _json(text: str, kind: str, shape: Mapping[str, tuple[type, ...]]) -> dict[str, Any]:
    try:
        data = json.loads(text)
    except ValueError as error:
        raise PositionError(f"not valid JSON: {error}") from error
    if not isinstance(data, dict) or data.get(kind) != 1:
        raise PositionError(f'not a {kind} of version 1, which contains "{kind}": 1')
    for name, types in shape.items():
        if not isinstance(data.get(name), types):
            raise PositionError(f"a {kind} needs {name!r}")
    return data
