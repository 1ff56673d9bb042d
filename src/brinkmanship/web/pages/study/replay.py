"""Replay pages: step-by-step replay, the page of a finished game, its journal, and uploaded journals.

A running game shows only what its viewer knows; a finished one may be seen from either side or with all cards open.
"""

from __future__ import annotations

import asyncio
import json
import secrets
import time
from collections.abc import Sequence
from functools import partial
from typing import Annotated, Any, NamedTuple

from markupsafe import Markup
from msgspec import Meta
from starlette.datastructures import UploadFile
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, RedirectResponse, Response

from brinkmanship.drawing import BoardRequest, drawing_of
from brinkmanship.drawing.link_preview import link_preview
from brinkmanship.drawing.player_area import without_to_act
from brinkmanship.drawing.style import Theme
from brinkmanship.engine import journal
from brinkmanship.engine.data_file import DataFile
from brinkmanship.engine.errors import BrinkError, DataFileError, JournalError
from brinkmanship.engine.game import FULL_INFORMATION, OBSERVER, OVER, Game
from brinkmanship.engine.message import Message
from brinkmanship.engine.open_record import NOT_SEEN
from brinkmanship.players import opponents_for
from brinkmanship.store import repository
from brinkmanship.store.comments import Comment, comments_of, steps_with
from brinkmanship.text import Words
from brinkmanship.text.reasons import reason_text
from brinkmanship.text.score import score_text
from brinkmanship.web.accounts.authentication import language_of
from brinkmanship.web.accounts.users import Person
from brinkmanship.web.pages.shared.board_text import board_text, text_mode_of
from brinkmanship.web.pages.shared.forms import Number
from brinkmanship.web.pages.shared.page_router import PageRouter
from brinkmanship.web.pages.shared.pictures import (
    board,
    card_picture,
    card_view,
    outlines,
    preview_of_link,
    tells_history,
)
from brinkmanship.web.pages.shared.rendering import layout_of, oembed_link, page, public_url, render, run_in_pool
from brinkmanship.web.pages.shared.results import result_text
from brinkmanship.web.presentation.data_files import fault_of, sent_data
from brinkmanship.web.presentation.page_words import computer_name, game_words, page_words, player_name, title_of
from brinkmanship.web.presentation.replay import VIEWERS, Replay, ReplaySource, replay_source_of
from brinkmanship.web.presentation.shortcuts import keys_of, name_of
from brinkmanship.web.services import services_of
from brinkmanship.web.support.errors import ForbiddenError, NotFoundError
from brinkmanship.web.tables.bot_reasons import journal_at, reasons_at
from brinkmanship.web.tables.live_table import LiveTable
from brinkmanship.web.tables.quotas import sender_of_upload

router = PageRouter()

FRAGMENT_HEADER = "x-fragment"
MAX_UPLOADS = 1000
SVG_POLICY = {"Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'"}
"""Headers for a standalone picture with its own style."""

As = Annotated[str, Meta(max_length=12)] | None
Step = Number | None


class Hand(NamedTuple):
    """Cards visible to a viewer in front of a side."""

    side: int
    heading: str
    kind: str
    cards: list[tuple[str, Markup]]


class ReplayView(NamedTuple):
    """A replay with the parameters of its display."""

    source: ReplaySource
    replay: Replay
    viewers: list[str]
    """Names of the perspectives the viewer may choose."""
    viewer: str
    words: Words
    own: Words
    can_analyse: bool
    """True if its analysis is available here."""

    def link(self, step: int) -> str:
        """Return the address of a step."""
        return f"{self.source.address}/replay/{step}?as={self.viewer}"

    @property
    def players(self) -> list[tuple[str, str, str]]:
        """Id and name of each side, and the name of its player."""
        game = self.source.game
        return [
            (
                side,
                self.words.name("side", side),
                computer_name(name, self.own) if name in opponents_for(game) else name,
            )
            for side, name in zip(game.sides, self.source.names, strict=True)
        ]


# ---- Replay sources: tables and uploaded journals.


async def replay_source_at(request: Request, table: LiveTable, own: Words) -> ReplaySource:
    """Return a snapshot of a table as a replay source, safe to use in another thread."""
    snapshot = table.snapshot()
    people = _people(table)
    names = tuple(_name(table, side, people, own) for side in range(len(people)))
    source = ReplaySource(table.game, snapshot.seen_by, names, f"/t/{table.id}", hinted_entries=snapshot.hinted_entries)
    linked = await services_of(request).profile_links.among(people)
    source.profiles = tuple(person or "" if person in linked else "" for person in people)
    if table.origin:
        source.given, source.given_from = table.given, table.origin.address
    if table.is_revealed:
        source.result = table.result
        source.reasons = await asyncio.to_thread(reasons_at, services_of(request).engine, table)
    return source


