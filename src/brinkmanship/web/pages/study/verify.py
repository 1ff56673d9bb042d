"""Verification of fair deals: an explanation, and the check of a finished table or a journal."""

from __future__ import annotations

import json
from functools import partial
from typing import Annotated, Any, NamedTuple

from msgspec import Meta
from starlette.datastructures import UploadFile
from starlette.requests import Request
from starlette.responses import Response

from brinkmanship.engine import commit_reveal, journal
from brinkmanship.engine.errors import BrinkError
from brinkmanship.engine.game import OBSERVER, Game
from brinkmanship.engine.message import Message
from brinkmanship.text.errors import error_text
from brinkmanship.web.accounts.authentication import language_of
from brinkmanship.web.accounts.users import Person
from brinkmanship.web.pages.shared.page_router import PageRouter
from brinkmanship.web.pages.shared.rendering import page, run_in_pool
from brinkmanship.web.pages.study.replay import JournalFaultError, UploadedFile, read_upload
from brinkmanship.web.presentation.page_words import game_words, page_words
from brinkmanship.web.services import services_of
from brinkmanship.web.support.errors import NotFoundError
from brinkmanship.web.tables.live_table import LiveTable

router = PageRouter()


class Proof(NamedTuple):
    """The result of a successful check."""

    game: Game
    deals: int
    entries: int
    given: int
    """Number of entries given, if the game began from a position of another one."""
    commitment: str
    secret: str
    shares: list[tuple[str, commit_reveal.Share]]
    """Each side's contribution to the deal, by side id."""
    data: str
    """The contributions as JSON, for the script that compares them with those remembered by the browser."""
    address: str
    """Page of the game, "" for a file."""

    @property
    def version(self) -> int:
        """Version of the deal protocol: 1 if only the server's secret decides."""
        return 2 if any(share.contribution for _, share in self.shares) else 1


class _Subject(NamedTuple):
    record: journal.Journal
    game: Game
    address: str


@router.get("/verify")
async def explain(request: Request, who: Person | None, table: Annotated[str, Meta(max_length=200)] = "") -> Response:
    """Explain fair deals; with a table id, check that table at once."""
    if not table:
        return _page(request, who)
    return await _checked(request, who, table, None)


@router.post("/verify", is_open=True)
async def verify(
    request: Request,
    who: Person | None,
    table: Annotated[str, Meta(max_length=200)] = "",
    file: UploadFile | None = None,
) -> Response:
    """Check a finished table or a journal; nothing is changed or stored."""
    return await _checked(request, who, table, file if file is not None and file.filename else None)


async def _checked(request: Request, who: Person | None, table: str, file: UploadFile | None) -> Response:
    # Users may paste the id, or the address of a page of the table.
    table_id = table.strip().partition("?")[0].rstrip("/")
    table_id = table_id.partition("/t/")[2].partition("/")[0] if "/t/" in table_id else table_id
    try:
        if file is not None:
            proof = await run_in_pool(request, partial(_prove_file, request, await UploadedFile.of(file)))
        else:
            proof = await _prove_table(request, table_id)
    except JournalFaultError as fault:
        return _page(request, who, 422, fault=fault, table_id=table_id)
    except commit_reveal.UnfairDealError as error:
        return _page(request, who, 422, unfair=error_text(error, language_of(request, who)), table_id=table_id)
    except BrinkError as error:
        return _page(
            request, who, 422, fault=JournalFaultError(error, b"", language_of(request, who)), table_id=table_id
        )
    except (_RunningError, NotFoundError) as error:
        own = page_words(language_of(request, who))
        running = isinstance(error, _RunningError)
        problem = own.sentence(Message("verify.running" if running else "verify.no_table"))
        return _page(request, who, 422 if running else 404, problem=problem, table_id=table_id)
    words = game_words(proof.game, language_of(request, who))
    names = {side: words.name("side", side) for side in proof.game.sides}
    return _page(request, who, proof=proof, names=names, table_id=table_id)


class _RunningError(Exception):
    """The game is running, so its secret is not yet revealed."""


async def _prove_table(request: Request, table_id: str) -> Proof:
    proofs = services_of(request).proofs
    table = await services_of(request).tables.fresh(table_id)
    if not table.is_revealed:
        raise _RunningError
    # A finished game never changes, so a proof may be cached.
    if isinstance(kept := proofs.get(table_id), Proof):
        return kept
    proof = await run_in_pool(request, partial(_prove_finished, table))
    proofs.keep(table_id, proof)
    return proof


def _prove_finished(table: LiveTable) -> Proof:
    # Serialize and parse, so that the check covers exactly the downloadable file.
    record = journal.parse(table.journal(OBSERVER).text(), table.id)
    return _prove(_Subject(record, table.game, f"/t/{table.id}/finished"))


def _prove_file(request: Request, sent: UploadedFile) -> Proof:
    return _prove(_Subject(*read_upload(request, sent), ""))


def _prove(subject: _Subject) -> Proof:
    deals = commit_reveal.verify(subject.record, subject.game)
    headers = subject.record.headers
    commitment = headers[commit_reveal.COMMITMENT_HEADER]
    shares = commit_reveal.shares(subject.record, subject.game)
    data = {
        "table": subject.address.removeprefix("/t/").partition("/")[0],
        "commitment": commitment,
        "bytes": {side: share.contribution.hex() for side, share in shares.items() if share.contribution},
        "pledges": {side: share.pledge for side, share in shares.items()},
    }
    return Proof(
        subject.game,
        deals,
        len(subject.record.entries),
        int(headers.get(journal.GIVEN_HEADER, "0")),
        commitment,
        headers[commit_reveal.SECRET_HEADER],
        list(shares.items()),
        json.dumps(data),
        subject.address,
    )


def _page(request: Request, who: Person | None, status: int = 200, **context: Any) -> Response:
    empty = {"fault": None, "unfair": "", "problem": "", "proof": None, "table_id": ""}
    return page(request, "study/verify.html", who, status=status, **{**empty, **context})
