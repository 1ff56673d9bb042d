"""The pages of moderators: open cases, a case, a person's history, and the log."""

from __future__ import annotations

import asyncio
from typing import Annotated, Literal

from msgspec import Meta
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from brinkmanship.store.moderation import OPEN, PAGE, Measure, Report
from brinkmanship.web.accounts.users import Person
from brinkmanship.web.moderation.moderation_service import MEASURES, REASON_LENGTH, ModerationService
from brinkmanship.web.pages.shared.page_router import PageRouter
from brinkmanship.web.pages.shared.rendering import page
from brinkmanship.web.services import services_of
from brinkmanship.web.support.errors import NotFoundError, RequestError

router = PageRouter("/moderation")

Id = Annotated[str, Meta(max_length=16)]
Reason = Annotated[str, Meta(max_length=2 * REASON_LENGTH)]
EntryId = Annotated[int, Meta(ge=0, le=2**31)] | None
LineIndex = Annotated[int, Meta(ge=-1, le=100)]
MeasureName = Literal[
    "warning", "mute-1", "mute-7", "mute-30", "unrated-7", "unrated-30", "unrated-90", "rename", "closed-30", "closed"
]


def _service(request: Request, who: Person | None) -> ModerationService:
    if who is None or not who.is_moderator:
        raise NotFoundError("there is no such page")
    return services_of(request).moderation_service


@router.get("")
async def show_queue(request: Request, who: Person | None) -> Response:
    """Show the open reports and appeals."""
    service = _service(request, who)
    assert who is not None
    return page(request, "moderation/queue.html", who, queue=await asyncio.to_thread(service.queue, who))


@router.get("/log")
async def show_log(request: Request, who: Person | None, before: EntryId = None) -> Response:
    """Show the log of what moderators did."""
    service = _service(request, who)
    assert who is not None
    entries = await asyncio.to_thread(service.log, who, before)
    older = entries[-1].id if len(entries) == PAGE else None
    return page(request, "moderation/log.html", who, entries=entries, older=older)


@router.get("/report/{report_id}")
async def show_report(request: Request, who: Person | None, report_id: str) -> Response:
    """Show a report."""
    service = _service(request, who)
    assert who is not None
    report = await asyncio.to_thread(service.report, who, report_id)
    return await _case(request, who, report.person_id, report=report)


@router.get("/appeal/{measure_id}")
async def show_appeal(request: Request, who: Person | None, measure_id: str) -> Response:
    """Show a measure and its appeal."""
    service = _service(request, who)
    assert who is not None
    measure = await asyncio.to_thread(service.measure, who, measure_id)
    return await _case(request, who, measure.person_id, appealed=measure)


@router.get("/person/{person_id}")
async def show_person(request: Request, who: Person | None, person_id: str) -> Response:
    """Show the history of a person."""
    _service(request, who)
    assert who is not None
    return await _case(request, who, person_id)


async def _case(
    request: Request,
    who: Person,
    person_id: str,
    report: Report | None = None,
    appealed: Measure | None = None,
    problem: RequestError | None = None,
) -> Response:
    return page(
        request,
        "moderation/case.html",
        who,
        status=problem.status if problem else 200,
        problem=problem,
        report=report,
        is_open=report is not None and report.state == OPEN,
        appealed=appealed,
        history=await asyncio.to_thread(_service(request, who).history, who, person_id),
        measures=MEASURES,
        most=REASON_LENGTH,
    )


@router.post("/dismiss/{report_id}")
async def dismiss(request: Request, who: Person, report_id: str, text: Reason = "") -> Response:
    """Close a report without a measure."""
    service = _service(request, who)
    try:
        await asyncio.to_thread(service.dismiss, who, report_id, text.strip()[:REASON_LENGTH])
    except NotFoundError:
        raise
    except RequestError as problem:
        report = await asyncio.to_thread(service.report, who, report_id)
        return await _case(request, who, report.person_id, report=report, problem=problem)
    return RedirectResponse("/moderation", 303)


@router.post("/measure/{person_id}")
async def impose(
    request: Request,
    who: Person,
    person_id: str,
    measure: MeasureName,
    text: Reason = "",
    report: Id = "",
    line: LineIndex = -1,
) -> Response:
    """Impose a measure on a person."""
    service = _service(request, who)
    try:
        renamed = await asyncio.to_thread(service.impose, who, person_id, measure, text[:REASON_LENGTH], report, line)
    except NotFoundError:
        raise
    except RequestError as problem:
        found = await asyncio.to_thread(service.report, who, report) if report else None
        return await _case(request, who, person_id, report=found, problem=problem)
    services_of(request).tables.changed_outside(renamed)
    return RedirectResponse("/moderation" if report else f"/moderation/person/{person_id}", 303)


@router.post("/decide/{measure_id}")
async def decide(
    request: Request, who: Person, measure_id: str, decision: Literal["lift", "keep"], text: Reason = ""
) -> Response:
    """Lift a measure, or decide its appeal against the person."""
    service = _service(request, who)
    deciding = service.lift if decision == "lift" else service.keep
    try:
        person_id = await asyncio.to_thread(deciding, who, measure_id, text[:REASON_LENGTH])
    except NotFoundError:
        raise
    except RequestError as problem:
        found = await asyncio.to_thread(service.measure, who, measure_id)
        return await _case(request, who, found.person_id, appealed=found, problem=problem)
    return RedirectResponse(f"/moderation/person/{person_id}", 303)