def _people(table: LiveTable) -> list[str | None]:
    """Return the users by side; on a shared screen the second side has none."""
    people = [seat.person_id for seat in table.seats]
    return [person if person not in people[:side] else None for side, person in enumerate(people)]


def _name(table: LiveTable, side: int, people: Sequence[str | None], own: Words) -> str:
    seat = table.seats[side]
    is_shared = seat.person_id and not people[side]
    return own.text(Message("home.same_screen")) if is_shared else player_name(seat, own)


def _viewers(table: LiveTable, who: Person | None) -> list[str]:
    """Return the perspectives from which a user may view a table, the default first."""
    if table.is_revealed:
        return ["open", *table.game.sides, "public"]
    mine = table.seat_of(who.id if who else None)
    # A user who plays both sides shares the screen: while the game is running, no hand is shown here.
    return [*(table.game.sides[side] for side in mine if len(mine) == 1), "public"]


class ReplayAccess(NamedTuple):
    """A replay source and its permitted perspectives: everything determined in the event loop before the slow part."""

    source: ReplaySource
    viewers: list[str]
    language: str
    own_side: str | None = None
    """The side that the user played at a table; None for both, for none, and for an uploaded game."""
    comments: Sequence[Comment] = ()
    """Comments that the user may read."""
    may_comment: bool = False
    """True if the user may write some."""

    def viewing(self, request: Request, chosen: str | None) -> ReplayView:
        """Return the replay from a perspective, with its log; slow unless cached.

        Raises:
            ForbiddenError: the viewer may not use this perspective.
            NotFoundError: there is no such perspective.
        """
        source, viewers = self.source, self.viewers
        viewer = chosen or viewers[0]
        if viewer not in viewers:
            if viewer in (*source.game.sides, *VIEWERS):
                raise ForbiddenError(
                    "while a game is running, you see only what your side knows", key="refused.only_own_eyes"
                )
            raise NotFoundError(f"there is no perspective {viewer!r}; the perspectives are {', '.join(viewers)}")
        number = VIEWERS.get(viewer)
        if number is None:
            number = source.game.sides.index(viewer)
        words = game_words(source.game, self.language)
        replays = services_of(request).replays
        replay = replays.replay(source, number, words)
        can_analyse = services_of(request).analyses.can_analyse(source.game, source.result)
        return ReplayView(source, replay, viewers, viewer, words, page_words(self.language), can_analyse)


async def access_of(request: Request, who: Person | None, language: str | None = None) -> ReplayAccess:
    """Return the game named by an address: /t/{table_id}/... or /u/{upload_id}/..., in the user's or another language.

    Raises:
        NotFoundError: there is no such table, or the journal is no longer stored.
    """
    named = request.path_params
    if "table_id" in named:
        return await access_at(request, who, await services_of(request).tables.fresh(named["table_id"]), language)
    return await access_to_upload(request, who, named["upload_id"], language)


async def access_at(
    request: Request, who: Person | None, table: LiveTable, language: str | None = None
) -> ReplayAccess:
    """Return an up-to-date table with the perspectives permitted to a user."""
    language = language or language_of(request, who)
    mine = table.seat_of(who.id if who else None)
    own_side = table.game.sides[mine[0]] if len(mine) == 1 else None
    source = await replay_source_at(request, table, page_words(language))
    told = await comments_at(request, who, table) if table.is_revealed else []
    return ReplayAccess(source, _viewers(table, who), language, own_side, told, table.is_revealed and who is not None)


async def comments_at(request: Request, who: Person | None, table: LiveTable) -> list[Comment]:
    """Return the comments at a table that a user may read, as far as their moves are still in the game."""
    engine = services_of(request).engine
    found = await asyncio.to_thread(comments_of, engine, table.id, who.id if who else "")
    return [one for one in found if table.move(one.step) == one.move]


