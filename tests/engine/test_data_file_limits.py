"""A data file that a stranger sends takes little time and memory, whatever is in it."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from types import FrameType
from typing import Any

import pytest

from brinkmanship.engine import data_file, toml_subprocess
from brinkmanship.engine.data_file import MAX_KEY_PARTS, MAX_NESTED, DataFile
from brinkmanship.engine.errors import DataFileError
from brinkmanship.engine.toml_subprocess import COSTLY, ParseResult, parse, parse_apart
from brinkmanship.games.registry import kits, load_game
from brinkmanship.text import LANGUAGES, errors
from brinkmanship.web.presentation.data_files import own_files

OWN = [(game_id, name) for game_id in kits() for name in own_files(game_id)]


def refused(text: str, monkeypatch: pytest.MonkeyPatch) -> DataFileError:
    """The error for a text that is refused before anything has parsed it."""

    def never(_: str) -> ParseResult:
        pytest.fail("the text was parsed")

    monkeypatch.setattr(data_file, "parse_apart", never)
    with pytest.raises(DataFileError) as caught:
        load_game("13-days", DataFile("mine.toml", text.encode()))
    return caught.value


@pytest.mark.parametrize(
    "line",
    [
        ".".join("a" * 900) + " = 1",
        ".".join("a" * (MAX_KEY_PARTS + 1)) + " = 1",
        "[" + ".".join("a" * 20) + "]",
        "[[" + " . ".join("a" * 20) + "]]",
        'x = { "a"."b".\'c\'.d."e.".f.g.h.i = 1 }',
        'x = """\n# "" \\""" a"""""\na.b.c.d.e.f.g.h.i = 1',
        "x = '''it's \\'''\ny = \"\\\"\" # '''\na.b.c.d.e.f.g.h.i = 1",
    ],
)
def test_keys_of_many_parts_are_refused_before_parsing(line: str, monkeypatch: pytest.MonkeyPatch) -> None:
    error = refused(f"schema = 1\n{line}\n", monkeypatch)
    assert error.line == 1 + len(line.split("\n"))
    assert str(MAX_KEY_PARTS) in str(error)
    assert len({errors.error_text(error, language) for language in LANGUAGES}) == len(LANGUAGES)


@pytest.mark.parametrize(("opening", "closing"), [("[", "]"), ("{ a = ", " }")])
def test_deep_nesting_is_refused_before_parsing(opening: str, closing: str, monkeypatch: pytest.MonkeyPatch) -> None:
    depth = MAX_NESTED + 1
    error = refused(f"schema = 1\nx = {opening * depth}1{closing * depth}\n", monkeypatch)
    assert error.line == 2
    assert "nested" in str(error)


@pytest.mark.parametrize(
    "text",
    [
        "a.b.c.d.e.f.g.h = 1",
        'x = "a.b.c.d.e.f.g.h.i.j [[[[[[[[[[[[[[[[[[["',
        "x = '''\n\"a.b.c.d.e.f.g.h.i.j'''",
        'x = """a\\\\"""\ny = ""',
        'x = """a.b.c.d""""" # a.b.c.d.e.f.g.h.i.j.k',
        "x = [1.5, 2.5, 3.5, 4.5, 5.5, 6.5, 7.5, 8.5, 9.5, 10.5]",
        "x = [" + "[[[[]]]], " * 40 + "]",
    ],
)
def test_what_is_usual_is_not_refused(text: str) -> None:
    data_file._refuse_excess(text, "")
    assert parse(text).data is not None


@pytest.mark.parametrize(("game_id", "name"), OWN)
def test_the_package_s_own_files_are_far_from_the_limits(game_id: str, name: str) -> None:
    text = own_files(game_id)[name].decode()
    data_file._refuse_excess(text, "")
    assert parse_apart(text) == parse(text)


@pytest.mark.parametrize(
    "text", ["x = 1979-05-27T07:32:00Z\ny = 1.5\n", "x =", "", "x = [", 'x = "ü"', "x = 0x" + "f" * 1900]
)
def test_a_child_says_the_same(text: str) -> None:
    assert parse_apart(text) == parse(text)


def test_a_sent_file_is_parsed_in_a_child(monkeypatch: pytest.MonkeyPatch) -> None:
    name, content = next(iter(own_files("13-days").items()))
    asked: list[str] = []
    monkeypatch.setattr(data_file, "parse_apart", lambda text: asked.append(text) or parse(text))
    load_game("13-days", DataFile(name, content))
    assert asked == [content.decode()]


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such limits")
@pytest.mark.parametrize(("limit", "least"), [("MAX_CPU_SECONDS", 1), ("MAX_BYTES", 60_000_000)])
def test_a_child_that_needs_too_much_is_ended(limit: str, least: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(toml_subprocess, limit, least)
    # The quadratic case, which never gets this far: 60 MB of memory or one second are not enough for it.
    assert parse_apart("".join(f"{'a.' * 2_000}k{number} = 1\n" for number in range(100))) == COSTLY


def test_costly_files_are_refused_in_every_language(monkeypatch: pytest.MonkeyPatch) -> None:
    for told in (COSTLY, ParseResult(is_too_large=True)):
        monkeypatch.setattr(data_file, "parse_apart", lambda _, told=told: told)
        with pytest.raises(DataFileError) as caught:
            load_game("13-days", DataFile("mine.toml", b"schema = 1\n"))
        assert len({errors.error_text(caught.value, language) for language in LANGUAGES}) == len(LANGUAGES)


def test_digits_without_end_are_a_fault_of_the_file() -> None:
    assert parse("x = " + "9" * 5_000) == ParseResult(is_too_large=True)
    for number in ("9" * 1_900, "0x" + "f" * 1_900, "1e400", "-" + "9" * 30):
        with pytest.raises(DataFileError):
            load_game("13-days", DataFile("mine.toml", f"schema = {number}\n".encode()))


class Steps:
    """Number of lines of Python that were carried out."""

    count = 0


@contextmanager
def counted() -> Iterator[Steps]:
    steps = Steps()

    def trace(_: FrameType, event: str, __: Any) -> Callable[..., Any]:
        steps.count += event == "line"
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        yield steps
    finally:
        sys.settrace(before)


@pytest.mark.parametrize(
    "piece", ["a.b = 1\n", "[a]\n", "[[a.b]]\n", '"', '"""', "\\'''", "'", "{", "[", "#", ".", "=", "é", " "]
)
def test_checking_for_excess_takes_linear_time(piece: str) -> None:
    def steps_of(length: int) -> int:
        with counted() as steps, suppress(DataFileError):
            data_file._refuse_excess(piece * length, "")
        return steps.count

    assert steps_of(2_000) <= 2 * steps_of(1_000) + 100
