"""Analysis boards: from a position of a finished game the user plays both sides, tries several lines and compares them.

The address of a board can be shared; another user who plays on it gets a board of their own.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import Annotated, NamedTuple

from msgspec import Meta, Struct
from starlette.requests import Request
from starlette.responses import PlainTextResponse, RedirectResponse, Response

from brinkmanship.analysis.compare import Compared
from brinkmanship.drawing import BoardRequest, drawing_of
from brinkmanship.engine import journal
from brinkmanship.engine.continuation import headers
from brinkmanship.engine.game import FULL_INFORMATION, OBSERVER
from brinkmanship.engine.message import Message
from brinkmanship.engine.variations import Position
from brinkmanship.store import boards, repository
from brinkmanship.text import Words
from brinkmanship.web.accounts.authentication import language_of
from brinkmanship.web.accounts.users import Person
from brinkmanship.web.pages.shared.board_text import board_text, text_mode_of
from brinkmanship.web.pages.shared.forms import Name, Number, signed_in, somebody
from brinkmanship.web.pages.shared.lookup import game_by_id
from brinkmanship.web.pages.shared.page_router import PageRouter
from brinkmanship.web.pages.shared.pictures import board as drawn_board
from brinkmanship.web.pages.shared.pictures import outlines
from brinkmanship.web.pages.shared.rendering import layout_of, oembed_link, page, public_url, run_in_pool
from brinkmanship.web.pages.study.play_on import Wished, begin_there, form_there, open_game, open_table, open_upload
from brinkmanship.web.pages.study.position_form import decided, ghosts_of, shown_of, steps_in
from brinkmanship.web.pages.study.replay import MAX_UPLOADS, SVG_POLICY, Scene, Step, card_of, hands_open_to
from brinkmanship.web.pages.study.sharing import Lang, frame_code, framed, stop_at
from brinkmanship.web.pages.table.question import QuestionView
from brinkmanship.web.presentation.page_words import game_words, page_words, title_of
from brinkmanship.web.presentation.replay import Replay, ReplaySource
from brinkmanship.web.services import services_of
from brinkmanship.web.studies.board_positions import BoardSession, Chance, nothing_tried
from brinkmanship.web.studies.boards import MAX_BOARDS, MAX_TITLE, THE_GAME, can_compare, check_comparable
from brinkmanship.web.support import time_control
from brinkmanship.web.support.errors import ForbiddenError, NotFoundError
from brinkmanship.web.tables.continuation import Source

router = PageRouter()

CHANCE_COOKIE = "chance"
"""Cookie with the user's last choice of how chance acts on boards."""
COOKIE_SECONDS = 31_536_000
CHANCES: dict[str, Chance] = {"same": "same", "fresh": "fresh", "hand": "hand"}


@dataclass(frozen=True)
class BoardView(BoardSession):
    """A board as shown to a viewer."""

    scene: Scene
    person: Person | None

    @property
    def is_own(self) -> bool:
        """True if the viewer may change it."""
        return bool(self.board.id) and self.person is not None and self.person.id == self.board.person_id

    def link(self, number: int, at: int) -> str:
        """Return the address of a position on a line."""
        return f"/b/{self.board.id}/{number}/{at}" if self.board.id else f"{self.source.address}/branches/{at}"

    def reel(self, request: Request, number: int, words: Words) -> Replay:
        """Return the replay of a line."""
        reels = services_of(request).reels
        film = self.scene.film
        if number != THE_GAME:
            seen = self.position(number).seen
            film = ReplaySource(self.game, lambda _: seen, film.names, f"/b/{self.board.id}/{number}")
        return reels.reel(film, FULL_INFORMATION, words)


async def board_view(request: Request, who: Person | None) -> BoardView:
    """Return the board named by an address; for a finished game an empty one.

    Raises:
        NotFoundError: there is no such board or game.
    """
    named = request.path_params
    if "board_id" in named:
        return await kept_board(request, who, named["board_id"])
    scene, source = await open_game(request, who)
    return BoardView(source, nothing_tried(source.game, named.get("table_id"), named.get("upload_id")), scene, who)


