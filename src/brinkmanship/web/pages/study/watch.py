"""Watching a running game with open hands, some time later, with the notes of its commentator; the overlay for streams.

All pages here are made from a match that ends where spectators may see it (`LiveTable.seen_openly`), never from the
table's own. They have no stream: how often something is sent would tell of moves that must not be known yet.
"""

from __future__ import annotations

import zlib
from dataclasses import replace
from functools import partial
from typing import Annotated, Any, Literal

from msgspec import Meta
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response

from brinkmanship.engine.game import FULL_INFORMATION
from brinkmanship.store.comments import Marks
from brinkmanship.text import LANGUAGES
from brinkmanship.web.accounts.authentication import language_of
from brinkmanship.web.accounts.users import Person
from brinkmanship.web.pages.shared.forms import Number
from brinkmanship.web.pages.shared.page_router import PageRouter
from brinkmanship.web.pages.shared.pictures import outlines, preview_of_link
from brinkmanship.web.pages.shared.rendering import page, render, run_in_pool
from brinkmanship.web.pages.study.replay import (
    As,
    ReplayAccess,
    ReplayView,
    Step,
    access_at,
    comments_at,
    frame,
    places_in,
    preview_drawn,
    replay_source_at,
    step_context,
    step_page,
)
from brinkmanship.web.pages.table.watch_box import delay_said
from brinkmanship.web.presentation.page_words import game_words, page_words
from brinkmanship.web.presentation.replay import Replay, ReplaySource
from brinkmanship.web.presentation.shortcuts import keys_of
from brinkmanship.web.services import services_of
from brinkmanship.web.support import time_control
from brinkmanship.web.support.errors import ForbiddenError, IllegalError
from brinkmanship.web.tables.comments import check_invitation
from brinkmanship.web.tables.live_table import LiveTable
from brinkmanship.web.tables.open_hands_commands import check_may_watch, steps_shown
from brinkmanship.web.tables.statuses import FINISHED, RUNNING

router = PageRouter("/t")

COMMENT_LENGTH = 1000
OVERLAY_SECONDS = 2
"""Poll interval (s) of an overlay."""
LAST_LINES = 4
"""Number of log lines on an overlay."""

Place = Annotated[str, Meta(max_length=40)]
Text = Annotated[str, Meta(max_length=2 * COMMENT_LENGTH)]
"""A comment; line breaks count as two characters in forms, so the limit of the field is checked by its page."""
Token = Annotated[str, Meta(max_length=64)]


# ---- The delayed replay of a running game.


@router.get("/{table_id}/watch", "/{table_id}/watch/replay")
async def watch(request: Request, who: Person | None, table_id: str, n: Step = None, as_: As = None) -> Response:
    """Show the newest position that spectators may see with all hands open, or an earlier one."""
    return await _watched(request, who, table_id, n, as_)


@router.get("/{table_id}/watch/replay/{n}")
async def watch_step(request: Request, who: Person | None, table_id: str, n: int, as_: As = None) -> Response:
    """Show one step of it."""
    return await _watched(request, who, table_id, n, as_)


async def _watched(request: Request, who: Person | None, table_id: str, n: int | None, chosen: str | None) -> Response:
    table = await services_of(request).tables.fresh(table_id)
    check_may_watch(table, who.id if who else None)
    if table.status == FINISHED:
        return RedirectResponse(f"/t/{table.id}/replay", 303)
    access = await watch_access(request, who, table)
    notes = services_of(request).comments
    commentates = who is not None and await notes.commentator(table) == who.id
    more = {
        "delay": delay_said(request, who, table),
        "places": places_in(access) if commentates else [],
        "seconds": services_of(request).settings.heartbeat_seconds,
        "table_id": table.id,
        "notes": _stamp_of_notes(access),
    }
    access = access._replace(may_comment=commentates)
    return await run_in_pool(request, partial(step_page, request, who, access, chosen, n, "watch/watch.html", **more))


async def watch_access(request: Request, who: Person | None, table: LiveTable) -> ReplayAccess:
    """Return a running game as far as spectators may see it with all hands open; it holds nothing newer."""
    language = language_of(request, who)
    source, last = await _delayed(request, table, language)
    notes = [one for one in await comments_at(request, who, table) if one.step <= last]
    return ReplayAccess(source, ["open", *table.game.sides, "public"], language, None, notes)


async def _delayed(request: Request, table: LiveTable, language: str) -> tuple[ReplaySource, int]:
    """Return the replay source of a running game for spectators, and its last step."""
    seen = table.seen_openly(FULL_INFORMATION, time_control.now())
    last = seen.length
    hinted = frozenset(number for number in table.hinted_entries(FULL_INFORMATION) if number <= last)
    source = replace(
        await replay_source_at(request, table, page_words(language)),
        seen_by=seen.seen_as,
        address=f"/t/{table.id}/watch",
        hinted_entries=lambda _: hinted,
    )
    source.given = min(source.given, last)
    return source, last


def _stamp_of_notes(access: ReplayAccess) -> int:
    """Return the number of the last note, so that a page notices a new one."""
    return max((one.id for one in access.comments), default=0)


@router.get("/{table_id}/watch/now")
async def watch_now(request: Request, who: Person | None, table_id: str) -> Response:
    """Return the last step and note that spectators may see, for the page's script."""
    table = await services_of(request).tables.fresh(table_id)
    check_may_watch(table, who.id if who else None)
    if table.status == FINISHED:
        return JSONResponse({"last": 0, "notes": 0, "over": True})
    last = steps_shown(table)
    notes = [one.id for one in await comments_at(request, who, table) if one.step <= last]
    return JSONResponse({"last": last, "notes": max(notes, default=0), "over": False})


