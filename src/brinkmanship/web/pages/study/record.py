"""Open records: the user enters a game that was played with the physical game, step by step.

Only its owner sees a record. A finished one is uploaded as a journal, and continues on the pages of uploaded games.
"""

from __future__ import annotations

import asyncio
import datetime
from functools import partial
from typing import Annotated, NamedTuple

from msgspec import Meta, Struct
from starlette.requests import Request
from starlette.responses import PlainTextResponse, RedirectResponse, Response

from brinkmanship.engine import journal
from brinkmanship.engine.errors import BrinkError
from brinkmanship.engine.game import Game
from brinkmanship.engine.open_record import OpenRecord
from brinkmanship.games.registry import kits
from brinkmanship.store import open_records, repository
from brinkmanship.web.accounts.authentication import language_of
from brinkmanship.web.accounts.users import Person
from brinkmanship.web.pages.lobby.options import chosen_options, option_fields, option_groups, preset_texts
from brinkmanship.web.pages.shared.forms import Number, entered_texts, signed_in, somebody
from brinkmanship.web.pages.shared.lookup import game_by_id
from brinkmanship.web.pages.shared.page_router import PageRouter
from brinkmanship.web.pages.shared.rendering import page, run_in_pool
from brinkmanship.web.pages.study.position_form import decided, ghosts_of, steps_in
from brinkmanship.web.pages.study.record_view import card_of_record, question_of
from brinkmanship.web.pages.study.replay import MAX_UPLOADS
from brinkmanship.web.presentation.page_words import game_words, page_words, title_of
from brinkmanship.web.services import services_of
from brinkmanship.web.studies.open_records import MAX_NAME, MAX_RECORDS, Change, OpenedRecord, upload_id_of
from brinkmanship.web.support import time_control
from brinkmanship.web.support.errors import IllegalError, MalformedError, NotFoundError, StaleError
from brinkmanship.web.tables.quotas import sender_of_upload

router = PageRouter()

SideName = Annotated[str, Meta(max_length=MAX_NAME)]
RESIGNED = "resignation"
"""Reason of a result in journals."""


# ---- The list, and a new record.


class RecordEntry(NamedTuple):
    """A record in the list of its owner."""

    id: str
    game: str
    title: str
    steps: int
    is_over: bool
    changed_at: float


@router.get("/record")
async def own(request: Request, who: Person | None) -> Response:
    """List the user's records, and the games of which one can be begun."""
    words = page_words(language_of(request, who))
    kept = []
    if who is not None:
        kept = await asyncio.to_thread(open_records.of_person, services_of(request).engine, who.id, MAX_RECORDS)
    titles = {game: title_of(game_by_id(request, game), words) for game in kits()}
    listed = [
        RecordEntry(one.id, titles.get(one.game, one.game), one.title, one.steps, one.is_over, one.changed_at)
        for one in kept
    ]
    return page(request, "study/record_own.html", who, records=listed, games=titles)


@router.get("/record/new/{game_id}")
async def new_record(request: Request, who: Person | None, game_id: str) -> Response:
    """Show the form of a new record."""
    game = game_by_id(request, game_id)
    return await run_in_pool(request, partial(_new_page, request, who, game))


def _new_page(request: Request, who: Person | None, game: Game) -> Response:
    language = language_of(request, who)
    words, entered = game_words(game, language), option_fields(game)
    return page(
        request,
        "study/record_new.html",
        who,
        game_id=game.id,
        title=title_of(game, page_words(language)),
        sides=[(number, words.name("side", side)) for number, side in enumerate(game.sides)],
        presets=preset_texts(game, words),
        groups=option_groups(game, words, entered),
        values=entered,
        most_name=MAX_NAME,
    )


@router.post("/record/new/{game_id}", is_open=True)
async def begin(
    request: Request, who: Person | None, game_id: str, name_0: SideName = "", name_1: SideName = ""
) -> Response:
    """Begin a record; a stranger becomes a guest."""
    game = game_by_id(request, game_id)
    entered = await entered_texts(request)
    try:
        tables = services_of(request).tables
        ruleset = await run_in_pool(request, lambda: tables.rulesets.get(game.id, chosen_options(game, entered)))
    except BrinkError as error:
        raise IllegalError(str(error), key="record.refused.options") from error
    records = services_of(request).open_records
    await records.check_allowed()
    me, token = await somebody(request, who, "")
    names = (" ".join(name_0.split()), " ".join(name_1.split()))
    record_id = await asyncio.to_thread(records.begin, me.id, ruleset, names)
    return signed_in(RedirectResponse(f"/record/{record_id}", 303), request, token)


