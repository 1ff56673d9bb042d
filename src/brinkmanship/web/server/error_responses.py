"""What is answered to a request that is refused or that failed."""

from __future__ import annotations

import json
import logging

from sqlalchemy.exc import DataError
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Scope

from brinkmanship.engine.errors import ToldError
from brinkmanship.store.writer import AWAY
from brinkmanship.text import faults
from brinkmanship.web import pages
from brinkmanship.web.accounts.authentication import language_of
from brinkmanship.web.support.errors import (
    MalformedError,
    NotAllowedError,
    RequestError,
    TooManyError,
    UnavailableError,
)
from brinkmanship.web.support.logs import about, request_id

log = logging.getLogger("brinkmanship.web")


def refusal(scope: Scope, error: Exception) -> RequestError | None:
    """What a request is refused with that ended with an error, None where something broke here."""
    if isinstance(error, RequestError):
        return error
    if isinstance(error, DataError):
        # What no check of ours has stopped and the database does not take; it has changed nothing.
        log.warning("the database refused what a request said", exc_info=error, extra=about(scope))
        return MalformedError("something in this request is too long, or no text")
    if isinstance(error, AWAY):
        log.error("the database is away", exc_info=error, extra=about(scope))
        return UnavailableError("the database cannot be used at the moment; try again")
    return None


def problem(request: Request, error: RequestError) -> Response:
    """RFC 9457 for programs, a page in the reader's language for people."""
    if request.url.path.startswith("/api/") or "text/html" not in request.headers.get("accept", ""):
        body = {"type": "about:blank", "title": error.key.removeprefix("error.").replace("_", " ")}
        fault = error.__cause__
        is_told, language = isinstance(fault, ToldError), language_of(request)
        detail = faults.told(fault, language) if isinstance(fault, ToldError) else error.detail
        body |= {"status": error.status, "detail": detail}  # type: ignore[dict-item]
        response = Response(json.dumps(body), error.status, media_type="application/problem+json")
        if is_told:
            response.headers["Content-Language"] = language
    else:
        response = pages.error_page(request, error)
    if isinstance(error, TooManyError):
        response.headers["Retry-After"] = str(error.retry_after)
    if isinstance(error, NotAllowedError):
        response.headers["Allow"] = error.methods
    return response


def broken(request: Request, error: Exception) -> Response:
    """What is answered to a request at which something broke here; it is logged."""
    log.error("a request failed", exc_info=error, extra=about(request.scope))
    failure = RequestError("something broke here; it has been logged")
    failure.status = 500
    failure.key = "error.broken"
    response = problem(request, failure)
    response.headers["X-Request-Id"] = request_id()
    return response
