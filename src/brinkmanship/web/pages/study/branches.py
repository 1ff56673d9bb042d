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

from brinkmanship.analysis.compare import ComparedPosition
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
from brinkmanship.web.pages.study.play_on import (
    PlayOnFields,
    begin_there,
    form_there,
    open_game,
    open_table,
    open_upload,
)
from brinkmanship.web.pages.study.position_form import decided, ghosts_of, shown_of, steps_in
from brinkmanship.web.pages.study.replay import MAX_UPLOADS, SVG_POLICY, ReplayAccess, Step, card_of, hands_open_to
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

    access: ReplayAccess
    person: Person | None

    @property
    def is_own(self) -> bool:
        """True if the viewer may change it."""
        return bool(self.board.id) and self.person is not None and self.person.id == self.board.person_id

    def link(self, number: int, at: int) -> str:
        """Return the address of a position on a line."""
        return f"/b/{self.board.id}/{number}/{at}" if self.board.id else f"{self.source.address}/branches/{at}"

    def replay(self, request: Request, number: int, words: Words) -> Replay:
        """Return the replay of a line."""
        replays = services_of(request).replays
        replay_source = self.access.source
        if number != THE_GAME:
            seen = self.position(number).seen
            replay_source = ReplaySource(self.game, lambda _: seen, replay_source.names, f"/b/{self.board.id}/{number}")
        return replays.replay(replay_source, FULL_INFORMATION, words)


async def requested_board(request: Request, who: Person | None) -> BoardView:
    """Return the board named by an address; for a finished game an empty one.

    Raises:
        NotFoundError: there is no such board or game.
    """
    named = request.path_params
    if "board_id" in named:
        return await kept_board(request, who, named["board_id"])
    access, source = await open_game(request, who)
    return BoardView(source, nothing_tried(source.game, named.get("table_id"), named.get("upload_id")), access, who)


async def kept_board(request: Request, who: Person | None, board_id: str) -> BoardView:
    """Return a stored board.

    Raises:
        NotFoundError: there is no such board.
        ForbiddenError: its game may not be shown, since other tables play the same deal.
    """
    engine = services_of(request).engine
    kept = await asyncio.to_thread(boards.board, engine, board_id)
    if kept is None:
        raise NotFoundError("there is no such board", key="branches.refused.no_board")
    if kept.table_id is not None:
        access, source = await open_table(request, who, kept.table_id)
        return BoardView(source, kept, access, who)
    assert kept.upload_id is not None
    text = await asyncio.to_thread(repository.upload_of, engine, kept.upload_id)
    if text is None:  # uploads expire, boards do not
        text = await asyncio.to_thread(boards.journal_of, engine, board_id) or ""
        keep = partial(repository.keep_upload, engine, kept.upload_id, text, time_control.now(), MAX_UPLOADS)
        await asyncio.to_thread(keep, repository.Sender())  # as the server's own work
    access, source = await open_upload(request, who, kept.upload_id)
    return BoardView(source, kept, access, who)


# ---- View.


@router.get("/b/{board_id}")
async def whole(request: Request, who: Person | None) -> Response:
    """Redirect to the end of a board's last line."""
    board_view = await requested_board(request, who)
    last = board_view.board.lines[-1] if board_view.board.lines else None
    return RedirectResponse(board_view.link(*((last.number, last.line.length) if last else (THE_GAME, 0))), 303)


class VariationRow(NamedTuple):
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


