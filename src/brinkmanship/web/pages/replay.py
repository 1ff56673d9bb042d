"""Games to be looked at: replay step by step, the page of a finished game, its journal; journals from elsewhere.

A running game shows only what its viewer knows; a finished one may be seen from either side or with all cards open.
"""

from __future__ import annotations

import asyncio
import secrets
import time
from collections import OrderedDict
from functools import lru_cache
from typing import Annotated, Any, NamedTuple

from fastapi import APIRouter, File, Query, Request, UploadFile
from fastapi.responses import HTMLResponse, PlainTextResponse, RedirectResponse, Response
from markupsafe import Markup

from brinkmanship.draw import drawing_of
from brinkmanship.engine import journal
from brinkmanship.engine.errors import BrinkError, JournalError
from brinkmanship.engine.game import OBSERVER, Game
from brinkmanship.engine.match import Match
from brinkmanship.engine.message import Message
from brinkmanship.store import repository
from brinkmanship.text import Words
from brinkmanship.web.errors import ForbiddenError, NotFoundError
from brinkmanship.web.identity import Visitor, language_of, service
from brinkmanship.web.pages.pictures import board, outlines
from brinkmanship.web.pages.play import result_text
from brinkmanship.web.pages.render import (
    computer_name,
    game_words,
    layout_of,
    page,
    page_words,
    public_url,
    render,
    title_of,
)
from brinkmanship.web.people import Person
from brinkmanship.web.recording import READERS, Film, Reel, Reels, Round, rounds_of
from brinkmanship.web.story import EVERYTHING
from brinkmanship.web.table import FINISHED, LiveTable

router = APIRouter()

FRAGMENT_HEADER = "x-fragment"
MOST_FILMS = 256
MOST_UPLOADS = 1000
UPLOAD_BYTES = 1_000_000
SVG_POLICY = {"Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'"}
"""For a picture that stands alone and brings its own style."""

As = Annotated[str | None, Query(alias="as", max_length=12)]
Step = Annotated[int | None, Query(ge=0, le=100_000)]


class Hand(NamedTuple):
    """Cards that a reader sees lying on a side."""

    side: int
    heading: str
    kind: str
    cards: list[tuple[str, Markup]]


class Viewing(NamedTuple):
    """A film with all that a request says about how it is to be seen."""

    film: Film
    reel: Reel
    readers: list[str]
    """The names of the readers one may choose."""
    reader: str
    words: Words
    own: Words

    def link(self, step: int) -> str:
        """The address of a step."""
        return f"{self.film.address}/replay/{step}?as={self.reader}"


# ---- The films: tables, and journals that were uploaded.


_reels: OrderedDict[str, Reels] = OrderedDict()
_uploads: OrderedDict[str, Film] = OrderedDict()


def _remembered(store: OrderedDict[str, Any], key: str, value: Any, most: int) -> None:
    store[key] = value
    store.move_to_end(key)
    while len(store) > most:
        store.popitem(last=False)


def _reels_of(address: str) -> Reels:
    _remembered(_reels, address, _reels.get(address) or Reels(), MOST_FILMS)
    return _reels[address]


async def _table_film(request: Request, table_id: str, own: Words) -> tuple[Film, LiveTable]:
    table = await service(request).table(table_id)
    names = tuple(computer_name(seat.computer, own) if seat.computer else seat.name for seat in table.seats)
    return Film(table.match, names, f"/t/{table.id}", table.result if table.status == FINISHED else ""), table


def _readers(table: LiveTable, who: Person | None) -> list[str]:
    """As whom one may look at a table, the default first."""
    if table.status == FINISHED:
        return ["open", *table.game.sides, "public"]
    mine = table.seat_of(who.id if who else None)
    # Who plays both sides at one screen shares it: while the game goes on no hand is shown here.
    return [*(table.game.sides[side] for side in mine if len(mine) == 1), "public"]


def _viewing(film: Film, readers: list[str], chosen: str | None, language: str) -> Viewing:
    reader = chosen or readers[0]
    if reader not in readers:
        if reader in (*film.game.sides, *READERS):
            raise ForbiddenError("while a game goes on, everybody sees only what he knows")
        raise NotFoundError(f"one looks as {', '.join(readers)}, not as {reader!r}")
    number = READERS.get(reader)
    if number is None:
        number = film.game.sides.index(reader)
    words = game_words(film.game, language)
    reel = _reels_of(film.address).reel(film, number, words)
    return Viewing(film, reel, readers, reader, words, page_words(language))


