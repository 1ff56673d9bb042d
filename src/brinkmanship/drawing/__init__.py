"""Pictures: what a side may know becomes SVG, for the page, the terminal's export, documents and print.

* `svg`, `document`, `lettering`, `style`, `icons`, `card_frame`, `player_area`, `graph`, `geography`: shared parts
* `pictogram`, `pictogram_icons`, `pictogram_events`: what a card does, in marks without words
* `emblems.emblem(game_id)`: a small picture of each game
* a package per game that offers `Drawing`: `thirteen_days.board(game, view, side, words)`, its cards and graphs
* `default`: the same for a game that brings no pictures

A drawing is made from a view, never from a state, and is the same text for the same view.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from importlib import import_module
from typing import Protocol, TypeVar, cast

from brinkmanship.drawing.layout import LayoutName
from brinkmanship.drawing.overview import Overview
from brinkmanship.drawing.pictogram import Explained, Line
from brinkmanship.drawing.style import Theme
from brinkmanship.engine.game import Game
from brinkmanship.engine.record import State
from brinkmanship.games.registry import kit_for
from brinkmanship.text import Words

__all__ = ["Drawing", "LayoutName", "drawing_of"]

G_contra = TypeVar("G_contra", bound=Game, contravariant=True)
P = TypeVar("P")


class Drawing(Protocol[G_contra, P]):
    """What the package that draws a game offers. `P` is what it calls a play: what the board's record is made of."""

    def board(
        self,
        game: G_contra,
        view: State,
        side: int,
        words: Words,
        /,
        *,
        layout: LayoutName = "wide",
        plays: Sequence[P] = (),
        highlights: Collection[str] = (),
        ghosts: State | None = None,
        standalone: Theme | None = None,
        ids: str = "",
        coast: str = "",
    ) -> str:
        """The board as SVG, from a side's view.

        Args:
            plays: the record so far.
            highlights: ids of places to be pointed at.
            ghosts: the view after an action that is looked at, drawn as what would change.
            standalone: the theme of a picture that is no part of a page.
            ids: begins every id in the picture, where a page holds several.
            coast: the address of the outlines of the land (`coast_file`); empty: they stand in the picture.
        """
        ...

    def ghost_layer(
        self, game: G_contra, before: State, after: State, side: int, words: Words, layout: LayoutName = "wide", /
    ) -> str:
        """Only the ghosts, to be laid into the board of `before`: the difference between two views of a side."""
        ...

    def card(
        self, game: G_contra, card: str, words: Words, /, *, history: str = "", standalone: Theme | None = None
    ) -> str:
        """A card by its id; with `history`, its historical text where there is room (`card_frame.shows_history`).

        Raises:
            StopIteration, KeyError: there is no such card.
        """
        ...

    def agenda(
        self, game: G_contra, agenda: str, words: Words, /, *, history: str = "", standalone: Theme | None = None
    ) -> str:
        """An agenda by its id, as `card`; `default.agenda` for games without.

        Raises:
            StopIteration, KeyError: there is no such agenda.
        """
        ...

    def pictogram(self, game: G_contra, kind: str, id: str, /) -> Sequence[Line]:
        """What a card (`kind` "card") or an agenda ("agenda") does, in marks from its data; none: nothing to show.

        Raises:
            StopIteration, KeyError: there is no such thing.
        """
        ...

    def explain(self, game: G_contra, words: Words, keys: Iterable[str], /) -> Sequence[Explained]:
        """What marks mean, by the keys of their tokens (`pictogram.keys_of`)."""
        ...

    def play_of(self, game: G_contra, before: State, action: int, href: str = "", /) -> P | None:
        """What an action adds to the record, if anything; `before` is a view, `href` where its mark leads."""
        ...

    def course(
        self,
        game: G_contra,
        views: Iterable[State],
        words: Words,
        /,
        *,
        standalone: Theme | None = None,
        ids: str = "",
    ) -> str:
        """A graph of a game, from the views after each action so far."""
        ...

    def illustration(
        self, game: G_contra, name: str, words: Words, layout: LayoutName = "wide", coast: str = "", /
    ) -> str:
        """A picture of the pages of rules.

        Raises:
            KeyError: there is no such picture.
        """
        ...

    def coast_file(self) -> str:
        """The outlines of the land that boards of a page share; `default.coast_file` where there is no map."""
        ...

    def overview(
        self,
        game: G_contra,
        view: State,
        side: int,
        words: Words,
        /,
        *,
        plays: Sequence[P] = (),
        highlights: Collection[str] = (),
        ghosts: State | None = None,
    ) -> Overview:
        """The same as `board` for a small screen, as lines and lists; nothing in it where the board is all there is."""
        ...

    def sketch(self, game: G_contra, view: State, words: Words, /, *, layout: LayoutName = "wide") -> str:
        """A picture of the moment beside the board, such as a combat; empty where there is nothing to draw."""
        ...


def drawing_of(game: Game) -> Drawing[Game, object]:
    """The package that draws a game."""
    module = kit_for(game).module("drawing") or import_module("brinkmanship.drawing.default")
    return cast("Drawing[Game, object]", module)
