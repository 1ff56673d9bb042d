"""Sheets of a game to print and cut out: cards, board, counters, player aid, score sheet; each a whole HTML page.

Sizes are in millimetres. `css/print.css` has the layout; page sizes are named pages, so that a page needs no style of
its own.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Iterator, Sequence
from importlib.resources import files
from typing import Any, Literal, NamedTuple

from markupsafe import Markup

from brinkmanship.drawing import BoardRequest, drawing_of
from brinkmanship.drawing.pictogram import LegendEntry, keys_of
from brinkmanship.drawing.player_area import without_to_act
from brinkmanship.drawing.printed import PrintedCard, ScoreSheet
from brinkmanship.drawing.style import stylesheet
from brinkmanship.engine.game import OBSERVER, Game
from brinkmanship.engine.message import Argument, Message
from brinkmanship.text import Words, agendas_of, cards_of, rules_of
from brinkmanship.text.rulebook import plain_text
from brinkmanship.web.pages.shared.rendering import STATIC_FOLDERS, asset, templates
from brinkmanship.web.presentation.page_words import game_words, page_words, title_of
from brinkmanship.web.support.markdown import html

Sheet = Literal["cards", "board", "counters", "player-aid", "score-sheet"]
SHEETS: tuple[Sheet, ...] = ("cards", "board", "counters", "player-aid", "score-sheet")
Paper = Literal["a4", "letter"]
PAPERS: dict[Paper, tuple[float, float]] = {"a4": (210.0, 297.0), "letter": (215.9, 279.4)}
"""Width and height (mm) of each paper."""
CARD = (63.0, 88.0)
"""Width and height (mm) of a card."""
ACROSS, DOWN = 3, 3
"""Cards side by side and below each other on a page."""
CROP_MARK = 5.0
"""Length (mm) of a crop mark, outside the cards."""
AID = ("round", "turn", "quick-reference")
"""Sections of the rules on the player aid, as far as a game has them."""
_FONTS = {"condensed-400": ("Brink Condensed", 400), "condensed-600": ("Brink Condensed", 600)} | {
    "mono-400": ("Brink Mono", 400),
    "mono-600": ("Brink Mono", 600),
}
"""Family and weight of each font file of the drawings."""


class CardPage(NamedTuple):
    """A page of cards: fronts, or their backs in reverse order for printing on both sides."""

    cards: Sequence[Markup]
    is_back: bool


class Tile(NamedTuple):
    """A page of a board."""

    picture: Markup
    number: int


def sheet(game: Game, name: Sheet, language: str, paper: Paper = "a4", pages: int = 1, back: str = "") -> str:
    """Return a sheet as a page of the server.

    Args:
        game: the ruleset.
        name: one of `SHEETS`.
        language: the language of the texts.
        paper: one of `PAPERS`.
        pages: number of pages of the board, 1 or 4.
        back: address to return to, shown on the screen only.
    """
    links = [asset(path) for path in ("fonts/fonts.css", "css/draw.css", "css/print.css")]
    return _rendered(game, name, language, paper, pages, back=back, links=links, style="")


def file(game: Game, name: Sheet, language: str, paper: Paper = "a4", pages: int = 1) -> str:
    """Return a sheet as one HTML file that needs nothing else; see `sheet`."""
    layout = next(folder for folder in STATIC_FOLDERS if (folder / "css/print.css").exists()) / "css/print.css"
    style = Markup("\n").join(Markup(text) for text in (*_faces(), stylesheet(), layout.read_text("utf-8")))
    return _rendered(game, name, language, paper, pages, back="", links=[], style=style)


def _rendered(game: Game, name: Sheet, language: str, paper: Paper, pages: int, **more: Any) -> str:
    words, own = game_words(game, language), page_words(language)

    def t(key: str, **arguments: Argument) -> str:
        return own.sentence(Message(key, arguments))

    context = _context(game, name, words, own, paper, pages)
    return templates.get_template(f"printing/{name}.html").render(
        t=t, language=language, title=title_of(game, own), sheet=name, paper=paper, **context, **more
    )


def _context(game: Game, name: Sheet, words: Words, own: Words, paper: Paper, pages: int) -> dict[str, Any]:
    """Return what the template of a sheet shows."""
    if name == "cards":
        return {"pages": list(_card_pages(drawing_of(game).deck(game, words))), "marks": _crop_marks(paper)}
    if name == "board":
        return {"tiles": _tiles(game, words, pages)}
    if name == "counters":
        return {"counters": drawing_of(game).counters(game, words)}
    if name == "player-aid":
        return {"sections": _aid(game, words.language), "legend": _legend(game, words)}
    return _score_sheet(game, words, own)


def _faces() -> Iterator[str]:
    """Yield the fonts of the drawings, inside the style sheet."""
    folder = files("brinkmanship.drawing") / "fonts"
    for name, (family, weight) in _FONTS.items():
        font = base64.b64encode((folder / f"brink-{name}.ttf").read_bytes()).decode()
        yield f"@font-face{{font-family:'{family}';font-weight:{weight};src:url(data:font/ttf;base64,{font})}}"


# ---- Cards.


def _card_pages(deck: Sequence[PrintedCard]) -> Iterator[CardPage]:
    """Yield pages of fronts, each followed by its backs: mirrored, so that they meet when the paper is turned."""
    cards = [card for card in deck for _ in range(card.copies)]
    size = ACROSS * DOWN
    for first in range(0, len(cards), size):
        on_page = cards[first : first + size]
        yield CardPage([Markup(card.front) for card in on_page], is_back=False)
        yield CardPage(_mirrored([Markup(card.back) for card in on_page]), is_back=True)


def _mirrored(backs: Sequence[Markup]) -> list[Markup]:
    """Return the backs with each row in reverse order; an incomplete row begins with empty places."""
    filled = [*backs, *[Markup("")] * (-len(backs) % ACROSS)]
    return [back for row in range(0, len(filled), ACROSS) for back in filled[row : row + ACROSS][::-1]]


def _crop_marks(paper: Paper) -> Markup:
    """Draw a short line outside the cards at each cut, in millimetres."""
    width, height = PAPERS[paper]
    left, top = (width - ACROSS * CARD[0]) / 2, (height - DOWN * CARD[1]) / 2
    across = [left + CARD[0] * place for place in range(ACROSS + 1)]
    down = [top + CARD[1] * place for place in range(DOWN + 1)]
    up = [f"M{x:g} {y:g}v{-CROP_MARK:g}" for x in across for y in (top - 1, height - top + 1 + CROP_MARK)]
    aside = [f"M{x:g} {y:g}h{-CROP_MARK:g}" for y in down for x in (left - 1, width - left + 1 + CROP_MARK)]
    return Markup('<svg class="crops" viewBox="0 0 {} {}" aria-hidden="true"><path d="{}"/></svg>').format(
        f"{width:g}", f"{height:g}", "".join(up + aside)
    )


# ---- Board.


def _tiles(game: Game, words: Words, pages: int) -> list[Tile]:
    """Return the board before set-up, whole or in four quarters; what changes during a game is left out."""
    view = game.view_of(game.new_state(), OBSERVER)
    drawn = drawing_of(game).board(game, view, OBSERVER, words, BoardRequest[object](ids="print-"))
    drawn = without_to_act(drawn)
    found = re.search(r'viewBox="0 0 ([0-9.]+) ([0-9.]+)"', drawn)
    if pages == 1 or found is None:
        return [Tile(Markup(drawn), 1)]
    wide, high = (float(size) / 2 for size in found.groups())
    boxes = [(column * wide, row * high) for row in (0, 1) for column in (0, 1)]
    return [
        Tile(Markup(drawn.replace(found[0], f'viewBox="{x:g} {y:g} {wide:g} {high:g}"', 1)), number)
        for number, (x, y) in enumerate(boxes, 1)
    ]


# ---- Player aid.


def _aid(game: Game, language: str) -> list[tuple[str, Markup]]:
    """Return the sections of the rules that players look at during a game."""
    return [(part.title, html(plain_text(part))) for part in rules_of(game, language) if part.id in AID]


def _legend(game: Game, words: Words) -> Sequence[LegendEntry]:
    """Return the meaning of all pictograms on the cards."""
    drawing = drawing_of(game)
    cards = [line for card in cards_of(game, words) for line in drawing.pictogram(game, "card", card.id)]
    agendas = [line for agenda in agendas_of(game, words) for line in drawing.pictogram(game, "agenda", agenda.id)]
    return drawing.explain(game, words, keys_of([*cards, *agendas]))


# ---- Score sheet.


def _score_sheet(game: Game, words: Words, own: Words) -> dict[str, Any]:
    found = drawing_of(game).score_sheet(game, words) or ScoreSheet((own.sentence(Message("printing.result")),))
    spans = [own.sentence(Message(f"printing.{game.narrator.span}", {"n": n + 1})) for n in range(found.spans)]
    total = [] if spans else [own.sentence(Message("printing.total"))]
    rows = [*spans, *found.rows, *total]
    sides = [words.name("side", side) for side in game.sides]
    return {"columns": found.columns, "shared": found.shared, "rows": rows, "sides": sides}