async def access_to_upload(
    request: Request, who: Person | None, upload_id: str, language: str | None = None
) -> ReplayAccess:
    """Return the game of an uploaded journal.

    Raises:
        NotFoundError: the journal is no longer stored.
    """
    uploads = services_of(request).uploads
    source = uploads.get(upload_id)
    if source is None:
        text = await asyncio.to_thread(repository.upload_of, services_of(request).engine, upload_id)
        if text is None:
            raise NotFoundError("this journal is no longer available", key="refused.journal_gone")
        source = uploads.keep(upload_id, await run_in_pool(request, partial(_developed, request, text, upload_id)))
    return ReplayAccess(source, ["open", *source.game.sides, "public"], language or language_of(request, who))


def _developed(request: Request, text: str, upload_id: str) -> ReplaySource:
    record = journal.parse(text)
    game = _ruleset_of(request, record, None)
    return replay_source_of(record, journal.play(record, game), f"/u/{upload_id}")


# ---- Replay by steps.


@router.get("/t/{table_id}/replay", "/u/{upload_id}/replay")
async def replay(request: Request, who: Person | None, n: Step = None, as_: As = None) -> Response:
    """Show the replay of a game: a finished one from its start, a running one at its current position."""
    access = await access_of(request, who)
    return await run_in_pool(request, partial(step_page, request, who, access, as_, n))


@router.get("/t/{table_id}/replay/{n}", "/u/{upload_id}/replay/{n}")
async def replay_step(request: Request, who: Person | None, n: int, as_: As = None) -> Response:
    """Show one step of the replay."""
    access = await access_of(request, who)
    return await run_in_pool(request, partial(step_page, request, who, access, as_, n))


def step_page(
    request: Request,
    who: Person | None,
    access: ReplayAccess,
    chosen: str | None,
    requested: int | None,
    template: str = "study/replay.html",
    **more: Any,
) -> Response:
    """Return a step of the replay as a page with this template, or as a fragment."""
    viewing = access.viewing(request, chosen)
    replay = viewing.replay
    step = requested if requested is not None else 0 if viewing.source.result else replay.length
    if not 0 <= step <= replay.length:
        raise NotFoundError(f"the game has {replay.length} steps so far")
    step = replay.stop(step)
    context = {
        **frame(viewing),
        **step_context(request, viewing, step),
        **_comments(access, viewing.replay, step),
        **more,
    }
    if FRAGMENT_HEADER in request.headers:
        return HTMLResponse(render("study/replay_step.html", request, who, access.language, **context))
    return page(
        request,
        template,
        who,
        lines=replay.lines,
        outlines=outlines(viewing.source.game),
        picture=f"{public_url(request)}{viewing.source.address}/picture.png?n={step}",
        url=f"{public_url(request)}{viewing.source.address}/replay/{step}",
        site=public_url(request),
        oembed=oembed_link(request, viewing.link(step)),
        animates=bool(services_of(request).animations.kept),
        ended="",
        **context,
    )


def frame(viewing: ReplayView) -> dict[str, Any]:
    """Return the template context shared by all replay pages."""
    source, own = viewing.source, viewing.own
    game = source.game
    return {
        "title": title_of(game, own),
        "game_id": game.id,
        "address": source.address,
        "is_upload": source.address.startswith("/u/"),
        "can_analyse": viewing.can_analyse,
        "finished": bool(source.result),
        "given": source.given,
        "given_from": f"{source.given_from}/replay/{source.given}" if source.given_from else "",
        "players": viewing.players,
        "profiles": source.profiles or ("",) * len(game.sides),
        "readers": [(name, _viewer_name(name, viewing)) for name in viewing.viewers],
        "viewer": viewing.viewer,
    }


def _viewer_name(name: str, viewing: ReplayView) -> str:
    if name in VIEWERS:
        return viewing.own.sentence(Message(f"replay.as.{name}"))
    return viewing.words.name("side", name)


def step_context(request: Request, viewing: ReplayView, step: int) -> dict[str, Any]:
    """Return the template context of the fragment that changes with each step."""
    source, replay, words = viewing.source, viewing.replay, viewing.words
    game, view = source.game, replay.view(step)
    seen_as = OBSERVER if replay.viewer == FULL_INFORMATION else replay.viewer
    at_end = bool(source.result) and step == replay.length
    return {
        "goes_on": bool(source.result) and int(game.actor(game.rules, view)) != OVER,
        "step": step,
        "is_over": _is_over(viewing, step),
        "last": replay.length,
        "before": replay.before(step),
        "after": replay.after(step),
        "layout": layout_of(request),
        "board": board_at(request, viewing, step),
        "board_text": board_text(game, view, seen_as, words, text_mode_of(request)),
        "happened": replay.lines_of(step),
        "hinted": replay.hinted,
        "now": ending_text(viewing) if at_end else words.sentence(game.narrator.prompt(view, seen_as)),
        "comment": _comment(viewing, step),
        "reasons": _reasons_between(viewing, replay.before(step), step),
        "hands": hands_open_to(replay.viewer, source.game, view, viewing.words, viewing.own),
        "link": viewing.link,
    }


