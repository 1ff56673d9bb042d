"""Routes of pages read path, query and form of a request."""

from __future__ import annotations

from typing import Annotated, Any

import pytest
from msgspec import Meta, Struct
from starlette.applications import Starlette
from starlette.datastructures import UploadFile
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.testclient import TestClient

from brinkmanship.web.pages.shared.page_router import PageRouter
from brinkmanship.web.server.error_handlers import ERROR_HANDLERS

router = PageRouter("/a")


class Several(Struct):
    """Fields that belong together."""

    name: str
    size: Annotated[int, Meta(ge=1)] = 1


@router.get("/{step}", "/{step}/{more}")
async def look(step: int, more: str = "", as_: Annotated[str, Meta(max_length=3)] | None = None) -> Response:
    """Tell what was read."""
    return JSONResponse([step, more, as_])


@router.post("/{step}", is_open=True)
async def send(
    request: Request,
    step: int,
    several: Several,
    pick: list[int] | None = None,
    sure: bool = False,
    file: UploadFile | None = None,
) -> Response:
    """Tell what was read."""
    text = (await file.read()).decode() if file else None
    return JSONResponse([request.method, step, several.name, several.size, pick, sure, text])


@router.post("/protected/form")
async def protected() -> Response:
    """Answer a form of this session."""
    return JSONResponse("done")


@pytest.fixture
def pages() -> TestClient:
    return TestClient(Starlette(routes=router.routes, exception_handlers=ERROR_HANDLERS))


@pytest.mark.parametrize(
    ("address", "read"),
    [("/a/3", [3, "", None]), ("/a/3/x?as=us", [3, "x", "us"]), ("/a/3?other=1&as=a&as=b", [3, "", "b"])],
)
def test_addresses_are_read(pages: TestClient, address: str, read: list[Any]) -> None:
    assert pages.get(address).json() == read


@pytest.mark.parametrize(
    ("form", "read"),
    [
        ({"name": "Anna"}, ["POST", 1, "Anna", 1, None, False, None]),
        ({"name": "Anna", "size": "", "sure": ""}, ["POST", 1, "Anna", 1, None, False, None]),
        (
            {"name": "Anna", "size": "2", "sure": "true", "pick": ["4", "5"]},
            ["POST", 1, "Anna", 2, [4, 5], True, None],
        ),
    ],
)
def test_forms_are_read(pages: TestClient, form: dict[str, Any], read: list[Any]) -> None:
    assert pages.post("/a/1", data=form).json() == read


def test_files_are_read(pages: TestClient) -> None:
    answer = pages.post("/a/1", data={"name": "Anna"}, files={"file": ("a.txt", b"hello")})
    assert answer.json() == ["POST", 1, "Anna", 1, None, False, "hello"]


@pytest.mark.parametrize("address", ["/a/x", "/a/3?as=long"])
def test_a_wrong_value_in_an_address_is_refused(pages: TestClient, address: str) -> None:
    answer = pages.get(address)
    assert (answer.status_code, answer.json()["detail"].partition(":")[0]) == (400, "address")


@pytest.mark.parametrize(
    "form",
    [{}, {"name": ""}, {"name": "a", "size": "0"}, {"name": "a", "pick": ["1", "x"]}, {"name": "a", "file": "x"}],
)
def test_a_wrong_value_in_a_form_is_refused(pages: TestClient, form: dict[str, Any]) -> None:
    answer = pages.post("/a/1", data=form)
    assert (answer.status_code, answer.json()["detail"].partition(":")[0]) == (400, "form")


def test_a_form_needs_the_token_of_its_session_unless_strangers_may_send_it(pages: TestClient) -> None:
    assert pages.post("/a/protected/form").status_code == 403


def test_another_method_is_refused_with_the_one_that_is_taken(pages: TestClient) -> None:
    answer = pages.get("/a/protected/form/more")
    assert answer.status_code == 404
    answer = pages.put("/a/1")
    assert (answer.status_code, answer.headers["allow"]) == (405, "GET")
