"""The answers to exceptions that reach the framework."""

from __future__ import annotations

from fastapi import FastAPI
from fastapi.exceptions import RequestValidationError
from sqlalchemy.exc import DataError
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from brinkmanship.store.writer import TRANSIENT_ERRORS
from brinkmanship.web.server.error_responses import error_response, internal_error_response
from brinkmanship.web.support.errors import RequestError
from brinkmanship.web.support.problem_json import request_error_for

_SAID = {404: "refused.address", 405: "refused.method"}
"""The messages of pages for requests that the framework refuses by itself, by status."""


def install_error_handlers(app: FastAPI) -> None:
    """Answer refusals, malformed requests, unknown addresses and internal errors in our own way."""
    for kind in (RequestError, DataError, *TRANSIENT_ERRORS):
        app.exception_handler(kind)(_refused)
    app.exception_handler(RequestValidationError)(_malformed)
    app.exception_handler(HTTPException)(_not_found)
    app.exception_handler(Exception)(_failed)


async def _refused(request: Request, error: Exception) -> Response:
    found = request_error_for(request.scope, error)
    assert found is not None
    return error_response(request, found)


async def _malformed(request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)
    faults = [f"{'.'.join(str(part) for part in fault['loc'])}: {fault['msg']}" for fault in error.errors()]
    return error_response(request, RequestError("; ".join(faults)))


async def _not_found(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    refusal = RequestError(str(error.detail), _SAID.get(error.status_code, "refused.request"))
    refusal.status = error.status_code
    refusal.key = "error.not_found" if error.status_code == 404 else "error.bad_request"
    response = error_response(request, refusal)
    response.headers.update(error.headers or {})
    return response


async def _failed(request: Request, error: Exception) -> Response:
    return internal_error_response(request, error)