def _comments(access: ReplayAccess, replay: Replay, step: int) -> dict[str, Any]:
    """Return the template context of the comments at a step: those since the previous stop."""
    before = replay.before(step)
    found = [one for one in access.comments if (-1 if before is None else before) < one.step <= step]
    marks = [mark for one in found for mark in one.marks]
    return {
        "comments": found,
        "commented": steps_with(access.comments),
        "may_comment": access.may_comment,
        "comment_table": access.source.address.split("/")[2],
        "marks": json.dumps(marks),
        "place_names": dict(places_in(access)) if marks else {},
    }


def places_in(access: ReplayAccess) -> list[tuple[str, str]]:
    """Return the places and tracks of a game that can be marked, with their names, by name."""
    game = access.source.game
    words = game_words(game, access.language)
    named = [(id, name_of(game, kind, id, words)) for kind, id in keys_of(game, words)]
    return sorted(named, key=lambda place: place[1])


def _comment(viewing: ReplayView, step: int) -> str:
    """Return the comment at a step; that of an unseen step of a recorded game in the viewer's language."""
    said = viewing.source.comments.get(step, "")
    return viewing.own.sentence(Message("record.assumed")) if said == NOT_SEEN else said


def board_at(request: Request, viewing: ReplayView, step: int) -> Markup:
    """Return the board at a step of a replay, in the layout for the viewer's screen."""
    replay = viewing.replay
    seen_as = OBSERVER if replay.viewer == FULL_INFORMATION else replay.viewer
    plays = replay.plays_until(step)
    return board(viewing.source.game, replay.view(step), seen_as, viewing.words, layout_of(request), plays=plays)


def _is_over(viewing: ReplayView, step: int) -> bool:
    """Return True if no further action is possible, including after a resignation."""
    return step == viewing.replay.length and viewing.source.result not in ("", "unfinished")


def _reasons_between(viewing: ReplayView, before: int | None, step: int) -> list[str]:
    """Return the reasons of computer players for their actions since the previous stop."""
    if not viewing.source.reasons:
        return []
    found = [viewing.source.reasons.get(entry) for entry in range((before or 0) + 1, step + 1)]
    sentences = [reason_text(said, viewing.words) for said in found if said is not None]
    return [sentence for sentence in sentences if sentence]


def ending_text(viewing: ReplayView) -> str:
    """Return the result of a game as a sentence."""
    source, prompt = viewing.source, viewing.replay.seen.prompt
    if viewing.replay.seen.outcome() is not None and isinstance(prompt.args.get("what"), Message):
        return viewing.words.sentence(prompt)  # "The game is over. The USSR wins: ..."
    if not source.result or source.result == "unfinished":
        return viewing.own.sentence(Message("replay.unfinished"))
    return result_text(source.game, source.result, viewing.words, viewing.own)


def hands_open_to(viewer: int, game: Game, view: Any, words: Words, own: Words) -> list[Hand]:
    """Return the cards in front of the sides that a viewer may see."""
    found = []
    for side, name in enumerate(game.sides):
        if viewer not in (side, FULL_INFORMATION):
            continue
        known = game.known_state(view, side)
        who = words.name("side", name)
        if agenda := known.get("agenda", {}).get(name):
            heading = own.sentence(Message("replay.hand.agenda", {"side": who}))
            found.append(Hand(side, heading, "agenda", [(agenda, card_picture(game, "agenda", agenda, words))]))
        for place in game.own_cards:
            if ids := known["cards"].get(place):
                heading = own.sentence(Message(f"replay.hand.{place}", {"side": who}))
                found.append(Hand(side, heading, "card", [(id, card_picture(game, "card", id, words)) for id in ids]))
    return found


# ---- The page of a finished game.


