"""The log of a table as one viewer sees it: markup lines, plays of the calendar, and dice throws."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import NamedTuple

from markupsafe import Markup, escape

from brinkmanship.drawing import Drawing
from brinkmanship.engine.entry import Entry, ViewedEntry
from brinkmanship.engine.game import Game
from brinkmanship.engine.game_log import GameLog, LogEntry, cards_in
from brinkmanship.engine.message import Dice, LogLine
from brinkmanship.engine.perspective import UNKNOWN, Perspective
from brinkmanship.text import Words
from brinkmanship.web.presentation.shortcuts import HandSlots

WINDOW = 60
"""Maximum lines shown at once on a table page."""
THROWS = 5
"""Maximum recent dice throws that a page can animate."""
PLAYED = ("log.play", "log.draw_immediate")
"""Prefixes of the keys of lines about a card that has just been laid face up on the table."""

SOUNDS = {"log.war": "war", "log.step.no_war": "check", "log.no_war": "check", "log.check": "check"}
"""Sounds of lines by the beginning of their keys: nuclear war, and the check for it or for victory."""

LogViewLine = LogEntry[Markup]


def sound_of(line: LogViewLine) -> str:
    """Return the name of the sound of a line, "" for most."""
    key = line.line.message.key
    return next((sound for start, sound in SOUNDS.items() if key.startswith(start)), "")


class HintedDecisions:
    """The decisions made after a hint, for marking log lines.

    Args:
        entries: the game's entries as the viewer knows them.
        numbers: numbers of the entries decided after a hint, from 1.
        names: names of the sides.
    """

    def __init__(self, entries: Sequence[Entry], numbers: Collection[int], names: Sequence[str]) -> None:
        self._names = names
        self._sides: dict[int, set[int]] = {}
        for number in numbers:
            side, together = entries[number - 1].actor, entries[number - 1].together
            # Of two simultaneous secret choices the first side's entry comes first; one line, at the second entry,
            # reports both.
            for place in {number, number + 1} if together and side == 0 else {number}:
                self._sides.setdefault(place, set()).add(side)

    def of(self, line: LogEntry[Markup]) -> list[str] | None:
        """Return the names of the sides that took a hint for a line, or None if none did.

        The list is empty if the line itself names the one side that took the hint.
        """
        if not self._sides or line.follows:
            return None
        if line.side is None:
            return [self._names[side] for side in sorted(self._sides.get(line.entry, ()))] or None
        is_hinted = any(line.side in self._sides.get(number, ()) for number in range(line.first, line.entry + 1))
        return [] if is_hinted else None


class Throw(NamedTuple):
    """A throw of dice."""

    entry: int
    side: int | None
    what: str
    """Reason for the throw."""
    sentence: str
    """Its log sentence."""
    dice: Dice


class LogView(GameLog[Markup]):
    """The log of a table for one viewer in one language.

    Args:
        drawing: the game's pictures (`draw.drawing_of`).
        words: texts of the ruleset.
        card_path: link prefix for card names, "/t/<id>/card/".
        window: number of most recent lines kept; None for all.
    """

    def __init__(
        self, drawing: Drawing[Game, object], words: Words, card_path: str, window: int | None = WINDOW
    ) -> None:
        self._drawing = drawing
        self._words = words
        self._card_path = card_path
        super().__init__(self._markup, window)

    def _forget(self) -> None:
        super()._forget()
        self.plays: list[tuple[int, object]] = []
        self.throws: list[Throw] = []
        self.slots = HandSlots()

    @property
    def last_played(self) -> LogViewLine | None:
        """The line about the card played last, among the lines kept; None if there is none."""
        played = (one for one in reversed(self.lines) if one.line.card and one.line.message.key.startswith(PLAYED))
        return next(played, None)

    def _cut(self, length: int) -> None:
        super()._cut(length)
        self.slots.cut(length)
        while self.plays and self.plays[-1][0] > length:
            self.plays.pop()
        while self.throws and self.throws[-1].entry > length:
            self.throws.pop()

    def _tell(self, perspective: Perspective, seen: ViewedEntry) -> None:
        game, (number, entry, before, after) = perspective.game, seen
        if perspective.is_side:
            lying = game.known_state(after, perspective.viewer).get("cards", {})
            self.slots.hold(number, [card for pile in game.own_cards for card in lying.get(pile, ())])
        dice = None
        if entry.action != UNKNOWN:
            play = self._drawing.play_of(game, before, entry.action)
            if play is not None:
                self.plays.append((number, play))
            dice = game.narrator.dice(before, entry.action)
        if dice is not None:
            line = next(iter(perspective.lines(seen)))
            what = self._words.sentence(game.narrator.prompt(before, perspective.viewer))
            self.throws.append(Throw(number, line.side, what, self._words.sentence(line.message), dice))
            del self.throws[: max(0, len(self.throws) - THROWS)]
        super()._tell(perspective, seen)

    def _markup(self, line: LogLine, times: int) -> Markup:
        text = str(escape(self._words.sentence(line.message)))
        for card in dict.fromkeys(cards_in(line.message.args.values())):
            name = str(escape(self._words.name("card", card)))
            if name.isdecimal():
                continue  # a card named only by a number: a link would match any other number
            link = f'<a class="card-name" href="{self._card_path}{card}" data-card="{card}">{name}</a>'
            text = text.replace(name, link, 1)
        if times > 1:
            text += f" (×{times})"
        return Markup(text)
