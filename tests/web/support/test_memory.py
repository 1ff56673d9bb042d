"""Whatever is asked, nothing that is kept in memory grows without a bound."""

from __future__ import annotations

import asyncio
import functools
import gc
import sys
from collections.abc import Iterator
from dataclasses import replace
from typing import Any
from weakref import WeakKeyDictionary

import httpx
import pytest
from argon2.exceptions import VerifyMismatchError
from starlette.testclient import TestClient

from brinkmanship.engine.options import OptionValue
from brinkmanship.games.registry import BUILT_IN, load_game
from brinkmanship.web.server.app import create_app
from brinkmanship.web.support import rate_limit
from brinkmanship.web.support.errors import NotFoundError
from brinkmanship.web.support.lru_cache import LruCache
from brinkmanship.web.support.settings import Settings
from brinkmanship.web.tables import ruleset_cache, table_cache
from brinkmanship.web.tables.seating import TableSettings

REQUESTS = 2_000
REQUESTS_OF_A_LONG_RUN = 10_000
AT_ONCE = 100
BOUND = 100
"""Set for what would be allowed to grow further than this test goes."""
CLOSED = {
    "_version": "a few players of each game",
    "page_words": "the languages",
    "asset": "files that templates name",
    "_plain": "keys that templates name, in each language",
    "collection_of": "the games with puzzles in the package",
    "course_of": "the games with lessons",
    "lesson_of": "the lessons of the package, all options at their defaults",
    "_manifest": "the languages",
    "_service_worker": "the languages",
    "_tls": "one",
    "process_pool": "none: there is one",
    "background_pool": "none: there is one",
}
"""Caches without a bound, and what alone can be a key there."""