# ---- A record.


async def _opened(request: Request, who: Person | None, record_id: str) -> OpenedRecord:
    """Return a record of the user.

    Raises:
        NotFoundError: they have no such record.
    """
    if who is None:
        raise NotFoundError("there is no such record", key="record.refused.gone")

    def ruleset(record: journal.Journal) -> Game:
        return services_of(request).tables.rulesets.get(record.game_id, dict(record.options))

    return await run_in_pool(request, partial(services_of(request).open_records.open, record_id, who.id, ruleset))


def _at(opened: OpenedRecord, n: int | None) -> OpenRecord:
    """Return the record where the question is asked: at its end, or before step `n` (from 0).

    Raises:
        NotFoundError: there is no such step.
    """
    if n is None or n == len(opened.record.steps):
        return opened.record
    try:
        return opened.record.at(n)
    except IndexError as error:
        raise NotFoundError(f"the record has {len(opened.record.steps)} steps") from error


@router.get("/record/{record_id}")
async def show(request: Request, who: Person | None, record_id: str) -> Response:
    """Show a record and the question at its end."""
    return await _shown(request, who, await _opened(request, who, record_id), None)


@router.get("/record/{record_id}/at/{n}")
async def correct(request: Request, who: Person | None, record_id: str, n: int) -> Response:
    """Show the question that an earlier step answered, to correct the answer."""
    return await _shown(request, who, await _opened(request, who, record_id), n)


async def _shown(request: Request, who: Person | None, opened: OpenedRecord, n: int | None) -> Response:
    def shown() -> Response:
        here = _at(opened, n)
        return page(request, "study/record.html", who, **question_of(request, who, opened, here))

    return await run_in_pool(request, shown)


class Submission(Struct):
    """A submitted step: an action of a side, outcomes of chance, or that it was not seen."""

    changes: Number
    action: Number | None = None
    outcome: list[Number] = []
    unseen: bool = False
    inserts: bool = False
    """Put the step before the one that is corrected, instead of replacing it."""


@router.post("/record/{record_id}/at/{n}")
async def enter(request: Request, who: Person | None, record_id: str, n: int, sent: Submission) -> Response:
    """Enter a step at the end, or in place of an earlier one."""
    opened = await _opened(request, who, record_id)
    steps = await steps_in(request)

    def entered(_: OpenRecord) -> OpenRecord:
        here = _at(opened, n)
        if sent.inserts:
            here = here.inserting()
        _enter(here, sent, steps)
        return here

    return await _changed(request, opened, sent.changes, entered)


def _enter(record: OpenRecord, sent: Submission, steps: list[str]) -> None:
    """Enter what a form says; of several cards dealt in a row those that were chosen, then unseen ones."""
    if not record.asks_chance:
        if sent.unseen:
            record.enter_unseen()
        else:
            record.enter(decided(record.game, record.choices(), sent.action, steps).action)
        return
    most = record.draws_in_a_row if not record.rest else 1
    if len(sent.outcome) > most or not (sent.outcome or sent.unseen):
        raise IllegalError(f"choose at most {most}", key="record.refused.count")
    for action in sent.outcome:
        record.enter(action)
    for _ in range(most - len(sent.outcome) if sent.unseen else 0):
        record.enter_unseen()


@router.post("/record/{record_id}/reveal")
async def reveal(
    request: Request, who: Person | None, record_id: str, changes: Number, step: Number, action: Number
) -> Response:
    """Enter what an unseen step was."""
    opened = await _opened(request, who, record_id)
    return await _changed(request, opened, changes, lambda record: record.reveal(step, action))


@router.post("/record/{record_id}/undo")
async def undo(request: Request, who: Person | None, record_id: str, changes: Number) -> Response:
    """Remove the last step."""
    return await _changed(request, await _opened(request, who, record_id), changes, lambda record: record.undo())