@router.get("/t/{table_id}/finished", "/u/{upload_id}")
async def finished(request: Request, who: Person | None) -> Response:
    """Show the summary of a game: result, course and scores by round; redirect a running game to its table."""
    access = await access_of(request, who)
    if not access.source.result:
        return RedirectResponse(access.source.address, 303)
    return await run_in_pool(request, partial(_summary, request, who, access))


def _summary(request: Request, who: Person | None, access: ReplayAccess) -> Response:
    viewing = access.viewing(request, None)
    source, words = viewing.source, viewing.words
    rounds = viewing.replay.rounds
    agendas = [{side: words.name("agenda", agenda) for side, agenda in each.agendas.items()} for each in rounds]
    return page(
        request,
        "study/finished.html",
        who,
        **frame(viewing),
        result=ending_text(viewing),
        winner=journal.ending_of(source.game, source.result).winner,
        course=Markup(viewing.replay.course),
        score=score_text(source.game, viewing.replay.score, words),
        rounds=list(zip(rounds, agendas, strict=True)),
        length=viewing.replay.length,
        has_agendas=any(agendas),
        sides=source.game.sides,
        link=viewing.link,
        picture=f"{public_url(request)}{source.address}/picture.png",
        ended=ending_text(viewing),
        url=f"{public_url(request)}{source.address}" + ("" if source.address.startswith("/u/") else "/finished"),
    )


@router.get("/t/{table_id}/picture.svg", "/u/{upload_id}/picture.svg")
async def picture(request: Request, who: Person | None, n: Step = None) -> Response:
    """Return the public position, now or at a step, as a standalone picture."""
    return await run_in_pool(request, partial(_picture, request, await access_of(request, who), n))


def _picture(request: Request, access: ReplayAccess, requested: int | None) -> Response:
    viewing = access.viewing(request, "public")
    drawn = _public_board(viewing, _public_step(viewing, requested), "light")
    return Response(drawn, media_type="image/svg+xml", headers=SVG_POLICY)


@router.get("/t/{table_id}/picture.png", "/u/{upload_id}/picture.png")
async def preview(request: Request, who: Person | None, n: Step = None) -> Response:
    """Return the preview of a link to a game: its public position, now or at a step."""
    return await preview_of_link(request, partial(preview_drawn, request, await access_of(request, who), n))


def preview_drawn(request: Request, access: ReplayAccess, requested: int | None) -> str:
    """Return the preview of a link to a game or one of its steps, as SVG."""
    viewing = access.viewing(request, "public")
    step = _public_step(viewing, requested)
    told = ending_text(viewing) if _is_over(viewing, step) else _players(viewing)
    return link_preview(title_of(viewing.source.game, viewing.own), told, [_public_board(viewing, step, None)])


def _players(viewing: ReplayView) -> str:
    return " – ".join(
        f"{viewing.words.name('side', side)}: {name}" if name else viewing.words.name("side", side)
        for side, name in zip(viewing.source.game.sides, viewing.source.names, strict=True)
    )


def title_for(viewing: ReplayView) -> str:
    """Return the title of a picture of a game: the game and its players."""
    return f"{title_of(viewing.source.game, viewing.own)} · {_players(viewing)}"


def _public_step(viewing: ReplayView, requested: int | None) -> int:
    """Return the step to show in public; a player may link to one that is not public yet."""
    return viewing.replay.length if requested is None else min(requested, viewing.replay.length)


def _public_board(viewing: ReplayView, step: int, standalone: Theme | None) -> str:
    replay, game = viewing.replay, viewing.source.game
    request = BoardRequest(plays=replay.plays_until(step), standalone=standalone)
    drawn = drawing_of(game).board(game, replay.view(step), OBSERVER, viewing.words, request)
    return without_to_act(drawn) if _is_over(viewing, step) else drawn


@router.get("/u/{upload_id}/{kind}/{card_id}")
async def uploaded_card(request: Request, who: Person | None, upload_id: str, kind: str, card_id: str) -> Response:
    """Show a card or agenda of an uploaded journal's ruleset."""
    return card_of(request, who, await access_to_upload(request, who, upload_id), kind, card_id)


def card_of(request: Request, who: Person | None, access: ReplayAccess, kind: str, card_id: str) -> Response:
    """Return a card or agenda of the ruleset of a replayed game."""
    game, words = access.source.game, game_words(access.source.game, access.language)
    if FRAGMENT_HEADER in request.headers:
        return page(
            request, "table/card_view.html", who, view=card_view(game, kind, card_id, words, tells_history(request))
        )
    alone = card_picture(game, kind, card_id, words, alone=True)
    return Response(alone, media_type="image/svg+xml", headers=SVG_POLICY)


