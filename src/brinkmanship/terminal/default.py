"""Generic terminal table for games without a drawing of their own: the viewer's knowledge, line by line."""

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
from brinkmanship.text.default import label, names_in, readable, rows


class BareTable(Asking):
    """A `Table` that lists the known state line by line."""

    def __init__(self, game: Game, words: Words) -> None:
        self.game = game
        self.words = words

    def position(self, view: State, viewer: int, width: int, past: Sequence[ViewedEntry]) -> list[RenderableType]:  # noqa: ARG002
        found = rows(self.game, view, min(viewer, OBSERVER), self.words, cards=False)
        return self._lines([(row.label, row.value) for row in found], width)

    def hands(self, view: State, viewer: int, width: int) -> list[RenderableType]:
        known = self.game.known_state(view, min(viewer, OBSERVER))["cards"]
        return self._lines(
            [(label(self.words, place) or readable(place), self._named(cards)) for place, cards in known.items()], width
        )

    def known_cards(self, view: State, viewer: int, width: int) -> list[RenderableType]:
        return self.hands(view, viewer, width)

    def card_line(self, card: str, width: int) -> list[Text]:  # noqa: ARG002 - part of the protocol
        return [Text(self._named([card]))]

    def card_page(self, query: str, view: State, viewer: int) -> RenderableType | None:  # noqa: ARG002
        """Return the name of the card; there is no further text."""
        wanted = query.casefold()
        names = (self._named([card]) for card in names_in(self.game))
        return next((Text(name) for name in names if wanted and wanted in name.casefold()), None)

    def ending(self, view: State) -> list[RenderableType]:  # noqa: ARG002
        return []

    def note(self, action: int, width: int) -> list[Text]:  # noqa: ARG002
        return []

    def is_nothing(self, action: int) -> bool:  # noqa: ARG002
        """Return False: only a game's own table knows its actions without effect."""
        return False

    def _named(self, cards: Sequence[str]) -> str:
        return ", ".join(self.words.name("card", card) for card in cards)

    def _lines(self, facts: Sequence[tuple[str, str]], width: int) -> list[RenderableType]:
        column = min(widest([label for label, _ in facts]), width // 2)
        return [one_line(Text(" ") + fit(Text(label, QUIET), column) + Text(f"  {value}")) for label, value in facts]