@router.post("/record/{record_id}/skip")
async def skip(request: Request, who: Person | None, record_id: str, changes: Number) -> Response:
    """Remove the step that is not legal after a correction."""
    return await _changed(request, await _opened(request, who, record_id), changes, lambda record: record.skip())


@router.post("/record/{record_id}/drop")
async def drop(request: Request, who: Person | None, record_id: str, changes: Number) -> Response:
    """Remove that step and all later ones."""
    return await _changed(request, await _opened(request, who, record_id), changes, lambda record: record.drop_rest())


async def _changed(request: Request, opened: OpenedRecord, changes: int, change: Change) -> Response:
    here = f"/record/{opened.stored.id}"
    try:
        await run_in_pool(request, partial(services_of(request).open_records.change, opened, changes, change))
    except StaleError:  # a form sent twice, or from an old page: show the record as it is
        return RedirectResponse(here, 303)
    return RedirectResponse(here, 303)


# ---- Pictures and previews.


@router.get("/record/{record_id}/at/{n}/preview")
async def preview(request: Request, who: Person | None, record_id: str, n: int, action: int) -> Response:
    """Return the effect of an action as ghosts for the board."""
    opened = await _opened(request, who, record_id)

    def ghosts() -> Response:
        here = _at(opened, n)
        decided(here.game, here.choices(), action, ())
        assert here.side is not None
        view = here.game.view_of(here.match.state, here.side)
        return ghosts_of(request, who, here.game, view, action, here.side)

    return await run_in_pool(request, ghosts)


@router.get("/record/{record_id}/at/{n}/{kind}/{card_id}")
async def card(request: Request, who: Person | None, record_id: str, kind: str, card_id: str) -> Response:
    """Show a card or agenda of the ruleset of a record."""
    opened = await _opened(request, who, record_id)
    return await run_in_pool(request, partial(card_of_record, request, who, opened.record.game, kind, card_id))


# ---- The end.


def _journal_of(opened: OpenedRecord, result: str | None) -> journal.Journal:
    day = datetime.datetime.fromtimestamp(opened.stored.changed_at, datetime.UTC).date().isoformat()
    return opened.record.journal({"date": day, **opened.headers}, result)


@router.get("/record/{record_id}/journal")
async def download(request: Request, who: Person | None, record_id: str) -> Response:
    """Send the game so far as a journal."""
    opened = await _opened(request, who, record_id)
    name = f"{opened.record.game.id}-{record_id}.brink"
    text = _journal_of(opened, None).text()
    return PlainTextResponse(text, headers={"Content-Disposition": f'attachment; filename="{name}"'})


@router.post("/record/{record_id}/finish")
async def finish(
    request: Request, who: Person | None, record_id: str, resigned: Annotated[str, Meta(max_length=12)] = ""
) -> Response:
    """Upload the game as a journal and redirect to its page; `resigned` is the side that gave up."""
    opened = await _opened(request, who, record_id)
    sides = opened.record.game.sides
    if resigned and (resigned not in sides or opened.record.is_over):
        raise MalformedError(f"the sides are {', '.join(sides)}")
    result = f"{sides[1 - sides.index(resigned)]} by {RESIGNED}" if resigned else None
    text = (await run_in_pool(request, lambda: _journal_of(opened, result))).text()
    upload_id, engine = upload_id_of(text), services_of(request).engine
    if await asyncio.to_thread(repository.upload_of, engine, upload_id) is None:
        sender = sender_of_upload(services_of(request).settings)
        keep = partial(repository.keep_upload, engine, upload_id, text, time_control.now(), MAX_UPLOADS, sender)
        await asyncio.to_thread(keep)
    return RedirectResponse(f"/u/{upload_id}", 303)


@router.post("/record/{record_id}/remove")
async def remove(request: Request, who: Person | None, record_id: str) -> Response:
    """Delete a record."""
    opened = await _opened(request, who, record_id)
    remove_it = partial(open_records.remove, services_of(request).engine, opened.stored.id, opened.stored.person_id)
    await asyncio.to_thread(remove_it)
    return RedirectResponse("/record", 303)
