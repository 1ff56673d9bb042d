"""The analysis of a finished game: request, progress and report. Its address can be shared."""

from __future__ import annotations

import asyncio
import zlib
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, NamedTuple

from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from brinkmanship.analysis.page import DOMAIN, content, policy
from brinkmanship.analysis.page import page as analysis_page
from brinkmanship.analysis.report import Analysis
from brinkmanship.analysis.summary import rows, sentences, summary
from brinkmanship.engine import journal
from brinkmanship.engine.game import FULL_INFORMATION
from brinkmanship.games.registry import kits
from brinkmanship.store import repository
from brinkmanship.store.analyses import AnalysisSubject, OfPerson, of_person
from brinkmanship.text import Words
from brinkmanship.web.accounts.authentication import language_of
from brinkmanship.web.accounts.users import Person
from brinkmanship.web.jobs import analysis_job
from brinkmanship.web.jobs.background import State
from brinkmanship.web.pages.shared.page_router import PageRouter
from brinkmanship.web.pages.shared.rendering import page, run_in_pool
from brinkmanship.web.pages.study.replay import As, ReplayAccess, access_at, access_to_upload
from brinkmanship.web.presentation.page_words import game_words, page_words, title_of
from brinkmanship.web.services import services_of
from brinkmanship.web.studies.analyses import Analyses
from brinkmanship.web.support.errors import ForbiddenError, IllegalError, NotFoundError
from brinkmanship.web.support.progress import Progress

router = PageRouter()

MINUTE = 60.0
MAX_TOGETHER = 200
"""Maximum analyses in a summary, the latest ones."""
CURVE_WIDTH, CURVE_HEIGHT = 600, 120
"""Size of the progress curve in SVG units."""


class _Subject(NamedTuple):
    """A finished game that may be analysed."""

    access: ReplayAccess
    subject: AnalysisSubject
    question: Callable[[], bytes]
    own_side: int | None
    """The side that the user played."""


async def _subject(request: Request, who: Person | None) -> _Subject:
    """Return the game named by an address: /t/{table_id}/... or /u/{upload_id}/..."""
    named = request.path_params
    if "table_id" in named:
        return await _at_table(request, who, named["table_id"])
    return await _uploaded(request, who, named["upload_id"])


async def _revealed(request: Request, who: Person | None) -> _Subject:
    """Return the same as `_subject`, for what shows a stored analysis: a sealed daily game may already have one.

    Raises:
        ForbiddenError: others still play the same deal.
    """
    table_id = request.path_params.get("table_id")
    if table_id is not None and (await services_of(request).tables.fresh(table_id)).sealed:
        raise ForbiddenError("other tables still play this deal", key="duplicate.refused.sealed")
    return await _subject(request, who)


async def _at_table(request: Request, who: Person | None, table_id: str) -> _Subject:
    table = await services_of(request).tables.fresh(table_id)
    access = await access_at(request, who, table)
    mine = table.seat_of(who.id if who else None)
    return _Subject(access, *_analyses(request).of_table(table), mine[0] if len(mine) == 1 else None)


async def _uploaded(request: Request, who: Person | None, upload_id: str) -> _Subject:
    access, playouts = await access_to_upload(request, who, upload_id), _analyses(request).playouts
    engine = services_of(request).engine

    def question() -> bytes:
        text = repository.upload_of(engine, upload_id)
        if text is None:
            raise NotFoundError("this journal is no longer available")
        return analysis_job.encode(journal.parse(text), access.source.game, playouts)

    return _Subject(access, AnalysisSubject(upload_id=upload_id), question, None)


def _analyses(request: Request) -> Analyses:
    return services_of(request).analyses


# ---- Reports.


@router.get("/t/{table_id}/analysis", "/u/{upload_id}/analysis")
async def analysis(request: Request, who: Person | None, as_: As = None) -> Response:
    """Show the analysis of a finished game, or its progress; redirect a running game to its table."""
    of = await _subject(request, who)
    if not of.access.source.result:
        return RedirectResponse(of.access.source.address, 303)
    state = await _analyses(request).state(of.subject, of.question)
    if state.report is not None:
        return await run_in_pool(request, partial(_report, request, who, of, state, as_))
    return page(request, "study/analysis.html", who, **_frame(request, of, state))


@router.get("/t/{table_id}/analysis.html", "/u/{upload_id}/analysis.html")
async def analysis_file(request: Request, who: Person | None, as_: As = None) -> Response:
    """Send the analysis as a standalone HTML file."""
    of = await _revealed(request, who)
    state = await _analyses(request).state(of.subject, of.question)
    if state.report is None:
        raise NotFoundError("this game has not been analysed")
    answer = await run_in_pool(request, partial(_file, of, state, as_))
    name = f"{of.access.source.game.id}-{of.access.source.address[3:]}.html"
    answer.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    return answer


