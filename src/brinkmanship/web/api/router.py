"""Router for the JSON API: typed requests and responses, outside the page framework, with a generated OpenAPI document.

A route is a function. Its parameters after the request declare the input: `body` is decoded from JSON, `query` from the
query string; its return type declares the response. Requests and responses are `msgspec` structs, so that
`Router.document` always matches the code.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any, NamedTuple, get_type_hints
from urllib.parse import parse_qsl

import msgspec
from starlette.requests import Request
from starlette.types import ASGIApp, Receive, Scope, Send

from brinkmanship.engine.struct_types import prepare
from brinkmanship.web.accounts.authentication import language_of, program_of
from brinkmanship.web.accounts.users import Person
from brinkmanship.web.services import ServerServices, services_in
from brinkmanship.web.support.errors import NotAllowedError, NotFoundError, RequestError
from brinkmanship.web.support.problem_json import (
    internal_error,
    problem_json,
    request_error_for,
    with_internal_error_headers,
)
from brinkmanship.web.tables.event_stream import NewsResponse
from brinkmanship.web.tables.live_table import LiveTable

JSON = b"application/json"
TEXT = b"text/plain; charset=utf-8"
MAX_IN_LOOP = 8_000
"""Maximum body in bytes decoded in the event loop; a thread decodes longer ones."""
_ID = re.compile(r"[A-Za-z0-9]{1,12}")

PROBLEMS = {
    400: "The request is malformed.",
    401: "No valid token.",
    403: "Not your seat, or the seat is taken.",
    404: "Not found.",
    409: "The position has changed since the version given.",
    410: "The table uses a version of the rules that this server does not support.",
    413: "The request is too large.",
    422: "The rules do not allow this.",
    429: "Too many requests.",
    503: "The database is temporarily unavailable; nothing was saved, try again.",
}
"""Possible error responses, as application/problem+json (RFC 9457)."""


class ApiRequest:
    """A request as routes see it."""

    __slots__ = ("_table", "_who", "id", "services")

    def __init__(self, services: ServerServices, id: str, who: Person | None, table: LiveTable | None) -> None:
        self.services = services
        """The services of the server."""
        self.id = id
        """The table or series id in the path."""
        self._who = who
        self._table = table

    @property
    def who(self) -> Person:
        """The authenticated caller."""
        assert self._who is not None, "a route that needs to know who asks is not open"
        return self._who

    @property
    def table(self) -> LiveTable:
        """The requested table, as it was when the route was called."""
        assert self._table is not None, "a route has a table if its path names one"
        return self._table


class _Route(NamedTuple):
    """Decoding, handling and encoding of a request."""

    do: Callable[..., Awaitable[Any]]
    path: str
    status: int
    is_open: bool
    """True if no token is required."""
    body: Any
    """The request struct; None if the route has no body."""
    read_body: Callable[[bytes], Any] | None
    query: Any
    answer: Any
    """The response type."""


class Router:
    """Routes under a path prefix, as ASGI middleware before an application that handles all other paths.

    Args:
        title: title of the API in the document.
        version: version of the API in the document.
        prefix: prefix of all route paths, "/api/v1/".
        document_path: path of the OpenAPI document.
    """

    def __init__(self, title: str, version: str, prefix: str, document_path: str) -> None:
        self._title, self._version = title, version
        self._prefix = prefix
        self._document_path = document_path
        self._document = b""
        self._routes: dict[tuple[str, ...], dict[str, _Route]] = {}

    def get(self, path: str, is_open: bool = False) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
        """Register the decorated function for GET."""
        return self._route("GET", path, 200, is_open)

    def post(
        self, path: str, status: int = 200, is_open: bool = False
    ) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
        """Register the decorated function for POST."""
        return self._route("POST", path, status, is_open)

    def _route(
        self, method: str, path: str, status: int, is_open: bool
    ) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
        def decorate(do: Callable[..., Any]) -> Callable[..., Any]:
            hints = get_type_hints(do, include_extras=True)
            body = hints.get("body")
            read_body = msgspec.json.Decoder(body).decode if body else None
            if "query" in hints:
                prepare(hints["query"])
            route = _Route(
                do, self._prefix + path, status, is_open, body, read_body, hints.get("query"), hints["return"]
            )
            self._routes.setdefault(_shape(path)[0], {})[method] = route
            return do

        return decorate

    def before(self, app: ASGIApp) -> ASGIApp:
        """Return an ASGI app that serves the routes and passes all other requests on."""

        async def lane(scope: Scope, receive: Receive, send: Send) -> None:
            if scope["type"] != "http" or not scope["path"].startswith(self._prefix):
                if scope["type"] == "http" and scope["path"] == self._document_path and scope["method"] == "GET":
                    await _send(200, JSON, self._document or self._write_document(), scope, receive, send)
                else:
                    await app(scope, receive, send)
                return
            answer: ASGIApp | None = None
            try:
                answer = await self._answer(scope, receive)
                await answer(scope, receive, send)
            except Exception as error:
                request = Request(scope)
                refusal = request_error_for(scope, error)
                if refusal is not None:
                    await problem_json(refusal, language_of(request))(scope, receive, send)
                    return
                if answer is None:  # otherwise the response may have been sent in part
                    failure = problem_json(internal_error(request, error), language_of(request))
                    await with_internal_error_headers(failure)(scope, receive, send)
                raise

        return lane

    async def _answer(self, scope: Scope, receive: Receive) -> ASGIApp:
        shape, id = _shape(scope["path"][len(self._prefix) :])
        methods = self._routes.get(shape)
        if methods is None or (id and not _ID.fullmatch(id)):
            raise NotFoundError("there is no such address")
        route = methods.get(scope["method"])
        if route is None:
            raise NotAllowedError(methods)
        scope["route"] = route  # as the framework does, for logs and metrics
        headers = dict(scope["headers"])
        services = services_in(scope)
        who = None if route.is_open else await program_of(services.users, headers.get(b"authorization", b""))
        given: dict[str, Any] = {}
        if route.query is not None:
            given["query"] = _read_query(route.query, scope["query_string"])
        if route.read_body is not None:
            body = await _whole(receive)
            if len(body) > MAX_IN_LOOP:
                given["body"] = await asyncio.to_thread(_read, route.read_body, headers, body)
            else:
                given["body"] = _read(route.read_body, headers, body)
        table = await _open_table(services, id, who) if "{table_id}" in route.path else None
        answer = await route.do(ApiRequest(services, id, who, table), **given)
        if isinstance(answer, NewsResponse):
            return answer
        if isinstance(answer, str):
            return partial(_send, route.status, TEXT, answer.encode())
        return partial(_send, route.status, JSON, _encode(answer))

    def document(self) -> dict[str, Any]:
        """Return the OpenAPI document of the routes."""
        routes = [(method, route) for methods in self._routes.values() for method, route in methods.items()]
        types = {str(each): each for _, route in routes for each in (route.body, route.answer) if _is_json(each)}
        schemas, components = msgspec.json.schema_components(types.values(), ref_template="#/components/schemas/{name}")
        by_type = dict(zip(types, schemas, strict=True))
        paths: dict[str, dict[str, Any]] = {}
        for method, route in routes:
            path = paths.setdefault(route.path, {})
            path[method.lower()] = _operation(route, by_type)
        bearer = {"type": "http", "scheme": "bearer"}
        return {
            "openapi": "3.1.0",
            "info": {"title": self._title, "version": self._version},
            "paths": paths,
            "components": {"schemas": components, "securitySchemes": {"token": bearer}},
        }

    def _write_document(self) -> bytes:
        self._document = _encode(self.document())
        return self._document


_encode = msgspec.json.Encoder().encode


async def _open_table(services: ServerServices, table_id: str, who: Person | None) -> LiveTable:
    """Return a table that the caller may look at; one check here, so that no route can forget it.

    Raises:
        NotFoundError: there is no such table.
        ForbiddenError: other tables still play the same deal (`LiveTable.sealed`).
    """
    table = await services.tables.table(table_id)
    if table.sealed:
        table.check_open_to(who.id if who else None)
    return table


def _shape(path: str) -> tuple[tuple[str, ...], str]:
    """Return the parts of a path without the id, which is always the second part, and the id."""
    parts = path.split("/")
    if len(parts) == 1:
        return (path,), ""
    id, parts[1] = parts[1], ""
    return tuple(parts), id or "?"


def _read(decode: Callable[[bytes], Any], headers: dict[bytes, bytes], body: bytes) -> Any:
    if headers.get(b"content-type", b"").partition(b";")[0].strip().lower() != JSON:
        raise RequestError(f"the body must have Content-Type: {JSON.decode()}")
    try:
        return decode(body)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise RequestError(f"body: {error}") from error
    except RecursionError as error:
        raise RequestError("body: nested too deeply") from error


def _read_query(form: Any, query: bytes) -> Any:
    try:
        given = dict(parse_qsl(query.decode("latin-1"), max_num_fields=100)) if query else {}
        return msgspec.convert(given, form, strict=False)
    except ValueError as error:  # includes msgspec.ValidationError
        raise RequestError(f"query: {error}") from error


async def _whole(receive: Receive) -> bytes:
    parts: list[bytes] = []
    more = True
    while more:
        message = await receive()
        parts.append(message.get("body", b""))
        more = message.get("more_body", False)
    return b"".join(parts)


async def _send(status: int, media: bytes, body: bytes, _: Scope, __: Receive, send: Send) -> None:
    headers = [(b"content-length", b"%d" % len(body)), (b"content-type", media)]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})


def _is_json(answer: Any) -> bool:
    return answer not in (None, str, NewsResponse)


def _operation(route: _Route, schemas: dict[str, Any]) -> dict[str, Any]:
    docstring = (route.do.__doc__ or "").strip()
    operation: dict[str, Any] = {
        "operationId": route.do.__name__,
        "summary": docstring.partition("\n")[0],
        "responses": {
            str(route.status): {"description": "Done.", "content": _content(route.answer, schemas)},
            **{
                str(status): {"description": text, "content": {"application/problem+json": {}}}
                for status, text in PROBLEMS.items()
            },
        },
    }
    parameters = [_path_parameter(name) for name in re.findall(r"{(\w+)}", route.path)]
    if route.query is not None:
        parameters += _query_parameters(route.query)
    if parameters:
        operation["parameters"] = parameters
    if route.body is not None:
        operation["requestBody"] = {"required": True, "content": {JSON.decode(): {"schema": schemas[str(route.body)]}}}
    if not route.is_open:
        operation["security"] = [{"token": []}]
    return operation


def _content(answer: Any, schemas: dict[str, Any]) -> dict[str, Any]:
    if answer is NewsResponse:
        return {"text/event-stream": {}}
    return {JSON.decode(): {"schema": schemas[str(answer)]}} if _is_json(answer) else {"text/plain": {}}


def _path_parameter(name: str) -> dict[str, Any]:
    schema = {"type": "string", "minLength": 1, "maxLength": 12, "pattern": "^[A-Za-z0-9]+$"}
    return {"name": name, "in": "path", "required": True, "schema": schema}


def _query_parameters(query: Any) -> list[dict[str, Any]]:
    (schema,), components = msgspec.json.schema_components([query])
    form = components[schema["$ref"].rpartition("/")[2]]
    return [
        {"name": name, "in": "query", "required": name in form.get("required", ()), "schema": each}
        for name, each in form["properties"].items()
    ]
