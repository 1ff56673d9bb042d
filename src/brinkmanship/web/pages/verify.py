"""Were the deals fair? Explained in plain words, and checked for a finished table or a journal."""

from __future__ import annotations

import asyncio
from typing import Annotated, Any, NamedTuple

from fastapi import APIRouter, File, Form, Query, Request, UploadFile
from fastapi.responses import Response

from brinkmanship.engine import fair, journal
from brinkmanship.engine.errors import BrinkError
from brinkmanship.engine.game import OBSERVER, Game
from brinkmanship.engine.message import Message
from brinkmanship.web.errors import NotFoundError
from brinkmanship.web.identity import Visitor, language_of, service
from brinkmanship.web.pages.render import page, page_words
from brinkmanship.web.pages.replay import JournalFaultError, read_upload
from brinkmanship.web.table import FINISHED

router = APIRouter()


class Proof(NamedTuple):
    """What was checked, and found to be true."""

    deals: int
    entries: int
    commitment: str
    secret: str
    address: str
    """The page of the game, "" for a file."""


class _Asked(NamedTuple):
    record: journal.Journal
    game: Game
    address: str


@router.get("/verify")
async def explain(request: Request, who: Visitor, table: Annotated[str, Query(max_length=200)] = "") -> Response:
    """What makes deals fair; with the id of a table it is checked at once."""
    if not table:
        return _page(request, who)
    return await _checked(request, who, table, None)


@router.post("/verify")
async def verify(
    request: Request,
    who: Visitor,
    table: Annotated[str, Form(max_length=200)] = "",
    file: Annotated[UploadFile | None, File()] = None,
) -> Response:
    """Check a finished table or a journal; nothing is changed or kept."""
    return await _checked(request, who, table, file if file is not None and file.filename else None)


async def _checked(request: Request, who: Visitor, table: str, file: UploadFile | None) -> Response:
    # People paste what they have: the id, or the address of a page of the table.
    table_id = table.strip().partition("?")[0].rstrip("/")
    table_id = table_id.partition("/t/")[2].partition("/")[0] if "/t/" in table_id else table_id
    try:
        if file is not None:
            asked = _Asked(*await read_upload(request, file), "")
        else:
            asked = await _table(request, table_id)
        proof = await asyncio.to_thread(_prove, asked)
    except JournalFaultError as fault:
        return _page(request, who, 422, fault=fault, table_id=table_id)
    except fair.UnfairDealError as error:
        return _page(request, who, 422, unfair=str(error), table_id=table_id)
    except BrinkError as error:
        return _page(request, who, 422, fault=JournalFaultError(error, []), table_id=table_id)
    except (_RunningError, NotFoundError) as error:
        own = page_words(language_of(request, who))
        running = isinstance(error, _RunningError)
        problem = own.sentence(Message("verify.running" if running else "verify.no_table"))
        return _page(request, who, 422 if running else 404, problem=problem, table_id=table_id)
    return _page(request, who, proof=proof, table_id=table_id)


class _RunningError(Exception):
    """The game goes on; its secret is not yet revealed."""


async def _table(request: Request, table_id: str) -> _Asked:
    tables = service(request)
    table = await tables.table(table_id)
    if table.status != FINISHED:
        raise _RunningError
    # By way of the text, so that what is checked is what can be downloaded.
    record = journal.parse(tables.record(table, OBSERVER).text(), table_id)
    return _Asked(record, table.game, f"/t/{table.id}/finished")


def _prove(asked: _Asked) -> Proof:
    deals = fair.verify(asked.record, asked.game)
    headers = asked.record.headers
    return Proof(
        deals,
        len(asked.record.entries),
        headers[fair.COMMITMENT_HEADER],
        headers[fair.SECRET_HEADER],
        asked.address,
    )


def _page(request: Request, who: Visitor, status: int = 200, **context: Any) -> Response:
    empty = {"fault": None, "unfair": "", "problem": "", "proof": None, "table_id": ""}
    return page(request, "verify.html", who, status=status, **{**empty, **context})