def _page(request: Request, board_view: BoardView, number: int, at: int) -> Response:
    language, layout, game = board_view.access.language, layout_of(request), board_view.game
    words, own = game_words(game, language), page_words(language)
    here, replay = board_view.position(number, at), board_view.replay(request, number, words)
    view = here.seen.view()
    shown = None if here.mover is None else _asked(here, words, own)
    marked = set() if shown is None else {group.id for group in shown.groups if group.kind in ("place", "track")}
    open_hands = hands_open_to(FULL_INFORMATION, game, view, words, own)
    board = board_view.board
    return page(
        request,
        "study/branches.html",
        board_view.person,
        title=title_of(game, own),
        game_id=game.id,
        board_view=board_view,
        called=board_title(board_view, language),
        number=number,
        at=at,
        last=replay.length,
        before=replay.before(at),
        after=replay.after(at),
        is_own=board_view.is_own,
        is_kept=bool(board.id),
        address=f"{public_url(request)}/b/{board.id}",
        embedded=frame_code(
            f"{public_url(request)}/b/{board.id}/{number}/embed?at={at}", board_title(board_view, language)
        ),
        oembed=oembed_link(request, board_view.link(number, at)) if board.id else "",
        players=[
            (side, words.name("side", side), name)
            for side, name in zip(game.sides, board_view.access.source.names, strict=True)
        ],
        layout=layout,
        outlines=outlines(game),
        board=drawn_board(game, view, OBSERVER, words, layout, plays=replay.plays_until(at), highlights=marked),
        board_text=board_text(game, view, OBSERVER, words, text_mode_of(request)),
        happened=replay.lines_of(at),
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
        chance=_chance(request, board_view),
        knows_chance=board_view.source.key is not None,
        rows=_rows(board_view, number, words),
        goes_on=not here.is_over,
        compares=can_compare(game),
        most_title=MAX_TITLE,
    )


def _asked(here: Position, words: Words, own: Words) -> QuestionView:
    assert here.mover is not None
    assert here.side is not None
    return shown_of(here.game, here.mover.view(), here.side, here.legal(), words, own)


def board_title(board_view: BoardView, language: str) -> str:
    """Return the title of a board.

    The default one is not stored, because a player may delete their account, and with it their name.
    """
    if board_view.board.title:
        return board_view.board.title
    words, own = game_words(board_view.game, language), page_words(language)
    names = " – ".join(
        name or words.name("side", side)
        for side, name in zip(board_view.game.sides, board_view.access.source.names, strict=True)
    )
    return own.sentence(Message("branches.title.of", {"title": title_of(board_view.game, own), "who": names}))


def _chance(request: Request, board_view: BoardView) -> Chance:
    """Return how chance acts: as the user last chose, by default as in the game if its key is known."""
    usual: Chance = "fresh" if board_view.source.key is None else "same"
    chosen = CHANCES.get(request.cookies.get(CHANCE_COOKIE, ""), usual)
    return usual if chosen == "same" else chosen


def _rows(board_view: BoardView, number: int, words: Words) -> list[VariationRow]:
    found = []
    for one in board_view.board.lines:
        try:
            position = board_view.position(one.number)
        except NotFoundError:
            continue
        fork = position.line.base
        lines = [line for entry in position.seen.seen(fork) for line in position.seen.lines(entry)][:1]
        link = board_view.link(one.number, one.line.length)
        first = words.sentence(lines[0].message) if lines else ""
        picture = f"/b/{board_view.board.id}/{one.number}/picture.svg?n={one.line.length}"
        found.append(
            VariationRow(one.number, one.name, first, fork, one.line.length, link, one.number == number, picture)
        )
    return found


@router.get(
    "/t/{table_id}/branches/{at}/preview", "/u/{upload_id}/branches/{at}/preview", "/b/{board_id}/{number}/{at}/preview"
)
async def preview(request: Request, who: Person | None, at: int, action: int, number: int = THE_GAME) -> Response:
    """Return the effect of an action as ghosts for the board."""
    board_view = await requested_board(request, who)
    return await run_in_pool(request, partial(_ghosts, request, board_view, number, at, action))


def _ghosts(request: Request, board_view: BoardView, number: int, at: int, action: int) -> Response:
    here = board_view.position(number, at)
    decided(board_view.game, here.legal(), action, ())
    assert here.side is not None
    return ghosts_of(request, board_view.person, board_view.game, here.seen.view(), action, here.side)


@router.get("/b/{board_id}/{number}/picture.svg")
async def picture(request: Request, who: Person | None, number: int, n: Annotated[int, Meta(ge=0)]) -> Response:
    """Return a position of a line as a standalone picture."""
    board_view = await requested_board(request, who)
    return await run_in_pool(request, partial(_picture, request, board_view, number, n))