# ---- Journals.


@router.get("/t/{table_id}/journal")
async def journal_of_table(request: Request, who: Person | None, table_id: str) -> Response:
    """Send the journal: all of it for a finished game, otherwise the part the viewer knows."""
    table = await services_of(request).tables.fresh(table_id)
    mine = table.seat_of(who.id if who else None)
    viewer = mine[0] if len(mine) == 1 else OBSERVER
    snapshot, engine = table.snapshot(), services_of(request).engine
    text = await run_in_pool(request, lambda: journal_at(engine, table, snapshot, viewer).text())
    name = f"{table.game.id}-{table.id}.brink"
    return PlainTextResponse(text, headers={"Content-Disposition": f'attachment; filename="{name}"'})


@router.get("/replay/upload")
async def upload_form(request: Request, who: Person | None) -> Response:
    """Show the upload form for journals."""
    return page(request, "study/upload.html", who, fault=None)


@router.post("/replay/upload", is_open=True)
async def upload(
    request: Request,
    who: Person | None,
    file: UploadFile,
    data: UploadFile | None = None,
) -> Response:
    """Check an uploaded journal and redirect to its replay.

    A journal played with custom cards needs its data file. The upload is stored for a limited time and changes nothing
    else.
    """
    upload_id = secrets.token_hex(8)
    sent = await UploadedFile.of(file)
    own_data = await sent_data(data)
    try:
        text, source = await run_in_pool(request, partial(_checked, request, sent, upload_id, own_data))
    except JournalFaultError as fault:
        return page(request, "study/upload.html", who, status=422, fault=fault)
    engine = services_of(request).engine
    if own_data is not None and source.game.data_file:
        keep = partial(repository.keep_data_file, engine, source.game.data_sha256, own_data.content, time.time())
        await asyncio.to_thread(keep)
    sender = sender_of_upload(services_of(request).settings)
    await asyncio.to_thread(repository.keep_upload, engine, upload_id, text, time.time(), MAX_UPLOADS, sender)
    services_of(request).uploads.keep(upload_id, source)
    return RedirectResponse(f"/u/{upload_id}", 303)


def _checked(request: Request, sent: UploadedFile, upload_id: str, data: DataFile | None) -> tuple[str, ReplaySource]:
    record, game = read_upload(request, sent, data)
    try:
        return record.text(), replay_source_of(record, journal.play(record, game), f"/u/{upload_id}")
    except BrinkError as error:
        raise JournalFaultError(error, sent.content, language_of(request)) from error


class UploadedFile(NamedTuple):
    """An uploaded file."""

    name: str
    content: bytes

    @classmethod
    async def of(cls, file: UploadFile) -> UploadedFile:
        """Return the uploaded file, read up to one byte more than a journal may have."""
        return cls((file.filename or "journal")[-80:], await file.read(journal.MAX_BYTES + 1))


class JournalFaultError(Exception):
    """Reason why a journal could not be used, with the line of the file where known."""

    def __init__(self, error: BrinkError, content: bytes, language: str) -> None:
        super().__init__(str(error))
        self.line, self.text, self.reason, self.language = fault_of(error, content, language)


def read_upload(request: Request, sent: UploadedFile, data: DataFile | None = None) -> tuple[journal.Journal, Game]:
    """Return the journal in an uploaded file, and the ruleset it names; slow. `data` is the data file sent with it.

    Raises:
        JournalFaultError: the file is not a journal, or its game is not available here.
    """
    try:
        record = journal.from_bytes(sent.content, sent.name)
        return record, _ruleset_of(request, record, data)
    except DataFileError as error:
        raise JournalFaultError(error, data.content if data else b"", language_of(request)) from error
    except BrinkError as error:
        raise JournalFaultError(error, sent.content, language_of(request)) from error


def _ruleset_of(request: Request, record: journal.Journal, data: DataFile | None) -> Game:
    """Return the ruleset a journal names, with the data file sent with it or stored here."""
    if record.cards and data is None:
        with services_of(request).engine.connect() as connection:
            data = repository.data_file(connection, record.cards_sha256, record.cards)
        if data is None:
            raise JournalError(record.file, None, Message("fault.journal.choose_data", {"file": record.cards}))
    return services_of(request).tables.rulesets.get(record.game_id, record.options, data if record.cards else None)