async def _viewed(request: Request, who: Person | None, table_id: str, chosen: str | None) -> Viewing:
    language = language_of(request, who)
    film, table = await _table_film(request, table_id, page_words(language))
    return _viewing(film, _readers(table, who), chosen, language)


async def _uploaded(request: Request, who: Person | None, upload_id: str, chosen: str | None) -> Viewing:
    film = _uploads.get(upload_id)
    if film is None:
        text = await asyncio.to_thread(repository.upload_of, request.app.state.engine, upload_id)
        if text is None:
            raise NotFoundError("this journal is no longer here: journals that are only looked at are soon forgotten")
        record = journal.parse(text)
        game = service(request).ruleset(record.game_id, record.options)
        film = _film_of(upload_id, record, await asyncio.to_thread(journal.play, record, game))
    _remembered(_uploads, upload_id, film, MOST_FILMS)
    return _viewing(film, ["open", *film.game.sides, "public"], chosen, language_of(request, who))


# ---- Step by step.


@router.get("/t/{table_id}/replay")
async def replay(request: Request, who: Visitor, table_id: str, n: Step = None, as_: As = None) -> Response:
    """The replay of a table: a finished game from its start, a running one as it stands."""
    viewing = await _viewed(request, who, table_id, as_)
    step = n if n is not None else 0 if viewing.film.result else viewing.reel.length
    return _step_page(request, who, viewing, step)


@router.get("/t/{table_id}/replay/{n}")
async def replay_step(request: Request, who: Visitor, table_id: str, n: int, as_: As = None) -> Response:
    """One step."""
    return _step_page(request, who, await _viewed(request, who, table_id, as_), n)


@router.get("/u/{upload_id}/replay")
async def uploaded_replay(request: Request, who: Visitor, upload_id: str, n: Step = None, as_: As = None) -> Response:
    """The replay of a journal that was uploaded."""
    return _step_page(request, who, await _uploaded(request, who, upload_id, as_), n or 0)


@router.get("/u/{upload_id}/replay/{n}")
async def uploaded_step(request: Request, who: Visitor, upload_id: str, n: int, as_: As = None) -> Response:
    """One step of it."""
    return _step_page(request, who, await _uploaded(request, who, upload_id, as_), n)


def _step_page(request: Request, who: Person | None, viewing: Viewing, step: int) -> Response:
    reel = viewing.reel
    if not 0 <= step <= reel.length:
        raise NotFoundError(f"the game has {reel.length} steps so far")
    step = reel.stop(step)
    context = {**_frame(viewing), **_step(request, viewing, step)}
    language = language_of(request, who)
    if FRAGMENT_HEADER in request.headers:
        return HTMLResponse(render("step.html", request, who, language, **context))
    return page(
        request,
        "replay.html",
        who,
        lines=reel.lines,
        outlines=outlines(viewing.film.game),
        picture=f"{public_url(request)}{viewing.film.address}/picture.svg?n={step}",
        url=f"{public_url(request)}{viewing.film.address}/replay/{step}",
        ended="",
        **context,
    )


def _frame(viewing: Viewing) -> dict[str, Any]:
    """What all pages about a film need."""
    film, own = viewing.film, viewing.own
    game = film.game
    return {
        "title": title_of(game, own),
        "game_id": game.id,
        "address": film.address,
        "is_upload": film.address.startswith("/u/"),
        "finished": bool(film.result),
        "players": [
            (side, viewing.words.name("side", side), name) for side, name in zip(game.sides, film.names, strict=True)
        ],
        "readers": [(name, _reader_name(name, viewing)) for name in viewing.readers],
        "reader": viewing.reader,
    }


def _reader_name(name: str, viewing: Viewing) -> str:
    if name in READERS:
        return viewing.own.sentence(Message(f"replay.as.{name}"))
    return viewing.words.name("side", name)


def _step(request: Request, viewing: Viewing, step: int) -> dict[str, Any]:
    """The fragment that changes from step to step."""
    film, reel, words = viewing.film, viewing.reel, viewing.words
    game, view = film.game, reel.view(step)
    eyes = OBSERVER if reel.reader == EVERYTHING else reel.reader
    layout = layout_of(request)
    at_end = bool(film.result) and step == reel.length
    return {
        "step": step,
        "last": reel.length,
        "before": reel.before(step),
        "after": reel.after(step),
        "layout": layout,
        "board": board(game, view, eyes, words, layout, plays=reel.plays_until(step)),
        "happened": reel.lines_of(step),
        "now": _ending(viewing) if at_end else words.sentence(game.prompt(view, eyes)),
        "comment": film.comments.get(step, ""),
        "hands": _hands(viewing, view),
        "link": viewing.link,
    }