def _picture(request: Request, board_view: BoardView, number: int, at: int) -> Response:
    words = game_words(board_view.game, board_view.access.language)
    here, replay = board_view.position(number, at), board_view.replay(request, number, words)
    alone = BoardRequest(plays=replay.plays_until(at), standalone="light")
    drawn = drawing_of(board_view.game).board(board_view.game, here.seen.view(), OBSERVER, words, alone)
    return Response(drawn, media_type="image/svg+xml", headers=SVG_POLICY)


@router.get("/b/{board_id}/{number}/embed")
async def embed(request: Request, number: int, at: Step = None, lang: Lang = None) -> Response:
    """Show a step of a line without navigation, for a frame of another site; the same for every user."""
    board_view = await requested_board(request, None)
    return await run_in_pool(
        request, partial(_embedded, request, board_view, number, at, lang or board_view.access.language)
    )


def _embedded(request: Request, board_view: BoardView, number: int, at: int | None, language: str) -> Response:
    words = game_words(board_view.game, language)
    board_view.position(number)  # refuses a line that no longer exists
    replay = board_view.replay(request, number, words)
    step = stop_at(replay, at)
    layout, plays = layout_of(request), replay.plays_until(step)
    return framed(
        request,
        board_view.game,
        replay,
        step,
        heading=board_title(board_view, language),
        board=drawn_board(board_view.game, replay.view(step), OBSERVER, words, layout, plays=plays),
        ended="",
        address=f"/b/{board_view.board.id}/{number}/embed",
        fixed={},
        replay_path=board_view.link(number, step),
    )


@router.get("/b/{board_id}/{number}/journal")
async def journal_of(request: Request, who: Person | None, number: int) -> Response:
    """Send a line as a journal; the entries from its game are marked as given."""
    board_view = await requested_board(request, who)
    position = board_view.position(number)
    entries = position.seen.entries[: position.line.base]
    headers_known = headers(tuple((entry.actor, entry.action) for entry in entries), board_view.source.address)
    record = journal.known_to(position.seen, headers_known)
    name = f"{board_view.game.id}-{board_view.board.id}-{number}.brink"
    return PlainTextResponse(record.text(), headers={"Content-Disposition": f'attachment; filename="{name}"'})


@router.get("/b/{board_id}/{number}/replay/{step}")
async def where_it_was_played_on(request: Request, who: Person | None, number: int, step: int) -> Response:
    """Redirect from a table that began from a line back to that line."""
    board_view = await requested_board(request, who)
    return RedirectResponse(board_view.link(number, step), 303)


# ---- Values of lines.


class Evaluation(NamedTuple):
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
    board_view = await requested_board(request, who)
    check_comparable(board_view.game)

    def ends() -> tuple[Position, list[Position], Position | None]:
        lines = board_view.ends()
        return board_view.position(number, at), lines, board_view.beside(lines)

    here, lines, game = await run_in_pool(request, ends)
    side = board_view.of_interest(lines, here)
    others = [*lines, *([game] if game else [])]
    groups = [[here.seen.view()], [one.seen.view() for one in others]]
    (now,), found = await services_of(request).boards.compare(board_view.game, side, groups)
    language = board_view.access.language
    words, own = game_words(board_view.game, language), page_words(language)
    evaluations = [_evaluation(one, own) for one in found]
    return page(
        request,
        "study/branches_values.html",
        board_view.person,
        side=side,
        side_name=words.name("side", board_view.game.sides[side]),
        here=_evaluation(now, own),
        rows=dict(zip((one.number for one in board_view.board.lines), evaluations, strict=False)),
        game=(evaluations[-1], own.text(Message("play_on.of", {"n": game.line.length}))) if game else None,
    )


def _evaluation(one: ComparedPosition, own: Words) -> Evaluation:
    wins = Message("branches.wins", {"percent": _hundred(one.win), "error": _error(one.error)})
    behind = Message("branches.behind", {"percent": _hundred(one.behind), "error": _error(one.behind_error)})
    return Evaluation(own.text(wins), own.text(Message("branches.best") if one.is_best else behind), one.is_best)


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


def _after(board_view: BoardView, number: int, at: int, sent: Submission, steps: list[str]) -> Position:
    def chosen(here: Position) -> int | None:
        return sent.outcome if here.outcomes() else decided(board_view.game, here.legal(), sent.action, steps).action

    return board_view.after(number, at, sent.chance, chosen)


# ---- Name and remove.


