"""The board of a card-driven game, drawn from its data: places with their influence, ways between them, tracks.

Sides differ by shape as well as colour: the first one's influence is in squares, the second one's in circles.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from brinkmanship.drawing import Drawing, card_frame
from brinkmanship.drawing.board_request import PLAIN, BoardRequest
from brinkmanship.drawing.box import Box
from brinkmanship.drawing.document import sheet
from brinkmanship.drawing.layout import LayoutName
from brinkmanship.drawing.lettering import block, text
from brinkmanship.drawing.style import Theme
from brinkmanship.drawing.svg import NOTHING, Markup, el, group, join, line, rect
from brinkmanship.engine.message import Argument, Message, Ref
from brinkmanship.engine.record import State
from brinkmanship.games.card_driven.rules.data import Place, Track
from brinkmanship.games.card_driven.rules.ruleset import CardDrivenGame
from brinkmanship.games.card_driven.words import event_text
from brinkmanship.text import Words

CSS = ("us", "ussr", "un")
"""Classes of the style sheet: those of the first and the second side, and of neither."""
WIDTH: dict[LayoutName, float] = {"wide": 960.0, "narrow": 380.0}
MAP_HEIGHT = 320.0
PLACE_WIDTH, PLACE_HEIGHT = 156.0, 62.0
MARGIN, GAP, TRACK_HEIGHT, HEAD = 12.0, 8.0, 46.0, 30.0
COUNTER = 13.0
"""Half the size of a counter of influence."""


class CardDrivenDrawing(Drawing[CardDrivenGame, Any]):
    """Base class of the drawing of a card-driven game; a game's subclass may be empty, or draw a map of its own."""

    def board(
        self, game: CardDrivenGame, view: State, side: int, words: Words, request: BoardRequest[Any] = PLAIN, /
    ) -> str:
        layout, boxes = request.layout, place_boxes(game, request.layout)
        bottom = max(box.bottom for box in boxes) + GAP
        ways = _ways(game, boxes) if layout == "wide" else NOTHING
        height = bottom + _tracks_height(game, layout) + MARGIN
        ghosts = request.ghosts
        return sheet(
            WIDTH[layout],
            height,
            NOTHING,
            rect(0.5, 0.5, WIDTH[layout] - 1, height - 1, "panel", 3),
            text(MARGIN, 21, _head(game, view, words), 14, "b", room=WIDTH[layout] - 2 * MARGIN),
            ways,
            [
                _place(game, view, words, number, box, request.ids, place.id in request.highlights)
                for number, (place, box) in enumerate(zip(game.data.place, boxes, strict=True))
            ],
            [
                _track(view, words, number, track, box, request.ids, track.id in request.highlights)
                for number, (track, box) in enumerate(
                    zip(game.data.track, _tracks_of(game, layout, bottom), strict=True)
                )
            ],
            self.ghost_layer(game, view, ghosts, side, words, layout) if ghosts is not None else NOTHING,
            standalone=request.standalone,
            css=f"board {layout}",
            role="img",
            label=". ".join([_head(game, view, words), *_told(game, view, words)]),
            language=words.language,
        )

    def ghost_layer(
        self,
        game: CardDrivenGame,
        before: State,
        after: State,
        side: int,
        words: Words,
        layout: LayoutName = "wide",
        /,
    ) -> str:
        del side
        boxes = place_boxes(game, layout)
        tracks = _tracks_of(game, layout, max(box.bottom for box in boxes) + GAP)
        return group(
            [
                _new_number(box, each, int(after.influence[each, number]))
                for number, box in enumerate(boxes)
                for each in range(2)
                if before.influence[each, number] != after.influence[each, number]
            ],
            [
                text(box.right - 8, box.y + 17, f"→ {words.signed(int(after.track[number]))}", 14, "b", "end")
                for number, box in enumerate(tracks)
                if before.track[number] != after.track[number]
            ],
            css="ghosts",
        )

    def card(
        self, game: CardDrivenGame, card: str, words: Words, /, *, history: str = "", standalone: Theme | None = None
    ) -> str:
        found = next(one for one in game.data.card if one.id == card)
        owner = words.name("side", found.side)
        css = CSS[[*game.sides, found.side].index(found.side)]
        name, event = words.name("card", found.id), event_text(found, words)
        body = join(
            rect(0.5, 0.5, card_frame.WIDTH - 1, card_frame.HEIGHT - 1, "memo", 3),
            rect(0.5, 0.5, card_frame.WIDTH - 1, 8, f"band {css}"),
            card_frame.title(name),
            card_frame.cubes(found.ops, css),
            card_frame.stamp(owner, css),
            line(14, 96, card_frame.WIDTH - 14, 96, "rule"),
            card_frame.face((), event, 104, history),
        )
        label = f"{name}. {owner}. {words.sentence(Message('card.ops', {'n': found.ops}))}. {event}"
        return card_frame.picture(body, f"card {css}", label, words, standalone, found.id, history)