def _ending(viewing: Viewing) -> str:
    film = viewing.film
    if film.match.is_over:
        return viewing.words.sentence(film.game.prompt(film.match.view(OBSERVER), OBSERVER))
    if not film.result or film.result == "unfinished":
        return viewing.own.sentence(Message("replay.unfinished"))
    return result_text(film.game, film.result, viewing.words, viewing.own)


_LYING = ("hand", "drawn", "own_aftermath")
"""Where cards may lie on a side; each game uses what it has."""


def _hands(viewing: Viewing, view: Any) -> list[Hand]:
    game, words, own = viewing.film.game, viewing.words, viewing.own
    found = []
    for side, name in enumerate(game.sides):
        if viewing.reel.reader not in (side, EVERYTHING):
            continue
        known = game.known_state(view, side)
        who = words.name("side", name)
        if agenda := known.get("agenda", {}).get(name):
            heading = own.sentence(Message("replay.hand.agenda", {"side": who}))
            found.append(Hand(side, heading, "agenda", [(agenda, _card(game, "agenda", agenda, words))]))
        for place in _LYING:
            if ids := known["cards"].get(place):
                heading = own.sentence(Message(f"replay.hand.{place}", {"side": who}))
                found.append(Hand(side, heading, "card", [(id, _card(game, "card", id, words)) for id in ids]))
    return found


@lru_cache(1000)
def _card(game: Game, kind: str, id: str, words: Words) -> Markup:
    return Markup(getattr(drawing_of(game), kind)(game, id, words))


# ---- The page of a game.


@router.get("/t/{table_id}/finished")
async def finished(request: Request, who: Visitor, table_id: str) -> Response:
    """How a game went: result, course, what was scored in each round. A running one is sent back to its table."""
    viewing = await _viewed(request, who, table_id, None)
    if not viewing.film.result:
        return RedirectResponse(f"/t/{table_id}", 303)
    return _summary(request, who, viewing)


@router.get("/u/{upload_id}")
async def uploaded_summary(request: Request, who: Visitor, upload_id: str) -> Response:
    """The same of a journal that was uploaded."""
    return _summary(request, who, await _uploaded(request, who, upload_id, None))


def _summary(request: Request, who: Person | None, viewing: Viewing) -> Response:
    film, words = viewing.film, viewing.words
    match = film.match
    states = [match.state_after(count) for count in range(len(match.entries) + 1)]
    rounds: list[Round] = rounds_of(match, viewing.reel)
    agendas = [{side: words.name("agenda", agenda) for side, agenda in each.agendas.items()} for each in rounds]
    return page(
        request,
        "finished.html",
        who,
        **_frame(viewing),
        result=_ending(viewing),
        winner=film.result.partition(" by ")[0],
        course=Markup(drawing_of(film.game).course(film.game, states, words)),
        rounds=list(zip(rounds, agendas, strict=True)),
        length=viewing.reel.length,
        has_agendas=any(agendas),
        sides=film.game.sides,
        link=viewing.link,
        picture=f"{public_url(request)}{film.address}/picture.svg",
        ended=_ending(viewing),
        url=f"{public_url(request)}{film.address}" + ("" if film.address.startswith("/u/") else "/finished"),
    )


@router.get("/t/{table_id}/picture.svg")
async def picture(request: Request, who: Visitor, table_id: str, n: Step = None) -> Response:
    """The public position, now or at a step, as a picture that stands alone, for links in messengers."""
    film, _ = await _table_film(request, table_id, page_words(language_of(request, who)))
    return _picture(_viewing(film, ["public"], "public", language_of(request, who)), n)


@router.get("/u/{upload_id}/picture.svg")
async def uploaded_picture(request: Request, who: Visitor, upload_id: str, n: Step = None) -> Response:
    """The same of a journal that was uploaded."""
    return _picture(await _uploaded(request, who, upload_id, "public"), n)


def _picture(viewing: Viewing, step: int | None) -> Response:
    reel, game = viewing.reel, viewing.film.game
    # A player may link to a step that the public does not yet know of.
    step = reel.length if step is None else min(step, reel.length)
    plays = reel.plays_until(step)
    view = reel.view(step)
    drawn = drawing_of(game).board(game, view, OBSERVER, viewing.words, plays=plays, standalone="light")
    return Response(drawn, media_type="image/svg+xml", headers=SVG_POLICY)