@router.get("/t/{table_id}/analysis/progress", "/u/{upload_id}/analysis/progress")
async def progress(request: Request, who: Person | None) -> Response:
    """Return the progress of the analysis as a page fragment."""
    of = await _revealed(request, who)
    state = await _analyses(request).state(of.subject, of.question)
    return page(request, "study/analysis_progress.html", who, **_frame(request, of, state))


class _Together(NamedTuple):
    """A user's analysed games of one kind."""

    title: str
    sentences: list[str]
    rows: list[tuple[str, int, int, str, str]]
    games: list[tuple[str, str, float]]
    """Table id, side played and start time of each game."""


@router.get("/analyses")
async def together(request: Request, who: Person | None) -> Response:
    """Show the summary of the user's analysed games."""
    if who is None:
        return RedirectResponse("/account", 303)
    kept = await asyncio.to_thread(of_person, services_of(request).engine, who.id, MAX_TOGETHER)
    return await run_in_pool(
        request, lambda: page(request, "study/analyses.html", who, games=_together(request, who, kept))
    )


def _together(request: Request, who: Person, kept: Sequence[OfPerson]) -> list[_Together]:
    language = language_of(request, who)
    own, words = page_words(language), Words(language, (DOMAIN,))
    found = []
    for game_id in kits():
        of_game = [one for one in kept if one.game == game_id]
        if not of_game:
            continue
        read = [(Analysis.from_json(zlib.decompress(one.report)), one.side) for one in of_game]
        whole = summary(read)
        game = services_of(request).tables.rulesets.get(game_id, {})
        sides = [game_words(game, language).name("side", side) for side in game.sides]
        games = [(one.table_id, sides[one.side], one.begun_at) for one in of_game]
        found.append(_Together(title_of(game, own), sentences(whole, words), rows(whole, words), games))
    return found


# ---- Requests.


@router.post("/t/{table_id}/analysis", "/u/{upload_id}/analysis", is_open=True)
async def begin(request: Request, who: Person | None) -> Response:
    """Request the analysis of a finished game; strangers may do so too."""
    of = await _subject(request, who)
    source = of.access.source
    if not _analyses(request).can_analyse(source.game, source.result):
        raise IllegalError("this game cannot be analysed here", key="analysis.refused.game")
    await _analyses(request).begin(of.subject, of.question)
    return RedirectResponse(f"{source.address}/analysis", 303)


def _report(request: Request, who: Person | None, of: _Subject, state: State[Analysis], chosen: str | None) -> Response:
    """Return the report as a page of the site."""
    source, words = of.access.source, game_words(of.access.source.game, of.access.language)
    found, side = _chosen(of, state, chosen)
    title, report = content(found, source.seen_by(FULL_INFORMATION), side, words, source.address)
    return page(request, "study/analysis_report.html", who, title=title, report=report)


def _file(of: _Subject, state: State[Analysis], chosen: str | None) -> Response:
    """Return the report as a page that stands alone."""
    source, words = of.access.source, game_words(of.access.source.game, of.access.language)
    found, side = _chosen(of, state, chosen)
    made = analysis_page(found, source.seen_by(FULL_INFORMATION), side, words)
    return HTMLResponse(made, headers={"Content-Security-Policy": policy()})


def _chosen(of: _Subject, state: State[Analysis], chosen: str | None) -> tuple[Analysis, int]:
    """Return the report, and the side it is shown for: the chosen one, else the user's own or the loser."""
    game, found = of.access.source.game, state.report
    assert found is not None
    if chosen is None:
        return found, found.loser if of.own_side is None else of.own_side
    if chosen not in game.sides:
        raise NotFoundError(f"there is no side {chosen!r}; the sides are {' and '.join(game.sides)}")
    return found, game.sides.index(chosen)


def _frame(request: Request, of: _Subject, state: State[Analysis]) -> dict[str, Any]:
    source, far = of.access.source, state.progress or Progress()
    left = far.seconds_left
    return {
        "title": title_of(source.game, page_words(of.access.language)),
        "address": source.address,
        "can_analyse": _analyses(request).can_analyse(source.game, source.result),
        "stage": state.status,
        "percent": round(100 * far.share),
        "minutes_left": None if left is None or left < MINUTE else round(left / MINUTE),
        "seconds_left": None if left is None else max(1, round(left)),
        "curve": _points(far),
        "first_side": game_words(source.game, of.access.language).name("side", source.game.sides[0]),
    }


def _points(far: Progress) -> str:
    """Return the progress curve as SVG points, "" while there are fewer than two."""
    if len(far.curve) < 2:
        return ""
    last = max(at for at, _ in far.curve) or 1
    return " ".join(f"{CURVE_WIDTH * at / last:.1f},{CURVE_HEIGHT * (1 - win):.1f}" for at, win in far.curve)
