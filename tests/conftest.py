"""The environment of all tests, and their fixtures: servers with and without a network, visitors, and a browser.

Who runs the tests of a rule should not wait for the libraries of a server: fixtures import these when a test asks.
"""

from __future__ import annotations

import ctypes
import os
import random
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import hypothesis
import pytest

from brinkmanship.cli.commands import precompile
from brinkmanship.engine import commit_reveal
from brinkmanship.web.support import time_control

if TYPE_CHECKING:
    from starlette.testclient import TestClient

    from brinkmanship.engine.game import Game
    from brinkmanship.web.support.settings import Settings
    from support.serving import Server
    from support.visitors import Visitor

OWN_GAMES = ("13-days", "13-minutes", "ukrainian-crisis")

NOT_OURS = (
    "COLUMNS",
    "LINES",
    "NO_COLOR",
    "FORCE_COLOR",
    "CLICOLOR_FORCE",
    "TTY_COMPATIBLE",
    "TTY_INTERACTIVE",
    "LC_ALL",
    "LC_MESSAGES",
    "PYTEST_ADDOPTS",
    "http_proxy",
    "HTTP_PROXY",
    "all_proxy",
    "ALL_PROXY",
)
"""What whoever starts the tests may have in the environment: what is tested should not look different for it."""


EARLY = 1_797_469_200.0
"""01:00 on 17 December 2026, UTC."""


def pytest_configure() -> None:
    """The same environment for the tests wherever they run."""
    ours = [name for name in os.environ if name.startswith("BRINK_") and not name.startswith("BRINK_TEST_")]
    for name in (*NOT_OURS, *ours):
        os.environ.pop(name, None)
    os.environ["LANG"] = "C.UTF-8"
    # The same examples in every run, however slow the machine is.
    too_slow = [hypothesis.HealthCheck.too_slow]
    hypothesis.settings.register_profile("ours", derandomize=True, deadline=None, suppress_health_check=too_slow)
    hypothesis.settings.load_profile("ours")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what `make check` leaves out, as far as a fixture, a folder or a name tells it."""
    for item in items:
        if "chromium" in getattr(item, "fixturenames", ()):
            item.add_marker("browser")
        if "processes" in item.path.parts:
            item.add_marker("process")
        if "interpreted" in item.nodeid:
            item.add_marker("interpreted")


def pytest_sessionstart(session: pytest.Session) -> None:
    """Compile the games once, on all cores, before several workers start: each of them would compile all of it."""
    if session.config.getoption("numprocesses", None) and precompile.missing():
        print("Compiling the games, this once ...", flush=True)
        subprocess.run([sys.executable, "-m", precompile.__name__], check=True)


@pytest.fixture(autouse=True)
def reproducible_draws(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same deals, sides and computer players in every run.

    Where people play, all of them come from the operating system's randomness. Tokens and ids still do: servers that
    several tests use would otherwise get the same ones twice.
    """
    dice = random.Random(13)
    monkeypatch.setattr(commit_reveal, "new_secret", lambda: dice.randbytes(commit_reveal.SECRET_BYTES))
    monkeypatch.setattr("secrets.randbelow", dice.randrange)
    monkeypatch.setattr("secrets.randbits", dice.getrandbits)