async def kept_board(request: Request, who: Person | None, board_id: str) -> BoardView:
    """Return a stored board.

    Raises:
        NotFoundError: there is no such board.
        ForbiddenError: its game may not be shown, since other tables play the same deal.
    """
    engine = services_of(request).engine
    kept = await asyncio.to_thread(boards.board, engine, board_id)
    if kept is None:
        raise NotFoundError("there is no such board", said="branches.refused.no_board")
    if kept.table_id is not None:
        scene, source = await open_table(request, who, kept.table_id)
        return BoardView(source, kept, scene, who)
    assert kept.upload_id is not None
    text = await asyncio.to_thread(repository.upload_of, engine, kept.upload_id)
    if text is None:  # uploads expire, boards do not
        text = await asyncio.to_thread(boards.journal_of, engine, board_id) or ""
        keep = partial(repository.keep_upload, engine, kept.upload_id, text, time_control.now(), MAX_UPLOADS)
        await asyncio.to_thread(keep)
    scene, source = await open_upload(request, who, kept.upload_id)
    return BoardView(source, kept, scene, who)


# ---- View.


@router.get("/b/{board_id}")
async def whole(request: Request, who: Person | None) -> Response:
    """Redirect to the end of a board's last line."""
    desk = await board_view(request, who)
    last = desk.board.lines[-1] if desk.board.lines else None
    return RedirectResponse(desk.link(*((last.number, last.line.length) if last else (THE_GAME, 0))), 303)


class Row(NamedTuple):
    """A line in the list of lines."""

    number: int
    name: str
    first: str
    """Its first action after leaving the game."""
    fork: int
    length: int
    link: str
    is_here: bool
    picture: str


class ChanceOption(NamedTuple):
    """A possible outcome of chance."""

    action: int
    text: str
    percent: int


def _page(request: Request, desk: BoardView, number: int, at: int) -> Response:
    language, layout, game = desk.scene.language, layout_of(request), desk.game
    words, own = game_words(game, language), page_words(language)
    here, reel = desk.position(number, at), desk.reel(request, number, words)
    view = here.seen.view()
    shown = None if here.mover is None else _asked(here, words, own)
    marked = set() if shown is None else {group.id for group in shown.groups if group.kind in ("place", "track")}
    open_hands = hands_open_to(FULL_INFORMATION, game, view, words, own)
    board = desk.board
    return page(
        request,
        "study/branches.html",
        desk.person,
        title=title_of(game, own),
        game_id=game.id,
        desk=desk,
        called=board_title(desk, language),
        number=number,
        at=at,
        last=reel.length,
        before=reel.before(at),
        after=reel.after(at),
        is_own=desk.is_own,
        is_kept=bool(board.id),
        address=f"{public_url(request)}/b/{board.id}",
        embedded=frame_code(f"{public_url(request)}/b/{board.id}/{number}/embed?at={at}", board_title(desk, language)),
        oembed=oembed_link(request, desk.link(number, at)) if board.id else "",
        players=[
            (side, words.name("side", side), name) for side, name in zip(game.sides, desk.scene.film.names, strict=True)
        ],
        layout=layout,
        outlines=outlines(game),
        board=drawn_board(game, view, OBSERVER, words, layout, plays=reel.plays_until(at), highlights=marked),
        board_text=board_text(game, view, OBSERVER, words, text_mode_of(request)),
        happened=reel.lines_of(at),
        now=words.sentence(here.seen.prompt),
        is_over=here.is_over,
        side=here.side,
        side_name="" if here.side is None else words.name("side", game.sides[here.side]),
        question=shown,
        # Cards to choose from are among the side's choices.
        hands=[hand for hand in open_hands if hand.side != here.side or not (shown and shown.answers)],
        outcomes=[
            ChanceOption(one.action, words.sentence(one.message), max(1, round(100 * one.share)))
            for one in here.outcomes()
        ],
        chance=_chance(request, desk),
        knows_chance=desk.source.key is not None,
        rows=_rows(desk, number, words),
        goes_on=not here.is_over,
        compares=can_compare(game),
        most_title=MAX_TITLE,
    )


def _asked(here: Position, words: Words, own: Words) -> QuestionView:
    assert here.mover is not None
    assert here.side is not None
    return shown_of(here.game, here.mover.view(), here.side, here.legal(), words, own)


