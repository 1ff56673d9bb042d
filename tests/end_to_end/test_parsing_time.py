"""Every parser of a text that anybody may write takes a time that grows no faster than the text.

A text of a long run is read at one length and at eight times that: a parser that goes over the text once takes eight
times as long, one that goes back for every character sixty-four times. Processor time is measured, the best of a few.
"""

from __future__ import annotations

import string
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from itertools import product
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest

from brinkmanship.cli.options import chosen_options
from brinkmanship.engine import data_file, journal, options
from brinkmanship.engine.action_parser import NO_SIDE, ActionParser
from brinkmanship.engine.errors import BrinkError
from brinkmanship.terminal import menu
from brinkmanship.web.accounts import authentication, contacts, users
from brinkmanship.web.support.errors import RequestError

LENGTH = 1_500
TIMES = 8
"""How much longer the longer text is."""
MOST = 3 * TIMES
"""How much longer reading it may take: well above 8, well below 64."""
NOISE_SECONDS = 0.02
"""What a busy machine adds to the time of anything."""
TRIES = 3

RUNS = [
    *string.punctuation,
    *(" ", "\t", "\n", "\x0b", "\r", "\x00", "\x1c", "a", "Z", "_", "7", "٣", "я", "ß", "\u00a0", "\u2028"),
    *("\u0301", "\u0316\u0301", "\u200b", "🂡", "a ", " a", "a.", "a,", ", ", "7.", ". ", "; ", "{ ", "{a", "} ", "{}"),
    *(
        "[a",
        "[[",
        "]]",
        "[]",
        '"a',
        '""',
        "''",
        "\\\\",
        '\\"',
        "= ",
        "a=",
        "a=1\n",
        "a.b",
        "#\n",
        "{a=",
        "\n[a]",
        "us a\n",
    ),
]
"""One of every class of characters, and pairs that a pattern may fall between."""


def seconds(read: Callable[[str], Any], text: str) -> float:
    started = time.thread_time()
    with suppress(BrinkError, RequestError):
        read(text)
    return time.thread_time() - started


def slow(read: Callable[[str], Any], frames: list[tuple[str, str]]) -> Iterator[str]:
    """The runs that take disproportionately long, between which beginning and end."""
    for run, (before, after) in product(RUNS, frames):
        short, long = (f"{before}{run * (length // len(run))}{after}" for length in (LENGTH, TIMES * LENGTH))
        bound = MOST * min(seconds(read, short) for _ in range(TRIES)) + NOISE_SECONDS
        if all(seconds(read, long) > bound for _ in range(TRIES)):
            yield f"{before!r} {run!r} {after!r}"


class Colours(msgspec.Struct, forbid_unknown_fields=True):
    """A small data file."""

    a: dict[str, int] = {}
    card: list[dict[str, str]] = []
    sha256: str = ""
    file: str = ""


HEADER = "brinkmanship-journal: 1\ngame: 13-days\nrules: 1\n"
JOURNALS = [
    ("", ""),
    (HEADER, "\n\nend\n"),
    (HEADER + "us:", "\n\nend\n"),
    (HEADER + "us: a", "!\n\nend\n"),
    (HEADER.replace("1\n", "", 1), "\n"),
    (HEADER.removesuffix("1\n"), "\n\nend\n"),
    (HEADER + "cards: a sha256:", "\n\nend\n"),
    (HEADER + "\n", "\nend\n"),
    (HEADER + "\nus", "\nend\n"),
    (HEADER + "\nus ", "\nend\n"),
    (HEADER + "\nus ", "!{us}\nend\n"),
    (HEADER + "\nus a", "!;\nend\n"),
    (HEADER + "\nus a {", "\nend\n"),
    (HEADER + "\nus a {us}", "\nend\n"),
    (HEADER + "\nus a {us} ;", "\nend\n"),
    (HEADER + "\n1", ". us a\nend\n"),
    (HEADER + "\nus a\nend\n", "\n"),
]