@pytest.fixture(scope="session", autouse=True)
def no_database_clock() -> Iterator[None]:
    """No server in the process of the tests sets the time by its database: others may have replaced the time meanwhile.

    `tests/web/cluster/test_db_clock.py` has the real function.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("brinkmanship.web.cluster.db_clock.DatabaseClock._set", lambda _: None)
        yield


@pytest.fixture(scope="session", autouse=True)
def copied_databases(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """New SQLite databases are copies of one; `tests/store/test_database.py` calls the migrations themselves."""
    from support.databases import migrated_or_copied

    template = tmp_path_factory.mktemp("template") / "migrated.sqlite3"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("brinkmanship.store.database.migrate", migrated_or_copied(template))
        yield


@pytest.fixture(scope="session", autouse=True)
def shared_rulesets() -> Iterator[None]:
    """Servers in the process of the tests share the usual rulesets of the three games, which nothing changes."""
    from brinkmanship.games.registry import load_game

    usual = cache(load_game)

    def load_or_share(game_id: str, *chosen: Any) -> Game:
        return usual(game_id) if game_id in OWN_GAMES and not any(chosen) else load_game(game_id, *chosen)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("brinkmanship.web.tables.ruleset_cache.load_game", load_or_share)
        yield


@pytest.fixture(scope="session", autouse=True)
def cheap_passwords() -> Iterator[None]:
    """Servers in the process of the tests hash passwords at hardly any cost, not a third of a second each."""
    from argon2 import PasswordHasher
    from argon2.profiles import CHEAPEST

    with pytest.MonkeyPatch.context() as patch:
        cheap = partial(PasswordHasher.from_parameters, CHEAPEST)
        patch.setattr("brinkmanship.web.accounts.users.PasswordHasher", cheap)
        yield


@pytest.fixture(scope="session", autouse=True)
def no_niceness() -> Iterator[None]:
    """Worker processes have the priority of the tests: polite ones starve beside anything else a busy machine does."""
    from brinkmanship.web.jobs.process_pool import WorkerProcess

    start = WorkerProcess.__init__

    def at_normal_priority(process: WorkerProcess, niceness: int) -> None:  # noqa: ARG001
        start(process, 0)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(WorkerProcess, "__init__", at_normal_priority)
        yield


@pytest.fixture(scope="module", autouse=True)
def memory_given_back() -> Iterator[None]:
    """Return freed memory to the system after every module: many threads fragment the heap of a long run.

    Without it a worker grows from 1.4 to 1.8 GB.
    """
    yield
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)  # glibc only
    if trim is not None:
        trim(0)


@pytest.fixture(autouse=True)
def own_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every test begins by its machine's time, whatever clock an earlier one has set back."""
    monkeypatch.setattr(time_control, "_ahead", [0.0])
    monkeypatch.setattr(time_control, "_began", [time.time() - time.monotonic()])


@pytest.fixture
def one_day() -> None:
    """The clock of the server shows one certain morning: it does not pass midnight, and every run has the same day."""
    time_control.go_ahead(EARLY - time.time())


@pytest.fixture(scope="session")
def migrated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database without a row; to go through all migrations for each test takes most of a short test's time."""
    from brinkmanship.store.database import open_database

    path = tmp_path_factory.mktemp("migrated") / "table.sqlite3"
    open_database(f"sqlite:///{path}").dispose()
    return path


@pytest.fixture
def database(migrated: Path, tmp_path: Path) -> str:
    """The URL of a new database."""
    return f"sqlite:///{shutil.copy(migrated, tmp_path)}"


@pytest.fixture
def settings(migrated: Path, tmp_path: Path) -> Settings:
    """Settings with which nobody is told to wait, and a new database."""
    from support.serving import for_tests

    return for_tests(f"sqlite:///{shutil.copy(migrated, tmp_path)}")


@pytest.fixture
def client(settings: Settings) -> Iterator[TestClient]:
    """A server without a network."""
    from starlette.testclient import TestClient

    from brinkmanship.web.server.app import create_app

    with TestClient(create_app(settings)) as client:
        yield client


@pytest.fixture
def anna(client: TestClient) -> Visitor:
    from support.visitors import Visitor

    return Visitor(client)


@pytest.fixture
def boris(client: TestClient) -> Visitor:
    from support.visitors import Visitor

    return Visitor(client)


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server on a network, one for all tests of a worker that need no other."""
    from support.serving import for_tests, serving

    with serving(for_tests(f"sqlite:///{tmp_path_factory.mktemp('served') / 'table.sqlite3'}")) as server:
        yield server


@pytest.fixture(scope="session")
def chromium() -> Iterator[Any]:
    api = pytest.importorskip("playwright.sync_api")
    from support.serving import BROWSER_OPTIONS, CHROMIUM, PatientBrowser

    if not Path(CHROMIUM).exists():
        pytest.skip(f"no browser at {CHROMIUM}")
    with api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=list(BROWSER_OPTIONS))
        yield PatientBrowser(browser)
        browser.close()


@pytest.fixture
def visit(chromium: Any, server: Server) -> Iterator[Callable[..., Any]]:
    """Opens a page for a new visitor; any error in its script, or refused by its policy, fails the test."""
    from support.serving import REPRODUCIBLE_BYTES

    contexts, faults = [], []

    def open_page(path: str = "/", **options: Any) -> Any:
        context = chromium.new_context(**{"viewport": {"width": 1280, "height": 900}, "locale": "en-GB", **options})
        contexts.append(context)
        context.add_init_script(REPRODUCIBLE_BYTES)
        page = context.new_page()
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.on("console", lambda said: faults.append(said.text) if "Content Security Policy" in said.text else None)
        page.goto(server.url + path)
        return page

    yield open_page
    for context in contexts:
        with suppress(Exception):
            context.close()
    assert faults == []