def board_title(desk: BoardView, language: str) -> str:
    """Return the title of a board.

    The default one is not stored, because a player may delete their account, and with it their name.
    """
    if desk.board.title:
        return desk.board.title
    words, own = game_words(desk.game, language), page_words(language)
    names = " – ".join(
        name or words.name("side", side) for side, name in zip(desk.game.sides, desk.scene.film.names, strict=True)
    )
    return own.sentence(Message("branches.title.of", {"title": title_of(desk.game, own), "who": names}))


def _chance(request: Request, desk: BoardView) -> Chance:
    """Return how chance acts: as the user last chose, by default as in the game if its key is known."""
    usual: Chance = "fresh" if desk.source.key is None else "same"
    chosen = CHANCES.get(request.cookies.get(CHANCE_COOKIE, ""), usual)
    return usual if chosen == "same" else chosen


def _rows(desk: BoardView, number: int, words: Words) -> list[Row]:
    found = []
    for one in desk.board.lines:
        try:
            position = desk.position(one.number)
        except NotFoundError:
            continue
        fork = position.line.base
        lines = [line for entry in position.seen.seen(fork) for line in position.seen.lines(entry)][:1]
        link = desk.link(one.number, one.line.length)
        first = words.sentence(lines[0].message) if lines else ""
        picture = f"/b/{desk.board.id}/{one.number}/picture.svg?n={one.line.length}"
        found.append(Row(one.number, one.name, first, fork, one.line.length, link, one.number == number, picture))
    return found


@router.get(
    "/t/{table_id}/branches/{at}/preview", "/u/{upload_id}/branches/{at}/preview", "/b/{board_id}/{number}/{at}/preview"
)
async def preview(request: Request, who: Person | None, at: int, action: int, number: int = THE_GAME) -> Response:
    """Return the effect of an action as ghosts for the board."""
    desk = await board_view(request, who)
    return await run_in_pool(request, partial(_ghosts, request, desk, number, at, action))


def _ghosts(request: Request, desk: BoardView, number: int, at: int, action: int) -> Response:
    here = desk.position(number, at)
    decided(desk.game, here.legal(), action, ())
    assert here.side is not None
    return ghosts_of(request, desk.person, desk.game, here.seen.view(), action, here.side)


@router.get("/b/{board_id}/{number}/picture.svg")
async def picture(request: Request, who: Person | None, number: int, n: Annotated[int, Meta(ge=0)]) -> Response:
    """Return a position of a line as a standalone picture."""
    desk = await board_view(request, who)
    return await run_in_pool(request, partial(_picture, request, desk, number, n))


def _picture(request: Request, desk: BoardView, number: int, at: int) -> Response:
    words = game_words(desk.game, desk.scene.language)
    here, reel = desk.position(number, at), desk.reel(request, number, words)
    alone = BoardRequest(plays=reel.plays_until(at), standalone="light")
    drawn = drawing_of(desk.game).board(desk.game, here.seen.view(), OBSERVER, words, alone)
    return Response(drawn, media_type="image/svg+xml", headers=SVG_POLICY)


@router.get("/b/{board_id}/{number}/embed")
async def embed(request: Request, number: int, at: Step = None, lang: Lang = None) -> Response:
    """Show a step of a line without navigation, for a frame of another site; the same for every user."""
    desk = await board_view(request, None)
    return await run_in_pool(request, partial(_embedded, request, desk, number, at, lang or desk.scene.language))


def _embedded(request: Request, desk: BoardView, number: int, at: int | None, language: str) -> Response:
    words = game_words(desk.game, language)
    desk.position(number)  # refuses a line that no longer exists
    reel = desk.reel(request, number, words)
    step = stop_at(reel, at)
    layout, plays = layout_of(request), reel.plays_until(step)
    return framed(
        request,
        desk.game,
        reel,
        step,
        heading=board_title(desk, language),
        board=drawn_board(desk.game, reel.view(step), OBSERVER, words, layout, plays=plays),
        ended="",
        address=f"/b/{desk.board.id}/{number}/embed",
        fixed={},
        replay=desk.link(number, step),
    )