def test_a_journal() -> None:
    assert list(slow(journal.parse, JOURNALS)) == []


def test_an_upload() -> None:
    assert list(slow(lambda text: journal.from_bytes(text.encode(), "a.brink"), JOURNALS[7:12])) == []


def test_a_data_file(tmp_path: Path) -> None:
    path = tmp_path / "my.toml"

    def read(text: str) -> None:
        path.write_text(text, encoding="utf-8", newline="")
        data_file.read(path, "", Colours, lambda *_: iter(()))

    frames = [
        ("", "\n"),
        ("a = ", "\n"),
        ("[a]\n", "\nb = 1\n"),
        ('[a]\nb = "', '"\n'),
        ('a."', '" = 1\n'),
        ("a.", "b = 1\n"),
    ]
    assert list(slow(read, frames)) == []
    many = [("[a]\n" + "".join(f"b{n} = 1\n" for n in range(count)) + "c = 'x'\n") for count in (200, 1600)]
    few, more = (min(seconds(read, text) for _ in range(TRIES)) for text in many)
    assert more < MOST * few + NOISE_SECONDS


@pytest.mark.parametrize(
    "read",
    [
        pytest.param(
            lambda text: ActionParser("A", {0: "us done"}, lambda _: NO_SIDE, "done").number(text, 0), id="action"
        ),
        pytest.param(lambda text: chosen_options([text]), id="option of a command"),
        pytest.param(
            lambda text: options.choose("A", {"a": options.Option(1, "R1", range=(1, 9))}, {"a": [1]}, {"a": text}),
            id="value of an option",
        ),
        pytest.param(lambda text: options.choose("A", {}, {}, {text: "1"}), id="name of an option"),
        pytest.param(lambda text: [menu._number(token) for token in menu._tokens(text)], id="answer in the terminal"),
        pytest.param(users.clean_name, id="name"),
        pytest.param(contacts._EMAIL.fullmatch, id="e-mail address"),
        pytest.param(
            lambda text: authentication.language_of(
                SimpleNamespace(cookies={}, headers={"accept-language": text})  # type: ignore[arg-type]
            ),
            id="language",
        ),
    ],
)
def test_an_action_an_option_an_answer_a_name(read: Callable[[str], Any]) -> None:
    assert list(slow(read, [("", ""), ("a", "!"), ("a=", ""), ("a@", "!"), ("a@b.", "!")])) == []


def test_a_number_of_thousands_of_digits_is_refused_like_any_other() -> None:
    with pytest.raises(BrinkError, match="version of the rules"):
        journal.parse(HEADER.replace("rules: 1", "rules: " + "1" * 5000) + "\nend\n")
    with pytest.raises(BrinkError, match="where entry 1 was expected"):
        journal.parse(f"{HEADER}\n{'1' * 5000}. us a\nend\n")
    assert menu._number("1" * 5000) is None


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (f"{HEADER}us: {'a' * 3000}\n\nend\n", r"a\.brink:4: the line has 3,004 characters; at most 2,000 are read"),
        (HEADER + "\n" * 20_000 + "end\n", r"a\.brink: has too many lines: 20,004"),
        ("a" * 1_000_001, r"a\.brink: is too large: a journal may have at most 1 MB"),
    ],
)
def test_a_journal_has_limits(text: str, said: str) -> None:
    with pytest.raises(BrinkError, match=said):
        journal.from_bytes(text.encode(), "a.brink")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("a = 1\nb = '" + "c" * 3000 + "'\n", r"my\.toml:2: the line has 3,006 characters; at most 2,000 are read"),
        ("#\n" * 600_000, r"my\.toml: is too large: a data file may have at most 1 MB"),
    ],
)
def test_a_data_file_has_limits(tmp_path: Path, text: str, said: str) -> None:
    path = tmp_path / "my.toml"
    path.write_text(text)
    with pytest.raises(BrinkError, match=said):
        data_file.read(path, "", Colours, lambda *_: iter(()))