@router.get("/u/{upload_id}/{kind}/{card_id}")
async def uploaded_card(request: Request, who: Visitor, upload_id: str, kind: str, card_id: str) -> Response:
    """A card or agenda of the ruleset of a journal that was uploaded."""
    viewing = await _uploaded(request, who, upload_id, None)
    if kind not in ("card", "agenda"):
        raise NotFoundError("there are cards and agendas")
    game = viewing.film.game
    try:
        if FRAGMENT_HEADER in request.headers:
            return Response(_card(game, kind, card_id, viewing.words), media_type="image/svg+xml")
        drawn = getattr(drawing_of(game), kind)(game, card_id, viewing.words, standalone="auto")
    except (StopIteration, KeyError) as error:
        raise NotFoundError(f"there is no {kind} {card_id}") from error
    return Response(drawn, media_type="image/svg+xml", headers=SVG_POLICY)


# ---- Journals.


@router.get("/t/{table_id}/journal")
async def journal_of_table(request: Request, who: Visitor, table_id: str) -> Response:
    """The journal as a file: the whole of a finished game, else what the viewer knows."""
    tables = service(request)
    table = await tables.table(table_id)
    mine = table.seat_of(who.id if who else None)
    record = tables.record(table, mine[0] if len(mine) == 1 else OBSERVER)
    name = f"{table.game.id}-{table.id}.brink"
    return PlainTextResponse(record.text(), headers={"Content-Disposition": f'attachment; filename="{name}"'})


@router.get("/replay/upload")
async def upload_form(request: Request, who: Visitor) -> Response:
    """Where a journal is uploaded to be looked at."""
    return page(request, "upload.html", who, fault=None)


@router.post("/replay/upload")
async def upload(request: Request, who: Visitor, file: Annotated[UploadFile, File()]) -> Response:
    """Check a journal and look at it. It changes nothing here and is kept for a while."""
    try:
        record, game = await read_upload(request, file)
        match = await asyncio.to_thread(journal.play, record, game)
    except JournalFaultError as fault:
        return page(request, "upload.html", who, status=422, fault=fault)
    except BrinkError as error:
        return page(request, "upload.html", who, status=422, fault=JournalFaultError(error, await _lines(file)))
    upload_id = await _keep_upload(request, record, match)
    return RedirectResponse(f"/u/{upload_id}", 303)


class JournalFaultError(Exception):
    """Why a journal could not be used, with the line of the file where there is one."""

    def __init__(self, error: BrinkError, lines: list[str]) -> None:
        super().__init__(str(error))
        self.line = error.line if isinstance(error, JournalError) else None
        reason = str(error)
        if isinstance(error, JournalError):
            where = f"{error.file}:{error.line}: " if error.line else f"{error.file}: "
            reason = reason.removeprefix(where)
        self.reason = reason
        self.text = lines[self.line - 1][:200] if self.line and self.line <= len(lines) else ""


async def _lines(file: UploadFile) -> list[str]:
    await file.seek(0)
    return (await file.read(UPLOAD_BYTES)).decode("utf-8", "replace").splitlines()


async def read_upload(request: Request, file: UploadFile) -> tuple[journal.Journal, Game]:
    """The journal in a file that was sent, and the ruleset it names.

    Raises:
        JournalFaultError: it is no journal, or of a game that is not played here.
    """
    raw = await file.read(UPLOAD_BYTES + 1)
    name = (file.filename or "journal")[-80:]
    try:
        if len(raw) > UPLOAD_BYTES:
            raise JournalError(name, None, f"is longer than any journal: at most {UPLOAD_BYTES} bytes are read")
        try:
            text = raw.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            line = raw[: error.start].count(b"\n") + 1
            raise JournalError(name, line, f"is not UTF-8 text: byte {raw[error.start]:#04x}") from error
        record = journal.parse(text, name)
        return record, service(request).ruleset(record.game_id, record.options)
    except BrinkError as error:
        raise JournalFaultError(error, raw.decode("utf-8", "replace").splitlines()) from error


async def _keep_upload(request: Request, record: journal.Journal, match: Match) -> str:
    upload_id = secrets.token_hex(8)
    engine = request.app.state.engine
    await asyncio.to_thread(repository.keep_upload, engine, upload_id, record.text(), time.time(), MOST_UPLOADS)
    _remembered(_uploads, upload_id, _film_of(upload_id, record, match), MOST_FILMS)
    return upload_id


def _film_of(upload_id: str, record: journal.Journal, match: Match) -> Film:
    names = tuple(record.headers.get(side, "") for side in match.game.sides)
    result = journal.result_text(match) if match.is_over else record.result
    return Film(match, names, f"/u/{upload_id}", result, journal.comments_of(record, match))