@router.post("/b/{board_id}/{number}/name")
async def call(
    request: Request, who: Person | None, number: int, name: Annotated[str, Meta(max_length=MAX_TITLE)] = ""
) -> Response:
    """Name a line, or the board if the number is that of the game."""
    board_view = await _own_board(request, who)
    await asyncio.to_thread(services_of(request).boards.call, board_view.board, number, name.strip())
    at = board_view.position(number).line.length if number != THE_GAME else None
    return RedirectResponse(f"/b/{board_view.board.id}" if at is None else board_view.link(number, at), 303)


@router.post("/b/{board_id}/{number}/remove")
async def remove(request: Request, who: Person | None, number: int) -> Response:
    """Remove a line, or the board if the number is that of the game."""
    board_view = await _own_board(request, who)
    await asyncio.to_thread(services_of(request).boards.remove, board_view.board, number)
    return RedirectResponse("/branches" if number == THE_GAME else f"/b/{board_view.board.id}", 303)


async def _own_board(request: Request, who: Person | None) -> BoardView:
    board_view = await requested_board(request, who)
    if not board_view.is_own:
        raise ForbiddenError("the board belongs to another user", key="branches.refused.other")
    return board_view


class BoardEntry(NamedTuple):
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
        BoardEntry(
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


def _on(board_view: BoardView, number: int) -> tuple[ReplayAccess, Source]:
    """Return a line as a game that can be continued."""
    seen = board_view.position(number).seen
    source = board_view.source._replace(seen=seen, address=f"/b/{board_view.board.id}/{number}")
    replay_source = ReplaySource(board_view.game, lambda _: seen, board_view.access.source.names, source.address)
    return board_view.access._replace(source=replay_source), source


@router.get("/b/{board_id}/{number}/play-on/{step}")
async def play_on_form(request: Request, who: Person | None, number: int, step: int) -> Response:
    """Show the form for continuing from a position of a line."""
    board_view = await requested_board(request, who)
    on: Callable[[], tuple[ReplayAccess, Source]] = partial(_on, board_view, number)
    return await form_there(request, who, *await run_in_pool(request, on), step)


@router.post("/b/{board_id}/{number}/play-on/{step}", is_open=True)
async def play_on(request: Request, who: Person | None, number: int, step: int, wished: PlayOnFields) -> Response:
    """Create the table and redirect to it."""
    board_view = await requested_board(request, who)
    _, source = await run_in_pool(request, partial(_on, board_view, number))
    return await begin_there(request, who, source, step, wished)


# ---- Catch-all routes: keep them last, because their patterns match many addresses.


@router.get("/t/{table_id}/branches/{at}", "/u/{upload_id}/branches/{at}", "/b/{board_id}/{number}/{at}")
async def show(request: Request, who: Person | None, at: int, number: int = THE_GAME) -> Response:
    """Show a position of a line, or of a finished game."""
    return await run_in_pool(request, partial(_page, request, await requested_board(request, who), number, at))


@router.post("/t/{table_id}/branches/{at}", "/u/{upload_id}/branches/{at}", "/b/{board_id}/{number}/{at}", is_open=True)
async def play(request: Request, who: Person | None, at: int, sent: Submission, number: int = THE_GAME) -> Response:
    """Take a step at a position: extend the line at its end, otherwise begin a new one."""
    board_view = await requested_board(request, who)
    me, token = await somebody(request, board_view.person, sent.name)
    steps = await steps_in(request)
    after = await run_in_pool(request, partial(_after, board_view, number, at, sent, steps))
    keep = services_of(request).boards.keep
    board, found = await asyncio.to_thread(keep, board_view.board, me.id, number, after.line)
    answer = RedirectResponse(replace(board_view, board=board).link(found, after.line.length), 303)
    answer.set_cookie(CHANCE_COOKIE, sent.chance, max_age=COOKIE_SECONDS, samesite="lax")
    return signed_in(answer, request, token)


@router.get("/b/{board_id}/{number}/{kind}/{card_id}")
async def card(request: Request, who: Person | None, kind: str, card_id: str) -> Response:
    """Show a card or agenda named on a line."""
    board_view = await requested_board(request, who)
    return card_of(request, who, board_view.access, kind, card_id)