@pytest.fixture
def app(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    monkeypatch.setattr(rate_limit, "MAX_KNOWN", BOUND)
    monkeypatch.setattr(rate_limit, "PAUSE_SECONDS", 0)
    with TestClient(create_app(replace(settings, trusted_proxies=("127.0.0.1",)))) as client:
        app: Any = client.app
        app.portal = client.portal
        yield app


def containers(app: Any) -> dict[str, int]:
    """The sizes of everything that can grow: of the modules, and of what the application holds."""
    sizes: dict[str, int] = {}
    seen: set[int] = set()

    def look(name: str, held: Any) -> None:
        if id(held) in seen:
            return
        seen.add(id(held))
        if isinstance(held, dict | set | list | LruCache | WeakKeyDictionary):
            sizes[name] = len(held)
            for each in list(held.values()) if isinstance(held, dict) and len(held) < 50 else ():
                look(f"{name}[]", each)
        elif type(held).__module__.startswith("brinkmanship."):
            for key, value in getattr(held, "__dict__", {}).items():
                look(f"{name}.{key}", value)

    for name, module in list(sys.modules.items()):
        if name.startswith(("brinkmanship.web", "brinkmanship.store")):
            for key, value in vars(module).items():
                if not key.startswith("__"):
                    look(f"{name}.{key}", value)
    for key, value in vars(app.state.services).items():
        look(f"services.{key}", value)
    layer = app.asgi
    while layer is not None:
        look("middleware", getattr(layer, "limits", None))
        layer = getattr(layer, "app", None)
    return sizes


@pytest.mark.parametrize("requests", [REQUESTS, pytest.param(REQUESTS_OF_A_LONG_RUN, marks=pytest.mark.long)])
def test_thousands_of_hostile_requests_leave_no_more_than_its_bound_in_memory(app: Any, requests: int) -> None:
    people = app.state.services.users

    async def attack() -> tuple[dict[str, int], dict[str, int]]:
        person, _ = people.add_guest("Anna", "en")
        over, _ = await app.state.services.seating.create(TableSettings("13-days", ["me", "me"]), person.id, "Anna")
        transport = httpx.ASGITransport(app)
        async with httpx.AsyncClient(transport=transport, base_url="http://testserver") as visitors:

            async def ask(number: int) -> int:
                at = {"x-forwarded-for": f"10.{number >> 16 & 255}.{number >> 8 & 255}.{number & 255}"}
                unknown = f"x{number}"
                kind = number % 5
                if kind == 0:
                    token = {"authorization": f"Bearer invented{number}"}
                    answer = await visitors.get(f"/api/v1/tables/{unknown}", headers=at | token)
                elif kind == 1:
                    cookie = {"cookie": f"session=invented{number}; language=l{number}; layout=y{number}"}
                    answer = await visitors.get(f"/t/{unknown}/picture.svg", headers=at | cookie)
                elif kind == 2:
                    answer = await visitors.get(f"/u/{unknown}/replay", headers=at)
                elif kind == 3:
                    answer = await visitors.get(f"/t/{over.id}/card/{unknown}", headers=at | {"x-fragment": "1"})
                else:
                    sent = {"login": f"anna{number}", "password": "short", "x": "y"}
                    answer = await visitors.post("/account/sign-in", data=sent, headers=at)
                return answer.status_code

            await asyncio.gather(*(ask(number) for number in range(20)))
            before = containers(app)
            for first in range(20, requests, AT_ONCE):
                statuses = await asyncio.gather(*(ask(number) for number in range(first, first + AT_ONCE)))
                assert set(statuses) <= {200, 401, 403, 404, 429}
        return before, containers(app)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(type(people._hasher), "verify", _refuse)
        before, after = app.portal.call(attack)
    assert any("_loading" in name for name in after)
    assert any("_buckets" in name for name in after)
    grown = {name: size for name, size in after.items() if size > before.get(name, 0) + BOUND}
    assert grown == {}


def _refuse(*_: object) -> None:
    raise VerifyMismatchError


def test_nothing_is_left_of_tables_that_do_not_exist(app: Any) -> None:
    async def ask() -> None:
        for number in range(20):
            with pytest.raises(NotFoundError):
                await app.state.services.tables.table(f"x{number}")

    app.portal.call(ask)
    assert app.state.services.tables.loader._loading == {}


def test_rulesets_with_options_of_their_own_are_forgotten_and_those_without_are_not(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    made: list[str] = []

    class Made:
        def __init__(self, name: str, options: dict[str, OptionValue]) -> None:
            self.options = options
            made.append(name)

    monkeypatch.setattr(ruleset_cache, "load_game", lambda game_id, data, options: Made(game_id, options))  # noqa: ARG005
    kept = ruleset_cache.Rulesets()
    plain = [kept.get(game, {}) for game in BUILT_IN]
    for number in range(2 * ruleset_cache.MAX_RULESETS):
        kept.get("13-minutes", {"campaign_target": number})
    assert len(kept._others) == ruleset_cache.MAX_RULESETS
    assert [kept.get(game, {}) for game in BUILT_IN] == plain
    assert len(made) == len(BUILT_IN) + 2 * ruleset_cache.MAX_RULESETS


def test_equal_options_are_one_ruleset_however_they_are_chosen() -> None:
    kept = ruleset_cache.Rulesets()
    game = load_game("13-days")
    name, (first, *others) = next(iter(game.option_values().items()))
    defaults = kept.get("13-days", {})
    assert kept.get("13-days", {name: game.default_options[name]}) is defaults
    other = others[0] if first == game.default_options[name] else first
    chosen = kept.get("13-days", {name: other})
    assert kept.get("13-days", dict(chosen.options)) is chosen
    kept._others.clear()  # forgotten, but a table is still played by it
    assert kept.get("13-days", {name: other}) is chosen
    assert kept.is_shared(defaults)
    assert not kept.is_shared(chosen)


def test_tables_in_memory_are_bounded_by_their_bytes_with_their_rulesets(
    app: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(table_cache, "MAX_LIVE_BYTES", 5 * ruleset_cache.BYTES)
    monkeypatch.setattr(table_cache, "KEPT_BETWEEN_LOOKS", 1)

    async def fill() -> int:
        person, _ = app.state.services.users.add_guest("Anna", "en")
        parts = app.state.services
        for target in range(8):
            plan = TableSettings("13-minutes", ["me", "me"], {"campaign_target": 10 + target})
            await parts.seating.create(plan, person.id, "Anna")
        return len({id(table.game) for table in parts.tables._live.values()})

    assert 1 <= app.portal.call(fill) <= 5


def test_tables_in_memory_are_bounded_by_the_length_of_their_games(app: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(table_cache, "TABLE_BYTES", 0)
    monkeypatch.setattr(table_cache, "MAX_LIVE_BYTES", 100 * table_cache.ENTRY_BYTES)
    monkeypatch.setattr(table_cache, "KEPT_BETWEEN_LOOKS", 10)

    async def fill() -> int:
        person, _ = app.state.services.users.add_guest("Anna", "en")
        parts = app.state.services
        made = [
            (await parts.seating.create(TableSettings("13-days", ["me", "me"]), person.id, "Anna"))[0].id
            for _ in range(30)
        ]
        entries = sum(len(table.match.entries) for table in parts.tables._live.values())
        assert [(await parts.tables.table(table_id)).id for table_id in made] == made  # nothing is lost
        return entries

    assert 0 < app.portal.call(fill) <= 100


def test_finished_games_leave_memory_before_those_that_go_on(app: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(table_cache, "TABLE_BYTES", 0)
    monkeypatch.setattr(table_cache, "MAX_FINISHED_BYTES", 50 * table_cache.ENTRY_BYTES)
    monkeypatch.setattr(table_cache, "KEPT_BETWEEN_LOOKS", 1)

    async def play() -> tuple[int, bool]:
        person, _ = app.state.services.users.add_guest("Anna", "en")
        parts = app.state.services
        plan = TableSettings("13-days", ["me", "me"])
        running = (await parts.seating.create(plan, person.id, "Anna"))[0].id
        for _ in range(12):
            table = (await parts.seating.create(plan, person.id, "Anna"))[0]
            await parts.actions.resign(table.id, person.id, 0)
        held = parts.tables._live.values()
        return sum(table.length for table in held if table.status == "over"), running in parts.tables._live

    entries, is_held = app.portal.call(play)
    assert 0 < entries <= 50 + 20  # the last one resigned after the last was made
    assert is_held


def test_every_cache_of_the_server_has_a_bound_or_a_closed_set_of_keys(app: Any) -> None:
    del app
    unbounded = {
        each.__name__
        for each in gc.get_objects()
        if type(each) is functools._lru_cache_wrapper  # not isinstance: that asks weak proxies of what is gone
        and each.__module__.startswith("brinkmanship.web")
        and each.cache_parameters()["maxsize"] is None
    }
    assert unbounded <= CLOSED.keys()


def test_what_was_used_longest_ago_is_forgotten_first() -> None:
    recent: LruCache[str, int] = LruCache(2)
    recent.keep("a", 1)
    recent.keep("b", 2)
    assert recent.get("a") == 1
    recent.keep("c", 3)
    assert (recent.get("a"), recent.get("b"), recent.get("c"), len(recent)) == (1, None, 3, 2)