@router.get("/b/{board_id}/{number}/journal")
async def journal_of(request: Request, who: Person | None, number: int) -> Response:
    """Send a line as a journal; the entries from its game are marked as given."""
    desk = await board_view(request, who)
    position = desk.position(number)
    entries = position.seen.entries[: position.line.base]
    told = headers(tuple((entry.actor, entry.action) for entry in entries), desk.source.address)
    record = journal.known_to(position.seen, told)
    name = f"{desk.game.id}-{desk.board.id}-{number}.brink"
    return PlainTextResponse(record.text(), headers={"Content-Disposition": f'attachment; filename="{name}"'})


@router.get("/b/{board_id}/{number}/replay/{step}")
async def where_it_was_played_on(request: Request, who: Person | None, number: int, step: int) -> Response:
    """Redirect from a table that began from a line back to that line."""
    desk = await board_view(request, who)
    return RedirectResponse(desk.link(number, step), 303)


# ---- Values of lines.


class Told(NamedTuple):
    """The value of a position in words."""

    wins: str
    beside: str
    """Comparison with the other lines."""
    is_best: bool


@router.get(
    "/t/{table_id}/branches/{at}/values", "/u/{upload_id}/branches/{at}/values", "/b/{board_id}/{number}/{at}/values"
)
async def values(request: Request, who: Person | None, at: int, number: int = THE_GAME) -> Response:
    """Show the value of the position, and compare the ends of all lines."""
    desk = await board_view(request, who)
    check_comparable(desk.game)

    def ends() -> tuple[Position, list[Position], Position | None]:
        lines = desk.ends()
        return desk.position(number, at), lines, desk.beside(lines)

    here, lines, game = await run_in_pool(request, ends)
    side = desk.of_interest(lines, here)
    others = [*lines, *([game] if game else [])]
    groups = [[here.seen.view()], [one.seen.view() for one in others]]
    (now,), found = await services_of(request).boards.compare(desk.game, side, groups)
    language = desk.scene.language
    words, own = game_words(desk.game, language), page_words(language)
    told = [_told(one, own) for one in found]
    return page(
        request,
        "study/branches_values.html",
        desk.person,
        side=side,
        side_name=words.name("side", desk.game.sides[side]),
        here=_told(now, own),
        rows=dict(zip((one.number for one in desk.board.lines), told, strict=False)),
        game=(told[-1], own.text(Message("play_on.of", {"n": game.line.length}))) if game else None,
    )


def _told(one: Compared, own: Words) -> Told:
    wins = Message("branches.wins", {"percent": _hundred(one.win), "error": _error(one.error)})
    behind = Message("branches.behind", {"percent": _hundred(one.behind), "error": _error(one.behind_error)})
    return Told(own.text(wins), own.text(Message("branches.best") if one.is_best else behind), one.is_best)


def _hundred(share: float) -> int:
    return round(100 * share)


