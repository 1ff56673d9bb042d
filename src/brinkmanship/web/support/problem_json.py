"""Error responses of the API: RFC 9457 problem details, and the mapping from exceptions to them."""

from __future__ import annotations

import json
import logging

from sqlalchemy.exc import DataError
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Scope

from brinkmanship.engine.errors import LocalizedError
from brinkmanship.store.writer import TRANSIENT_ERRORS
from brinkmanship.text import errors
from brinkmanship.web.support.errors import (
    MalformedError,
    NotAllowedError,
    RequestError,
    TooManyError,
    UnavailableError,
)
from brinkmanship.web.support.logs import about, request_id

log = logging.getLogger("brinkmanship.web")


def request_error_for(scope: Scope, error: Exception) -> RequestError | None:
    """Return the RequestError that corresponds to an exception, or None for an internal error."""
    if isinstance(error, RequestError):
        return error
    if isinstance(error, DataError):
        # The value passed our validation, but the database rejected it; nothing has changed.
        log.warning("the database rejected a value of a request", exc_info=error, extra=about(scope))
        return MalformedError("a value in this request is too long or is not text")
    if isinstance(error, TRANSIENT_ERRORS):
        log.error("the database is away", exc_info=error, extra=about(scope))
        return UnavailableError("the database cannot be used at the moment; try again")
    return None


def problem_json(error: RequestError, language: str) -> Response:
    """Return a problem details response (RFC 9457) with the headers for this error."""
    body = {"type": "about:blank", "title": error.key.removeprefix("error.").replace("_", " ")}
    cause = error.__cause__
    is_localized = isinstance(cause, LocalizedError)
    detail = errors.error_text(cause, language) if isinstance(cause, LocalizedError) else error.detail
    body |= {"status": error.status, "detail": detail}  # type: ignore[dict-item]
    response = Response(json.dumps(body), error.status, media_type="application/problem+json")
    if is_localized:
        response.headers["Content-Language"] = language
    return with_error_headers(response, error)


def with_error_headers(response: Response, error: RequestError) -> Response:
    """Add the headers for an error: `Retry-After` or `Allow`."""
    if isinstance(error, TooManyError):
        response.headers["Retry-After"] = str(error.retry_after)
    if isinstance(error, NotAllowedError):
        response.headers["Allow"] = error.methods
    return response


def internal_error(request: Request, error: Exception) -> RequestError:
    """Log an internal error and return the RequestError to show instead."""
    log.error("a request failed", exc_info=error, extra=about(request.scope))
    failure = RequestError("internal error; it has been logged")
    failure.status = 500
    failure.key = "error.broken"
    return failure


def with_internal_error_headers(response: Response) -> Response:
    """Add the request id of the log entry and `Connection: close`."""
    response.headers["X-Request-Id"] = request_id()
    response.headers["Connection"] = "close"  # the server closes it after an internal error; tell the client
    return response
