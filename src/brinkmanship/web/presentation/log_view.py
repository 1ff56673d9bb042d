"""The log of a table as one reader sees it: lines as markup, the plays of the calendar, and the dice that fell."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import NamedTuple

from markupsafe import Markup, escape

from brinkmanship.drawing import Drawing
from brinkmanship.engine.entry import Entry, ViewedEntry
from brinkmanship.engine.game import Game
from brinkmanship.engine.game_log import GameLog, LogEntry, cards_in
from brinkmanship.engine.message import Dice, Line
from brinkmanship.engine.perspective import UNKNOWN, Perspective
from brinkmanship.text import Words
from brinkmanship.web.presentation.shortcuts import HandSlots

WINDOW = 60
"""Lines that a table page shows at once."""
THROWS = 5
"""So many of the last throws of dice a page can show rolling."""

LogLine = LogEntry[Markup]


class Hinted:
    """Which decisions were made after a hint, for the lines of a log.

    Args:
        entries: of the game, as the log's reader knows it.
        numbers: of the entries that were decided after a hint, from 1.
        names: of the sides.
    """

    def __init__(self, entries: Sequence[Entry], numbers: Collection[int], names: Sequence[str]) -> None:
        self._names = names
        self._sides: dict[int, set[int]] = {}
        for number in numbers:
            side, together = entries[number - 1].actor, entries[number - 1].together
            # Of two answers given in secret the first side's stands first; one line tells of both, with the second.
            for place in {number, number + 1} if together and side == 0 else {number}:
                self._sides.setdefault(place, set()).add(side)

    def of(self, line: LogEntry[Markup]) -> list[str] | None:
        """The sides that took a hint for what a line tells, by name where it tells of several; None: nobody did."""
        if not self._sides or line.follows:
            return None
        if line.side is None:
            return [self._names[side] for side in sorted(self._sides.get(line.entry, ()))] or None
        is_hinted = any(line.side in self._sides.get(number, ()) for number in range(line.first, line.entry + 1))
        return [] if is_hinted else None


class Throw(NamedTuple):
    """Dice that fell."""

    entry: int
    side: int | None
    what: str
    """What they were thrown for."""
    told: str
    """What the log says of them."""
    dice: Dice


class LogView(GameLog[Markup]):
    """What happened at a table, for one reader in one language.

    Args:
        drawing: the game's pictures (`draw.drawing_of`).
        card_path: where the names of cards lead to, "/t/<id>/card/".
        window: how many of the last lines are kept; None: all.
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
            lying = game.known_state(after, perspective.reader).get("cards", {})
            self.slots.hold(number, [card for pile in game.own_cards for card in lying.get(pile, ())])
        dice = None
        if entry.action != UNKNOWN:
            play = self._drawing.play_of(game, before, entry.action)
            if play is not None:
                self.plays.append((number, play))
            dice = game.narrator.dice(before, entry.action)
        if dice is not None:
            deed = next(iter(perspective.lines(seen)))
            what = self._words.sentence(game.narrator.prompt(before, perspective.reader))
            self.throws.append(Throw(number, deed.side, what, self._words.sentence(deed.message), dice))
            del self.throws[: max(0, len(self.throws) - THROWS)]
        super()._tell(perspective, seen)

    def _markup(self, line: Line, times: int) -> Markup:
        text = str(escape(self._words.sentence(line.message)))
        for card in dict.fromkeys(cards_in(line.message.args.values())):
            name = str(escape(self._words.name("card", card)))
            if name.isdecimal():
                continue  # a card with nothing on it but a number, which any other number would be taken for
            link = f'<a class="card-name" href="{self._card_path}{card}" data-card="{card}">{name}</a>'
            text = text.replace(name, link, 1)
        if times > 1:
            text += f" (×{times})"
        return Markup(text)
