"""The narrator of a game: all texts about the game for people, and no rules.

A game's `Narrator` reads the ruleset and the viewer's views, and gives `Message`s, which the words of the game turn
into sentences. Rules, computer players and records work without it. `Game.narrator` is the one of a ruleset.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import ClassVar, Generic, Protocol, TypeVar

from brinkmanship.engine.entry import ViewedEntry
from brinkmanship.engine.message import Dice, LogLine, Message, Ref
from brinkmanship.engine.record import State
from brinkmanship.engine.score import ScoreTable


class NarratedGame(Protocol):
    """The members of a `Game` that the default texts use."""

    @property
    def sides(self) -> tuple[str, ...]:
        """The ids of the sides."""

    def to_move(self, state: State) -> frozenset[int]:
        """Return the sides that may act."""

    def is_over(self, state: State) -> bool:
        """Return True if the game is over."""

    def legal_actions(self, state: State, side: int) -> list[int]:
        """Return the legal actions of a side."""

    def action_text(self, action: int) -> str:
        """Return the text of an action."""


GameT = TypeVar("GameT", bound=NarratedGame)


class Narrator(Generic[GameT]):
    """Default narrator: general prompts, and actions by their texts. A game overrides the methods it has words for."""

    span: ClassVar[str] = ""
    """The unit in which a finished game is counted, "round" or "turn": a number in `Game.public_state`. "" for a game
    without.
    """
    has_dice: ClassVar[bool] = False
    """True if dice are rolled (`dice`)."""
    named_as: ClassVar[Mapping[str, tuple[str, ...]]] = {}
    """The kinds of names (`text.Words.name`) of the places and tracks in `Game.action_parts`; the first kind that has
    the id counts. Default: "place", "track".
    """
    may_do_nothing: ClassVar[tuple[str, ...]] = ()
    """Kinds of actions (`ActionParts.kind`) that may lead to further questions, such as an event. The player is warned
    where such an action would change nothing.
    """
    moved_by_every_play: ClassVar[tuple[str, ...]] = ()
    """The keys of `Game.known_state` that any play changes, so that they do not count as its effect."""

    def __init__(self, game: GameT) -> None:
        self.game = game

    def prompt(self, view: State, side: int) -> Message:
        """Return the current question for a viewer (a side or `OBSERVER`), from that viewer's view.

        A side that may act reads the question; all other viewers read which side the game waits for.
        """
        to_move = sorted(self.game.to_move(view))
        if side in to_move:
            return Message("plain.ask")
        if to_move:
            return Message("plain.wait", {"who": tuple(Ref("side", self.game.sides[number]) for number in to_move)})
        return Message("plain.over" if self.game.is_over(view) else "plain.chance")

    def aim(self, view: State, side: int) -> Message | None:  # noqa: ARG002 - for games with secret aims
        """Return the secret aim of a side, with its current value, from that side's view; None before the choice."""
        return None

    def describe(self, view: State, side: int, action: int) -> Message:  # noqa: ARG002 - for games with words
        """Return a legal action of a side as a choice for the player, from that side's view."""
        return Message("plain.choice", {"what": self.game.action_text(action)})

    def narrate(self, before: State, action: int, after: State, viewer: int) -> Iterator[LogLine]:  # noqa: ARG002 - as above
        """Yield the log lines of an action, from the viewer's two views: the action first, then its consequences.

        `action` is -1 where the viewer may not know it.
        """
        if action >= 0:
            to_move = self.game.to_move(before)
            side = next((number for number in to_move if action in self.game.legal_actions(before, number)), None)
            yield LogLine(Message("log.plain", {"what": self.game.action_text(action)}), side)

    def dice(self, before: State, action: int) -> Dice | None:  # noqa: ARG002 - for games with dice
        """Return the dice of an action, from a viewer's view before it; None if the action is not a roll."""
        return None

    def warning(self, before: State, after: State, side: int) -> Message | None:  # noqa: ARG002 - for games that warn
        """Return why a side would lose the game by its own action from `before` to `after`, None if it would not.

        It assumes that nothing else changes. Both are that side's views, so the message reveals nothing hidden.
        """
        return None

    def overpays(self, view: State, side: int, action: int) -> bool:  # noqa: ARG002 - for games with payments
        """Return True if a legal action pays more than can help: it stays legal, but pages and menus list it apart."""
        return False

    def score(self, history: Sequence[ViewedEntry]) -> tuple[ScoreTable, ...]:  # noqa: ARG002 - for games with a score
        """Return the sources of the score, part by part, from all entries of a game as an all-knowing viewer saw them.

        The deciding table comes first, explanatory ones follow. For a game in progress or a conceded one it is the
        current score. A game without a score has none.
        """
        return ()
