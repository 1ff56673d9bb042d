"""The annotated record of a finished game as a Markdown file, for forums."""

from __future__ import annotations

import asyncio
import time
from functools import partial
from typing import Annotated

from msgspec import Meta
from starlette.requests import Request
from starlette.responses import Response

from brinkmanship.analysis.annotated import Heading, Remark, annotated
from brinkmanship.analysis.report import Analysis
from brinkmanship.text import LANGUAGES
from brinkmanship.web.accounts.users import Person
from brinkmanship.web.pages.shared.page_router import PageRouter
from brinkmanship.web.pages.shared.rendering import run_in_pool
from brinkmanship.web.pages.study.replay import ReplayAccess, access_at, access_to_upload, ending_text, places_in
from brinkmanship.web.presentation.page_words import title_of
from brinkmanship.web.services import services_of
from brinkmanship.web.support.errors import ForbiddenError

router = PageRouter()

Language = Annotated[str, Meta(max_length=2)]


@router.get("/t/{table_id}/annotated.md")
async def annotated_table(request: Request, who: Person | None, table_id: str, lang: Language = "") -> Response:
    """Send the annotated record of a finished game at a table."""
    table = await services_of(request).tables.fresh(table_id)
    access = _in_language(await access_at(request, who, table), lang)
    found = await asyncio.to_thread(services_of(request).analyses.stored, table) if table.is_revealed else None
    day = time.strftime("%Y-%m-%d", time.gmtime(table.created_at))
    return await run_in_pool(request, partial(_file, request, access, day, found, f"{table.game.id}-{table.id}"))


@router.get("/u/{upload_id}/annotated.md")
async def annotated_upload(request: Request, who: Person | None, upload_id: str, lang: Language = "") -> Response:
    """Send the annotated record of an uploaded game."""
    access = _in_language(await access_to_upload(request, who, upload_id), lang)
    return await run_in_pool(request, partial(_file, request, access, "", None, f"{access.source.game.id}-{upload_id}"))


def _in_language(access: ReplayAccess, language: str) -> ReplayAccess:
    return access._replace(language=language) if language in LANGUAGES else access


def _file(request: Request, access: ReplayAccess, day: str, found: Analysis | None, name: str) -> Response:
    """Return the file.

    Raises:
        ForbiddenError: the game is not over.
    """
    if not access.source.result:
        raise ForbiddenError("the annotated record is for finished games", key="annotated.refused.running")
    viewing = access.viewing(request, "open")
    names = [each[2] for each in viewing.players]
    heading = Heading(title_of(access.source.game, viewing.own), names, day, ending_text(viewing))
    text = annotated(viewing.replay.seen, heading, access.language, _remarks(access), found)
    headers = {"Content-Disposition": f'attachment; filename="{name}.md"'}
    return Response(text, media_type="text/markdown; charset=utf-8", headers=headers)


def _remarks(access: ReplayAccess) -> dict[int, list[Remark]]:
    """Return the comments of the journal and of the table, with arrows in words."""
    found = {step: [Remark("", text)] for step, text in access.source.comments.items()}
    names = dict(places_in(access)) if any(one.marks for one in access.comments) else {}
    for one in access.comments:
        arrows = [names.get(place, place) + (f" → {names.get(to, to)}" if to else "") for place, to in one.marks]
        text = ": ".join(part for part in (", ".join(arrows), one.text) if part)
        found.setdefault(one.step, []).append(Remark(one.name, text))
    return found