def place_boxes(game: CardDrivenGame, layout: LayoutName) -> list[Box]:
    """Return the box of each place: on the wide board where the data file says, on the narrow one in two columns."""
    if layout == "wide":
        across, down = WIDTH["wide"] - 2 * MARGIN - PLACE_WIDTH, MAP_HEIGHT - PLACE_HEIGHT
        return [
            Box(MARGIN + across * place.at[0] / 100, HEAD + down * place.at[1] / 100, PLACE_WIDTH, PLACE_HEIGHT)
            for place in game.data.place
        ]
    wide = (WIDTH["narrow"] - 2 * MARGIN - GAP) / 2
    return [
        Box(MARGIN + number % 2 * (wide + GAP), HEAD + number // 2 * (PLACE_HEIGHT + GAP), wide, PLACE_HEIGHT)
        for number in range(len(game.data.place))
    ]


def _tracks_of(game: CardDrivenGame, layout: LayoutName, top: float) -> list[Box]:
    """Return the boxes of the tracks: side by side on the wide board, one below the other on the narrow one."""
    count = len(game.data.track)
    if layout == "narrow":
        wide = WIDTH["narrow"] - 2 * MARGIN
        return [Box(MARGIN, top + number * (TRACK_HEIGHT + GAP), wide, TRACK_HEIGHT) for number in range(count)]
    wide = (WIDTH["wide"] - 2 * MARGIN - (count - 1) * GAP) / count
    return [Box(MARGIN + number * (wide + GAP), top, wide, TRACK_HEIGHT) for number in range(count)]


def _ways(game: CardDrivenGame, boxes: Sequence[Box]) -> Markup:
    """Draw a line between places that are next to each other."""
    at = {place.id: (box.x + box.w / 2, box.y + box.h / 2) for place, box in zip(game.data.place, boxes, strict=True)}
    pairs = {tuple(sorted((place.id, other))) for place in game.data.place for other in place.next_to}
    return group([line(*at[one], *at[other], "thin") for one, other in sorted(pairs)])


def _place(game: CardDrivenGame, view: State, words: Words, number: int, box: Box, ids: str, can: bool) -> Markup:
    place = game.data.place[number]
    told = _place_told(game, view, words, number)
    worth = text(box.right - 8, box.y + 18, str(place.worth), 15, "b mu", "end") if place.worth else NOTHING
    name = words.name("place", place.id)
    return group(
        rect(box.x, box.y, box.w, box.h, "panel", 3),
        block(box.x + 8, box.y + 18, name, 14, "b", room=box.w - 30, lines=1, smallest=12.5)[0],
        worth,
        [_counter(box, side, int(view.influence[side, number])) for side in range(2)],
        css="place can" if can else "place",
        id=f"{ids}place-{place.id}",
        data_place=place.id,
        role="button" if can else "img",
        tabindex=0 if can else None,
        data_tell=told,
        aria_label=told,
    )


def _counter_at(box: Box, side: int) -> tuple[float, float]:
    return box.x + box.w * (0.28 if side == 0 else 0.66), box.bottom - COUNTER - 6


def _counter(box: Box, side: int, n: int) -> Markup:
    """Draw the influence of a side: a square or a circle with its number; an empty outline for none."""
    x, y = _counter_at(box, side)
    css = f"c {CSS[side]}" if n else f"slot {CSS[side]} bare"
    shape = (
        rect(x - COUNTER, y - COUNTER, 2 * COUNTER, 2 * COUNTER, css, 2)
        if side == 0
        else el("circle", cx=x, cy=y, r=COUNTER, class_=css)
    )
    return join(shape, text(x, y + 5, str(n), 15, "b white", "middle") if n else NOTHING)


def _new_number(box: Box, side: int, n: int) -> Markup:
    x, y = _counter_at(box, side)
    return text(x + COUNTER + 3, y + 5, f"→{n}", 14, "b")


def _track(view: State, words: Words, number: int, track: Track, box: Box, ids: str, can: bool) -> Markup:
    """Draw a track as a scale from its low to its high end with a mark."""
    at, name = int(view.track[number]), words.name("track", track.id)
    step = (box.w - 40) / (track.high - track.low)
    x, y = box.x + 20 + step * (at - track.low), box.y + 32
    told = _track_told(words, track, at)
    ticks = [
        line(place, y - 3, place, y + 3, "thin")
        for place in (box.x + 20 + step * n for n in range(track.high - track.low + 1))
    ]
    return group(
        rect(box.x, box.y, box.w, box.h, "panel", 3),
        text(box.x + 8, box.y + 17, f"{name}: {_number(words, track, at)}", 14, "b", room=box.w * 0.7),
        line(box.x + 20, y, box.right - 20, y, "thin"),
        ticks,
        el("circle", cx=x, cy=y, r=6, class_="inkfill"),
        css="track can" if can else "track",
        id=f"{ids}track-{track.id}",
        data_track=track.id,
        role="button" if can else "img",
        tabindex=0 if can else None,
        data_tell=told,
        aria_label=told,
    )


def _number(words: Words, track: Track, at: int) -> str:
    return words.signed(at) if track.low < 0 else words.number(at)


def _tracks_height(game: CardDrivenGame, layout: LayoutName) -> float:
    rows = len(game.data.track) if layout == "narrow" else 1
    return rows * TRACK_HEIGHT + (rows - 1) * GAP


def _head(game: CardDrivenGame, view: State, words: Words) -> str:
    """Return the round and the number of cards in the deck; the card in play too, if there is one."""
    about = {"now": int(view.round_number), "last": game.data.limits.rounds, "deck": int(view.deck)}
    head = words.sentence(Message("board.head", about))
    card = game.card_in_play(view)
    if card is None:
        return head
    return f"{head} · {words.sentence(Message('board.played', {'card': Ref('card', card)}))}"


def _told(game: CardDrivenGame, view: State, words: Words) -> list[str]:
    places = [_place_told(game, view, words, number) for number in range(len(game.data.place))]
    tracks = [_track_told(words, track, int(view.track[at])) for at, track in enumerate(game.data.track)]
    return [*places, *tracks]


def _place_told(game: CardDrivenGame, view: State, words: Words, number: int) -> str:
    place: Place = game.data.place[number]
    known: dict[str, Argument] = {
        "place": Ref("place", place.id),
        "worth": place.worth,
        "first": Ref("side", game.sides[0]),
        "a": int(view.influence[0, number]),
        "second": Ref("side", game.sides[1]),
        "b": int(view.influence[1, number]),
    }
    return words.sentence(Message("board.place", known))


def _track_told(words: Words, track: Track, at: int) -> str:
    return words.sentence(
        Message("board.track", {"track": Ref("track", track.id), "at": at, "low": track.low, "high": track.high})
    )
