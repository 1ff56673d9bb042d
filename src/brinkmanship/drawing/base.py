"""The base class of a game's drawing. Its methods are the defaults for a game without pictures of its own."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Generic, TypeVar

from brinkmanship.drawing import card_frame, default
from brinkmanship.drawing.board_request import PLAIN, BoardRequest
from brinkmanship.drawing.board_text import TextSection, known_facts
from brinkmanship.drawing.layout import LayoutName
from brinkmanship.drawing.overview import Overview
from brinkmanship.drawing.pictogram import LegendEntry, PictogramLine
from brinkmanship.drawing.printed import Counter, PrintedCard, ScoreSheet
from brinkmanship.drawing.style import Theme
from brinkmanship.drawing.svg import NOTHING
from brinkmanship.engine.game import Game
from brinkmanship.engine.record import State
from brinkmanship.text import Words, agendas_of, cards_of

G = TypeVar("G", bound=Game)
P = TypeVar("P")


class Drawing(Generic[G, P]):
    """Base class that draws a game as SVG. A game overrides the pictures that it has.

    `G` is the class of its rulesets, `P` an entry of the record that its board keeps (`play_of`).
    """

    def board(self, game: G, view: State, side: int, words: Words, request: BoardRequest[P] = PLAIN, /) -> str:
        """Return the board as SVG; by default a table of all that the side knows beside its cards.

        Args:
            game: the ruleset.
            view: the view of `side` (`Game.view_of`), never a state.
            side: the viewer of `view`: 0, 1, or `OBSERVER`.
            words: the language, with the names of the game.
            request: the layout, and what to show beside the position.
        """
        return default.board(game, view, side, words, request)

    def ghost_layer(
        self, game: G, before: State, after: State, side: int, words: Words, layout: LayoutName = "wide", /
    ) -> str:
        """Return only the ghosts, to overlay on the board of `before`: the difference between two views of a side."""
        return default.ghost_layer(game, before, after, side, words, layout)

    def overview(self, game: G, view: State, side: int, words: Words, request: BoardRequest[P] = PLAIN, /) -> Overview:
        """Return the board as lines and lists for a small screen; by default none, as the default board is a list."""
        del game, view, side, words, request
        return Overview([], [])

    def board_text(self, game: G, view: State, side: int, words: Words, /) -> Sequence[TextSection]:
        """Return in words what the board shows; by default all that the side knows beside its cards.

        `view` is that of `side`, as for `board`.
        """
        return known_facts(game, view, side, words)

    def changes(self, game: G, before: State, after: State, side: int, words: Words, /) -> Sequence[str]:
        """Return what differs between two views of a side, in phrases with numbers; by default nothing.

        The most important comes first; they are the facts with which choices are explained.
        """
        del game, before, after, side, words
        return ()

    def standing(self, game: G, view: State, side: int, words: Words, /) -> Mapping[str, str]:
        """Return the current figures of parts of the evaluation (``part.GAME.NAME``), in phrases by the part's name.

        `view` is that of `side`. By default there are none.
        """
        del game, view, side, words
        return {}

    def card(self, game: G, card: str, words: Words, /, *, history: str = "", standalone: Theme | None = None) -> str:
        """Return a card by its id; by default only its name.

        `history` is its historical text, drawn where there is room (`card_frame.shows_history`).

        Raises:
            StopIteration, KeyError: there is no such card.
        """
        del history
        return default.card(game, card, words, standalone)

    def agenda(
        self, game: G, agenda: str, words: Words, /, *, history: str = "", standalone: Theme | None = None
    ) -> str:
        """Return an agenda by its id, as `card` does; by default a game has none.

        Raises:
            StopIteration, KeyError: there is no such agenda.
        """
        del game, words, history, standalone
        raise KeyError(agenda)

    def deck(self, game: G, words: Words, /) -> Sequence[PrintedCard]:
        """Return all cards to print; by default each card and agenda of the game, as often as it is in the game."""
        back = card_frame.back("un", words)
        cards = [PrintedCard(self.card(game, card.id, words), back) for card in cards_of(game, words)]
        agendas = [
            PrintedCard(self.agenda(game, agenda.id, words), card_frame.back("agenda", words), agenda.copies)
            for agenda in agendas_of(game, words)
        ]
        return [*cards, *agendas]

    def counters(self, game: G, words: Words, /) -> Sequence[Counter]:
        """Return the counters to print; by default none."""
        del game, words
        return ()

    def score_sheet(self, game: G, words: Words, /) -> ScoreSheet | None:
        """Return what players write down during a game; by default only its result."""
        del game, words
        return None

    def pictogram(self, game: G, kind: str, id: str, /) -> Sequence[PictogramLine]:
        """Return the marks that show the effects of a card (`kind` "card") or an agenda ("agenda"); by default none.

        Raises:
            StopIteration, KeyError: there is no such thing.
        """
        del game, kind, id
        return ()

    def explain(self, game: G, words: Words, keys: Iterable[str], /) -> Sequence[LegendEntry]:
        """Return the meaning of marks, by the keys of their tokens (`pictogram.keys_of`)."""
        del game, words, keys
        return ()

    def play_of(self, game: G, before: State, action: int, href: str = "", /) -> P | None:
        """Return the entry that an action adds to the record; None if it adds none. By default there is no record.

        `before` is the view before the action, `href` the address that the entry's mark links to.
        """
        del game, before, action, href
        return None

    def course(
        self, game: G, views: Iterable[State], words: Words, /, *, standalone: Theme | None = None, ids: str = ""
    ) -> str:
        """Return a graph of a game from the views after each action; by default nothing."""
        del game, views, words, standalone, ids
        return NOTHING

    def illustration(self, game: G, name: str, words: Words, layout: LayoutName = "wide", coast: str = "", /) -> str:
        """Return an illustration for the rules pages; by default there is none.

        Raises:
            KeyError: there is no such picture.
        """
        del game, words, layout, coast
        raise KeyError(name)

    def coast_file(self) -> str:
        """Return the coastlines that the boards of a page share; by default nothing."""
        return NOTHING

    def deciding(self, game: G, view: State, words: Words, /) -> Sequence[str]:
        """Return what decided a finished game, as the board rings it: markers and numbers; by default nothing."""
        del game, view, words
        return ()

    def sketch(self, game: G, view: State, words: Words, /, *, layout: LayoutName = "wide") -> str:
        """Return a picture of the current moment, such as a combat, shown beside the board; by default nothing."""
        del game, view, words, layout
        return NOTHING
