r"""Routes of pages: the parameters of a handler declare its input.

| parameter | value |
|---|---|
| `request` | the request |
| `who: Person` | the user; a request without a session is refused |
| `who: Person \| None` | the user, None for a stranger |
| a name in braces in the path | that part of the path |
| any other | a field: of the query for GET, of the form for POST |

A parameter whose type is a msgspec struct takes one field per attribute. A trailing underscore of a name is not part of
the field: `as_` takes `as`. Annotations are read once, when a function is decorated.
"""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable
from typing import Annotated, Any, TypeVar, get_args, get_origin, get_type_hints

import msgspec
from starlette.datastructures import FormData, QueryParams
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Route

from brinkmanship.engine.struct_types import prepare
from brinkmanship.web.accounts.authentication import person, protected, visitor
from brinkmanship.web.accounts.users import Person
from brinkmanship.web.services import table_at
from brinkmanship.web.support.errors import MalformedError, RequestError

Page = TypeVar("Page", bound=Callable[..., Awaitable[Response]])


class PageRoute(Route):
    """One path, one method, and its handler.

    Args:
        method: "GET" or "POST".
        path: the path, with parameters in braces.
        page: the handler.
        is_open: accept forms without the CSRF token of a session, as strangers send them.
    """

    def __init__(self, method: str, path: str, page: Callable[..., Awaitable[Response]], is_open: bool = False) -> None:
        super().__init__(path, self._answer, name=page.__name__)
        self.methods = {method}  # `RequestGuardMiddleware` handles HEAD
        self._page = page
        self._is_form = method == "POST"
        self._is_protected = self._is_form and not is_open
        hints = get_type_hints(page, include_extras=True)
        parameters = inspect.signature(page).parameters
        self._takes_request = "request" in parameters
        self._find_user = {Person: person, Person | None: visitor}[hints["who"]] if "who" in parameters else None
        own = {name: hints[name] for name in parameters if name not in ("request", "who")}
        self._structs = {name: hint for name, hint in own.items() if _is_struct(hint)}
        singles = [
            (name, hint)
            if parameters[name].default is parameters[name].empty
            else (name, hint, parameters[name].default)
            for name, hint in own.items()
            if name not in self._structs
        ]
        aliases = {name: name.removesuffix("_") for name in own}
        self._singles = msgspec.defstruct(page.__name__, singles, rename=aliases, kw_only=True)
        prepare(self._singles, *self._structs.values())
        fields = [each for one in (self._singles, *self._structs.values()) for each in msgspec.structs.fields(one)]
        self.fields = {each.encode_name: each.type for each in fields if each.encode_name not in self.param_convertors}
        """Type of each field of the query or form by name, for tests."""
        self._lists = [name for name, hint in self.fields.items() if _is_list(hint)]

    async def _answer(self, request: Request) -> Response:
        try:
            sent = await _form(request) if self._is_form else request.query_params
            if self._is_protected:
                await protected(request)
            given: dict[str, Any] = {"request": request} if self._takes_request else {}
            if self._find_user is not None:
                given["who"] = await self._find_user(request)
            values = self._values(sent) | request.path_params
            try:
                given |= msgspec.structs.asdict(msgspec.convert(values, self._singles, strict=False))
                given |= {name: msgspec.convert(values, type_, strict=False) for name, type_ in self._structs.items()}
            except msgspec.ValidationError as error:
                raise RequestError(f"{'form' if self._is_form else 'address'}: {error}") from error
            if "table_id" in request.path_params:
                await _check_open(request, request.path_params["table_id"])
            return await self._page(**given)
        finally:
            await request.close()  # uploaded files

    def _values(self, sent: FormData | QueryParams) -> dict[str, Any]:
        # Forms send "" for a field left empty.
        values = {name: value for name, value in sent.items() if not (self._is_form and value == "")}
        return values | {name: sent.getlist(name) for name in self._lists if name in values}


class PageRouter:
    """A collection of page routes.

    Args:
        prefix: prefix of all their paths.
    """

    def __init__(self, prefix: str = "") -> None:
        self.prefix = prefix
        self.routes: list[PageRoute] = []

    def get(self, *paths: str) -> Callable[[Page], Page]:
        """Return a decorator that registers a function for GET at these paths."""
        return self._route("GET", paths, is_open=True)

    def post(self, *paths: str, is_open: bool = False) -> Callable[[Page], Page]:
        """Return a decorator that registers a function for POST at these paths; for `is_open` see `PageRoute`."""
        return self._route("POST", paths, is_open)

    def _route(self, method: str, paths: tuple[str, ...], is_open: bool) -> Callable[[Page], Page]:
        def decorate(page: Page) -> Page:
            self.routes += [PageRoute(method, self.prefix + path, page, is_open) for path in paths]
            return page

        return decorate


async def _check_open(request: Request, table_id: str) -> None:
    """Raise unless the user may look at a table; one check here, so that no page can forget it.

    Raises:
        ForbiddenError: other tables still play the same deal (`LiveTable.sealed`).
    """
    try:
        table = await table_at(request, table_id)
    except RequestError:
        return  # the page says why
    if table.sealed:
        who = await visitor(request)
        table.check_open_to(who.id if who else None)


async def _form(request: Request) -> FormData:
    try:
        return await request.form()
    except ClientDisconnect as error:
        raise MalformedError("the form is incomplete: the client disconnected") from error


def _is_struct(hint: Any) -> bool:
    return isinstance(hint, type) and issubclass(hint, msgspec.Struct)


def _is_list(hint: Any) -> bool:
    """Return True for `list[...]`, also if annotated or optional."""
    if get_origin(hint) is Annotated or type(None) in get_args(hint):
        return _is_list(get_args(hint)[0])
    return get_origin(hint) is list
