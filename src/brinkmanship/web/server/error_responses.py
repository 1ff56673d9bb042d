"""Error responses: problem details for API clients, a page in the viewer's language for browsers."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response

from brinkmanship.web import pages
from brinkmanship.web.accounts.authentication import known_visitor, language_of
from brinkmanship.web.support.errors import RequestError
from brinkmanship.web.support.problem_json import (
    internal_error,
    problem_json,
    with_error_headers,
    with_internal_error_headers,
)


def error_response(request: Request, error: RequestError) -> Response:
    """Return the response to a refused request: problem details for API clients, a page for browsers."""
    if request.url.path.startswith("/api/") or "text/html" not in request.headers.get("accept", ""):
        return problem_json(error, language_of(request))
    return with_error_headers(pages.error_page(request, error, known_visitor(request)), error)


def internal_error_response(request: Request, error: Exception) -> Response:
    """Log an internal error and return a response with status 500."""
    return with_internal_error_headers(error_response(request, internal_error(request, error)))