@router.get("/{table_id}/watch/picture.png")
async def watch_picture(request: Request, who: Person | None, table_id: str, n: Step = None) -> Response:
    """Return the preview of a link to a step: its public position."""
    table = await services_of(request).tables.fresh(table_id)
    check_may_watch(table, who.id if who else None)
    if table.status == FINISHED:
        return RedirectResponse(f"/t/{table.id}/picture.png", 303)
    access = await watch_access(request, who, table)
    return await preview_of_link(request, partial(preview_drawn, request, access, n))


# ---- Comments on moves.


@router.post("/{table_id}/comments")
async def comment(
    request: Request,
    who: Person,
    table_id: str,
    step: Number,
    text: Text = "",
    from_: Place = "",
    to: Place = "",
    as_: As = None,
) -> Response:
    """Write a comment at a step: anyone after the game, its commentator while it runs."""
    table = await services_of(request).tables.fresh(table_id)
    notes = services_of(request).comments
    said = " ".join(text.split())[:COMMENT_LENGTH]
    query = f"?as={as_}" if as_ in ("open", "public", *table.game.sides) else ""
    if table.status != RUNNING:
        await notes.write(table, who, step, said)
        return RedirectResponse(f"/t/{table.id}/replay/{step}{query}#comments", 303)
    if await notes.commentator(table) != who.id:
        raise ForbiddenError("only the commentator writes during the game", key="comments.refused.running")
    marks = _marks(table, from_, to)
    await notes.write(table, who, step, said, marks, last=steps_shown(table))
    return RedirectResponse(f"/t/{table.id}/watch/replay/{step}{query}#comments", 303)


def _marks(table: LiveTable, place: str, other: str) -> Marks:
    """Return the arrow or the ring that a form describes.

    Raises:
        IllegalError: The board has no such place.
    """
    known = {id for _, id in keys_of(table.game, game_words(table.game, "en"))} | {""}
    if place not in known or other not in known or (other and not place):
        raise IllegalError("the board has no such place", key="comments.refused.place")
    return ((place, other if other != place else ""),) if place else ()


# ---- The commentator.


@router.get("/{table_id}/commentator/{token}")
async def invitation(request: Request, who: Person | None, table_id: str, token: str) -> Response:
    """Ask the user of a link whether they want to comment on the game."""
    table = await services_of(request).tables.fresh(table_id)
    check_invitation(table, token)
    names = [
        name for name in (await replay_source_at(request, table, page_words(language_of(request, who)))).names if name
    ]
    return page(request, "watch/commentator.html", who, table_id=table.id, token=token, names=names)


@router.post("/{table_id}/commentator")
async def become_commentator(request: Request, who: Person, table_id: str, token: Token) -> Response:
    """Make the user of a link the commentator."""
    table = await services_of(request).tables.fresh(table_id)
    await services_of(request).comments.become_commentator(table, who, token)
    return RedirectResponse(f"/t/{table.id}/watch", 303)


# ---- The overlay for streams.


@router.get("/{table_id}/overlay")
async def overlay(
    request: Request,
    table_id: str,
    as_: As = None,
    lang: Annotated[str, Meta(max_length=2)] = "",
    board: Literal["yes", "no"] = "yes",
    size: Annotated[int, Meta(ge=50, le=300)] = 100,
    seen: Annotated[str, Meta(max_length=40)] = "",
) -> Response:
    """Show a game for a stream: transparent, in large letters, without controls; it follows the game.

    It never depends on who asks: `as` is "public", or with the players' consent "open" or a side.
    """
    table = await services_of(request).tables.fresh(table_id)
    language = lang if lang in LANGUAGES else language_of(request, None)
    access = await _overlay_access(request, table, as_ or "public", language)
    options = {"board_shown": board == "yes", "size": size, "language_chosen": language}
    return await run_in_pool(request, partial(_overlay, request, access, as_ or "public", seen, options))


async def _overlay_access(request: Request, table: LiveTable, chosen: str, language: str) -> ReplayAccess:
    if table.status != RUNNING or chosen == "public":
        table.check_open_to(None)
        return (await access_at(request, None, table))._replace(language=language)
    check_may_watch(table, None)
    source, _ = await _delayed(request, table, language)
    return ReplayAccess(source, ["open", *table.game.sides, "public"], language)


def _overlay(request: Request, access: ReplayAccess, chosen: str, seen: str, options: dict[str, Any]) -> Response:
    viewing = access.viewing(request, chosen)
    stamp = _stamp(viewing.replay, viewing.source.result)
    if seen == stamp:
        return Response(status_code=204)
    context = {
        **frame(viewing),
        **step_context(request, viewing, viewing.replay.length),
        **options,
        "stamp": stamp,
        "last_lines": _last_lines(viewing),
        "seconds": OVERLAY_SECONDS,
        "outlines": outlines(viewing.source.game),
        "is_fragment": "x-fragment" in request.headers,
    }
    template = "watch/overlay_parts.html" if context["is_fragment"] else "watch/overlay.html"
    return HTMLResponse(render(template, request, None, access.language, **context))


def _last_lines(viewing: ReplayView) -> list[Any]:
    return [line for line in viewing.replay.lines if not line.follows][-LAST_LINES:]


def _stamp(replay: Replay, result: str) -> str:
    """Return a name of what a viewer knows: it changes when something new is shown."""
    known = "\n".join([*(entry.text for entry in replay.entries), result])
    return f"{replay.length}-{zlib.crc32(known.encode()):x}"
