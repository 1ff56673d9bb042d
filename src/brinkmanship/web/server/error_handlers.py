"""Handlers of exceptions that reach the framework."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from sqlalchemy.exc import DataError
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from brinkmanship.store.writer import TRANSIENT_ERRORS
from brinkmanship.web.accounts.authentication import visitor
from brinkmanship.web.server.error_responses import error_response, internal_error_response
from brinkmanship.web.support.errors import RequestError
from brinkmanship.web.support.problem_json import request_error_for

_SAID = {404: "refused.address", 405: "refused.method"}
"""Message keys on pages for requests that the framework itself refuses, by status."""


async def _refused(request: Request, error: Exception) -> Response:
    found = request_error_for(request.scope, error)
    assert found is not None
    return error_response(request, found)


async def _not_found(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    with suppress(*TRANSIENT_ERRORS):
        await visitor(request)  # no route has asked yet: the page shows who is signed in
    refusal = RequestError(str(error.detail), _SAID.get(error.status_code, "refused.request"))
    refusal.status = error.status_code
    refusal.key = "error.not_found" if error.status_code == 404 else "error.bad_request"
    response = error_response(request, refusal)
    response.headers.update(error.headers or {})
    return response


async def _failed(request: Request, error: Exception) -> Response:
    return internal_error_response(request, error)


ERROR_HANDLERS: Mapping[Any, Any] = {
    **dict.fromkeys((RequestError, DataError, *TRANSIENT_ERRORS), _refused),
    HTTPException: _not_found,
    Exception: _failed,
}
"""Exception handlers for refusals, unknown paths and internal errors."""
