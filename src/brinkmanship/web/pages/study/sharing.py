"""Sharing a finished game: animated replays as WebP or APNG, and a position in a frame of another site."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Annotated, Any, Literal, NamedTuple
from urllib.parse import urlencode

from markupsafe import Markup
from msgspec import Meta
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from brinkmanship.drawing.animation import MEDIA_TYPES, Format
from brinkmanship.engine import journal
from brinkmanship.engine.game import FULL_INFORMATION, Game
from brinkmanship.web.accounts.users import Person
from brinkmanship.web.jobs import animation_job
from brinkmanship.web.jobs.animation_job import AnimationSpan
from brinkmanship.web.jobs.background import State
from brinkmanship.web.pages.shared.forms import Number
from brinkmanship.web.pages.shared.page_router import PageRouter
from brinkmanship.web.pages.shared.pictures import outlines
from brinkmanship.web.pages.shared.rendering import page, public_url, render, run_in_pool
from brinkmanship.web.pages.study.replay import As, ReplayAccess, Step, access_of, board_at, ending_text, title_for
from brinkmanship.web.presentation.replay import Replay
from brinkmanship.web.services import services_of
from brinkmanship.web.studies.animations import Animations, OfGame
from brinkmanship.web.support.errors import ForbiddenError, IllegalError, NotFoundError
from brinkmanship.web.support.progress import Progress

router = PageRouter()

MINUTE = 60.0
RETRY_SECONDS = 3
"""Time (s) after which a program should ask again for an animation that is being drawn."""
FRAME_POLICY = {
    "Content-Security-Policy": "default-src 'none'; style-src 'self'; img-src 'self' data:; font-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors *",
    "Cross-Origin-Resource-Policy": "cross-origin",
}
"""Headers of the only pages that other sites may show in a frame; they have no scripts, no forms and no user."""
FRAME_WIDTH, FRAME_HEIGHT = 720, 460
"""Size of the frame in the code to embed (px)."""


def frame_code(address: str, title: str, width: int = FRAME_WIDTH, height: int = FRAME_HEIGHT) -> str:
    """Return the HTML with which another page shows a frame."""
    code = '<iframe src="{}" width="{}" height="{}" title="{}" loading="lazy"></iframe>'
    return str(Markup(code).format(address, width, height, title))


Lang = Literal["en", "ru", "de", "pl"] | None
Side = Annotated[str, Meta(max_length=12)] | None


class AnimationRequest(NamedTuple):
    """The animation that an address asks for."""

    access: ReplayAccess
    subject: OfGame
    query: str
    """Query of the address, with the defaults left out."""

    @property
    def address(self) -> str:
        """Address of the file."""
        return f"{self.access.source.address}/replay.{self.subject.span.format}" + (self.query and f"?{self.query}")

    def question(self) -> bytes:
        """Encode the request for the job."""
        source = self.access.source
        record = journal.known_to(source.seen_by(FULL_INFORMATION), result=source.result)
        return animation_job.encode(record, source.game, self.subject.span)


async def _finished(request: Request, who: Person | None, language: str | None) -> ReplayAccess:
    """Return the finished game that an address names.

    Raises:
        ForbiddenError: the game is running, or other tables still play its deal.
    """
    return check_finished(await access_of(request, who, language))


def check_finished(access: ReplayAccess) -> ReplayAccess:
    """Return a game if it may be shown to everyone.

    Raises:
        ForbiddenError: the game is running, or other tables still play its deal.
    """
    if not access.source.result:
        raise ForbiddenError("the game is not finished", key="sharing.refused.running")
    return access


def _wish(
    request: Request, access: ReplayAccess, format: Format, first: int | None, last: int | None, side: str | None
) -> AnimationRequest:
    """Return the animation that an address asks for; slow unless the replay is cached.

    Raises:
        IllegalError: the game has no such steps, or there is no such view.
    """
    if side is not None and side not in access.viewers:
        raise IllegalError(f"the views are {', '.join(access.viewers)}", key="sharing.refused.side")
    viewing = access.viewing(request, side)
    length = viewing.replay.length
    begin, end = first or 0, length if last is None else last
    if not 0 <= begin <= end <= length:
        raise IllegalError(f"the game has steps 0 to {length}", key="sharing.refused.span")
    language = viewing.words.language
    title, ending = title_for(viewing), ending_text(viewing)
    span = AnimationSpan(viewing.replay.viewer, begin, end, language, format, title, ending)
    parameters = {"from": first, "to": last, "side": side, "lang": language}
    query = urlencode({name: value for name, value in parameters.items() if value is not None})
    return AnimationRequest(access, OfGame(access.source.address, length, span), query)


async def _wished(
    request: Request,
    who: Person | None,
    format: Format,
    first: int | None,
    last: int | None,
    side: str | None,
    language: str | None,
) -> AnimationRequest:
    access = await _finished(request, who, language)
    return await run_in_pool(request, partial(_wish, request, access, format, first, last, side))


def _animations(request: Request) -> Animations:
    found = services_of(request).animations
    if not found.kept:
        raise NotFoundError("this server draws no animations", key="sharing.refused.off")
    return found


# ---- Animated replays.


@router.get("/t/{table_id}/replay.{format}", "/u/{upload_id}/replay.{format}")
async def animation(
    request: Request,
    who: Person | None,
    format: Format,
    from_: Number | None = None,
    to: Number | None = None,
    side: Side = None,
    lang: Lang = None,
) -> Response:
    """Send an animated replay, or a page that waits for it or offers to have it drawn.

    Drawing takes a minute of CPU time, so only a form starts it: crawlers and link previews follow addresses.
    """
    animations = _animations(request)
    wish = await _wished(request, who, format, from_, to, side, lang)
    state = await animations.state(wish.subject, wish.question)
    if state.report is None:
        status = {"none": 404, "at_work": 202}.get(state.status, 503)
        answer = page(request, "study/animation.html", who, status=status, **_frame(wish, state))
        if state.status == "at_work":
            answer.headers["Retry-After"] = str(RETRY_SECONDS)
        return answer
    source = wish.access.source
    headers = {"Content-Disposition": f'inline; filename="{source.game.id}-{source.address[3:]}.{format}"'}
    return Response(state.report, media_type=MEDIA_TYPES[format], headers=headers)


@router.get("/t/{table_id}/animation/progress", "/u/{upload_id}/animation/progress")
async def progress(
    request: Request,
    who: Person | None,
    format: Format,
    from_: Number | None = None,
    to: Number | None = None,
    side: Side = None,
    lang: Lang = None,
) -> Response:
    """Return the progress of an animation as a page fragment."""
    wish = await _wished(request, who, format, from_, to, side, lang)
    state = await _animations(request).state(wish.subject, wish.question)
    return page(request, "study/animation_progress.html", who, **_frame(wish, state))


@router.post("/t/{table_id}/animation", "/u/{upload_id}/animation", is_open=True)
async def draw(
    request: Request,
    who: Person | None,
    format: Format,
    from_: Number | None = None,
    to: Number | None = None,
    side: Side = None,
    lang: Lang = None,
) -> Response:
    """Have an animation drawn, unless it exists."""
    wish = await _wished(request, who, format, from_, to, side, lang)
    await _animations(request).begin(wish.subject, wish.question)
    return RedirectResponse(wish.address, 303)


def _frame(wish: AnimationRequest, state: State[bytes]) -> dict[str, Any]:
    far, span = state.progress or Progress(), wish.subject.span
    left = far.seconds_left
    return {
        "title": span.title,
        "address": wish.access.source.address,
        "stage": state.status,
        "percent": round(100 * far.share),
        "minutes_left": None if left is None or left < MINUTE else round(left / MINUTE),
        "seconds_left": None if left is None else max(1, round(left)),
        "query": urlencode({"format": span.format}) + (wish.query and f"&{wish.query}"),
        "wanted": {"format": span.format, **dict(pair.split("=") for pair in wish.query.split("&") if pair)},
    }


# ---- A position in a frame of another site.


@router.get("/t/{table_id}/embed", "/u/{upload_id}/embed")
async def embed(request: Request, at: Step = None, as_: As = None, lang: Lang = None) -> Response:
    """Show one step of a finished game without navigation, for a frame of another site; the same for every user."""
    access = await _finished(request, None, lang)
    return await run_in_pool(request, partial(_embedded, request, access, at, as_))


def _embedded(request: Request, access: ReplayAccess, at: int | None, chosen: str | None) -> Response:
    viewing = access.viewing(request, chosen)
    step = stop_at(viewing.replay, at)
    return framed(
        request,
        viewing.source.game,
        viewing.replay,
        step,
        heading=title_for(viewing),
        board=board_at(request, viewing, step),
        ended=ending_text(viewing) if step == viewing.replay.length else "",
        address=f"{viewing.source.address}/embed",
        fixed={"as": viewing.viewer},
        replay_path=viewing.link(step),
    )


def stop_at(replay: Replay, at: int | None) -> int:
    """Return the stop at a step; None: the last one.

    Raises:
        NotFoundError: there is no such step.
    """
    step = replay.length if at is None else at
    if not 0 <= step <= replay.length:
        raise NotFoundError(f"the game has {replay.length} steps", key="sharing.refused.span")
    return replay.stop(step)


def framed(
    request: Request,
    game: Game,
    replay: Replay,
    step: int,
    *,
    heading: str,
    board: Markup,
    ended: str,
    address: str,
    fixed: Mapping[str, str],
    replay_path: str,
) -> Response:
    """Return the page of a step for a frame of another site.

    Args:
        request: the request.
        game: ruleset of the game.
        replay: the replay.
        step: the step, at which the replay stops.
        heading: title of the game.
        board: picture of the position.
        ended: how the game has ended; "" at any other step.
        address: path of this page.
        fixed: parameters of its address that stay the same from step to step.
        replay_path: path of the step on this site.
    """
    language = replay.words.language

    def link(to: int | None) -> str | None:
        return None if to is None else f"{address}?{urlencode({'at': to, **fixed, 'lang': language})}"

    content = render(
        "study/embed.html",
        request,
        None,
        language,
        heading=heading,
        board=board,
        outlines=outlines(game),
        happened=[(line, line.shown.striptags()) for line in replay.lines_of(step)],
        ended=ended,
        step=step,
        last=replay.length,
        before=link(replay.before(step)),
        after=link(replay.after(step)),
        replay=f"{public_url(request)}{replay_path}",
    )
    return HTMLResponse(content, headers=FRAME_POLICY)