def _error(share: float) -> int:
    """Return the error in percent, rounded up so that it is never understated."""
    return -int(-100 * share // 1) if share else 0


# ---- Steps.


class Submission(Struct):
    """A submitted form: an action, an outcome of chance, or the request that chance act."""

    chance: Chance = "fresh"
    action: Number | None = None
    outcome: Number | None = None
    name: Name = ""


def _after(desk: BoardView, number: int, at: int, sent: Submission, steps: list[str]) -> Position:
    def chosen(here: Position) -> int | None:
        return sent.outcome if here.outcomes() else decided(desk.game, here.legal(), sent.action, steps).action

    return desk.after(number, at, sent.chance, chosen)


# ---- Name and remove.


@router.post("/b/{board_id}/{number}/name")
async def call(
    request: Request, who: Person | None, number: int, name: Annotated[str, Meta(max_length=MAX_TITLE)] = ""
) -> Response:
    """Name a line, or the board if the number is that of the game."""
    desk = await _own_board(request, who)
    await asyncio.to_thread(services_of(request).boards.call, desk.board, number, name.strip())
    at = desk.position(number).line.length if number != THE_GAME else None
    return RedirectResponse(f"/b/{desk.board.id}" if at is None else desk.link(number, at), 303)


@router.post("/b/{board_id}/{number}/remove")
async def remove(request: Request, who: Person | None, number: int) -> Response:
    """Remove a line, or the board if the number is that of the game."""
    desk = await _own_board(request, who)
    await asyncio.to_thread(services_of(request).boards.remove, desk.board, number)
    return RedirectResponse("/branches" if number == THE_GAME else f"/b/{desk.board.id}", 303)


async def _own_board(request: Request, who: Person | None) -> BoardView:
    desk = await board_view(request, who)
    if not desk.is_own:
        raise ForbiddenError("the board belongs to another user", said="branches.refused.other")
    return desk


class Listed(NamedTuple):
    """A board in the user's list."""

    link: str
    title: str
    game: str
    lines: int
    changed_at: float


@router.get("/branches")
async def own(request: Request, who: Person | None) -> Response:
    """List the user's boards."""
    if who is None:
        return RedirectResponse("/account", 303)
    kept = await asyncio.to_thread(boards.of_person, services_of(request).engine, who.id, MAX_BOARDS)
    words = page_words(language_of(request, who))
    listed = [
        Listed(
            f"/b/{one.id}",
            one.title or words.sentence(Message("branches.title")),
            title_of(game_by_id(request, one.game), words),
            len(one.lines),
            one.changed_at,
        )
        for one in kept
    ]
    return page(request, "study/branches_own.html", who, boards=listed)


# ---- Continue at a table.


def _on(desk: BoardView, number: int) -> tuple[Scene, Source]:
    """Return a line as a game that can be continued."""
    seen = desk.position(number).seen
    source = desk.source._replace(seen=seen, address=f"/b/{desk.board.id}/{number}")
    film = ReplaySource(desk.game, lambda _: seen, desk.scene.film.names, source.address)
    return desk.scene._replace(film=film), source


@router.get("/b/{board_id}/{number}/play-on/{step}")
async def play_on_form(request: Request, who: Person | None, number: int, step: int) -> Response:
    """Show the form for continuing from a position of a line."""
    desk = await board_view(request, who)
    on: Callable[[], tuple[Scene, Source]] = partial(_on, desk, number)
    return await form_there(request, who, *await run_in_pool(request, on), step)


@router.post("/b/{board_id}/{number}/play-on/{step}", is_open=True)
async def play_on(request: Request, who: Person | None, number: int, step: int, wished: Wished) -> Response:
    """Create the table and redirect to it."""
    desk = await board_view(request, who)
    _, source = await run_in_pool(request, partial(_on, desk, number))
    return await begin_there(request, who, source, step, wished)


# ---- Catch-all routes: keep them last, because their patterns match many addresses.


@router.get("/t/{table_id}/branches/{at}", "/u/{upload_id}/branches/{at}", "/b/{board_id}/{number}/{at}")
async def show(request: Request, who: Person | None, at: int, number: int = THE_GAME) -> Response:
    """Show a position of a line, or of a finished game."""
    return await run_in_pool(request, partial(_page, request, await board_view(request, who), number, at))


@router.post("/t/{table_id}/branches/{at}", "/u/{upload_id}/branches/{at}", "/b/{board_id}/{number}/{at}", is_open=True)
async def play(request: Request, who: Person | None, at: int, sent: Submission, number: int = THE_GAME) -> Response:
    """Take a step at a position: extend the line at its end, otherwise begin a new one."""
    desk = await board_view(request, who)
    me, token = await somebody(request, desk.person, sent.name)
    steps = await steps_in(request)
    after = await run_in_pool(request, partial(_after, desk, number, at, sent, steps))
    keep = services_of(request).boards.keep
    board, found = await asyncio.to_thread(keep, desk.board, me.id, number, after.line)
    answer = RedirectResponse(replace(desk, board=board).link(found, after.line.length), 303)
    answer.set_cookie(CHANCE_COOKIE, sent.chance, max_age=COOKIE_SECONDS, samesite="lax")
    return signed_in(answer, request, token)


@router.get("/b/{board_id}/{number}/{kind}/{card_id}")
async def card(request: Request, who: Person | None, kind: str, card_id: str) -> Response:
    """Show a card or agenda named on a line."""
    desk = await board_view(request, who)
    return card_of(request, who, desk.scene, kind, card_id)
