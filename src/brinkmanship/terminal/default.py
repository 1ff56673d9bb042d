"""A game that brings no drawing of its own, in the terminal: what a reader knows, line by line."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import RenderableType
from rich.text import Text

from brinkmanship.engine.entry import ViewedEntry
from brinkmanship.engine.game import OBSERVER, Game
from brinkmanship.engine.record import State
from brinkmanship.terminal.protocol import Asking
from brinkmanship.terminal.style import QUIET, fit, one_line, widest
from brinkmanship.text import Words
from brinkmanship.text.default import names_in, rows


class BareTable(Asking):
    """See `brinkmanship.terminal.protocol.Table`."""

    def __init__(self, game: Game, words: Words) -> None:
        self.game = game
        self.words = words

    def position(self, view: State, reader: int, width: int, past: Sequence[ViewedEntry]) -> list[RenderableType]:  # noqa: ARG002
        """See `Table.position`."""
        found = rows(self.game, view, min(reader, OBSERVER), self.words, cards=False)
        return self._lines([(row.label, row.value) for row in found], width)

    def hands(self, view: State, reader: int, width: int) -> list[RenderableType]:
        """See `Table.hands`."""
        known = self.game.known_state(view, min(reader, OBSERVER))["cards"]
        return self._lines([(place.replace("_", " "), self._named(cards)) for place, cards in known.items()], width)

    def known_cards(self, view: State, reader: int, width: int) -> list[RenderableType]:
        """See `Table.known_cards`."""
        return self.hands(view, reader, width)

    def card_line(self, card: str, width: int) -> list[Text]:  # noqa: ARG002 - as every table
        """See `Table.card_line`."""
        return [Text(self._named([card]))]

    def card_page(self, asked: str, view: State, reader: int) -> RenderableType | None:  # noqa: ARG002
        """See `Table.card_page`: its name is all there is to say."""
        wanted = asked.casefold()
        names = (self._named([card]) for card in names_in(self.game))
        return next((Text(name) for name in names if wanted and wanted in name.casefold()), None)

    def ending(self, view: State) -> list[RenderableType]:  # noqa: ARG002
        """See `Table.ending`."""
        return []

    def note(self, action: int, width: int) -> list[Text]:  # noqa: ARG002
        """See `Table.note`."""
        return []

    def is_nothing(self, action: int) -> bool:  # noqa: ARG002
        """See `Table.is_nothing`: only the game knows."""
        return False

    def _named(self, cards: Sequence[str]) -> str:
        return ", ".join(self.words.name("card", card) for card in cards)

    def _lines(self, facts: Sequence[tuple[str, str]], width: int) -> list[RenderableType]:
        column = min(widest([label for label, _ in facts]), width // 2)
        return [one_line(Text(" ") + fit(Text(label, QUIET), column) + Text(f"  {value}")) for label, value in facts]
