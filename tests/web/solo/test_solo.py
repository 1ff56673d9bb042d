"""Crisis diaries: a stage opens when the one before is won, and the diary tells the days of the games."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from datetime import date
from itertools import pairwise
from typing import Any

import pytest
from sqlalchemy import func, select
from sqlalchemy.exc import IntegrityError
from starlette.testclient import TestClient

from brinkmanship.games.registry import BUILT_IN, load_game
from brinkmanship.store import schema
from brinkmanship.text import LANGUAGES
from brinkmanship.text.diary import diary_of
from brinkmanship.text.history import history_of
from brinkmanship.web.cluster.table_record import TableRecord
from brinkmanship.web.pages.formats import solo as pages
from brinkmanship.web.solo.stages import bonus, has_diary, options
from brinkmanship.web.support.errors import IllegalError, NotFoundError
from brinkmanship.web.tables.event_log import EventLog
from brinkmanship.web.tables.live_table import LiveTable
from brinkmanship.web.tables.record_kinds import RESIGN
from support.finished_games import play_on
from support.house import House, run
from support.visitors import Visitor, live

GAME = "13-days"
SIDE = 1


async def end(event_log: EventLog, table: LiveTable, loser: int) -> None:
    await event_log.do(table, lambda: TableRecord(RESIGN, loser, 0, time.time()))


class Diary:
    """The diary of Anna, whose computers never move."""

    def __init__(self, house: House, monkeypatch: pytest.MonkeyPatch) -> None:
        self.house, self.service = house, house.services.solo
        monkeypatch.setattr(house.services.bot_moves, "play", lambda _: None)

    async def begin(self) -> LiveTable:
        anna = self.house.anna
        return await self.house.tables.table(await self.service.begin(GAME, SIDE, anna.id, anna.name))

    async def play(self, wins: bool) -> LiveTable:
        table = await self.begin()
        await end(self.house.services.event_log, table, 1 - SIDE if wins else SIDE)
        return table

    async def states(self) -> list[str]:
        return [each.state for each in (await self.service.diary(GAME, SIDE, self.house.anna.id)).stages]


def in_diary(database: str, monkeypatch: pytest.MonkeyPatch, test: Callable[[Diary], Awaitable[None]]) -> None:
    async def do(house: House) -> None:
        await test(Diary(house, monkeypatch))

    run(database, do)


def test_a_victory_opens_the_next_stage_and_a_lost_one_is_repeated(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def test(diary: Diary) -> None:
        assert await diary.states() == ["open", *["locked"] * 5]
        first = await diary.begin()
        assert first.occasion is not None
        assert first.occasion.address == f"/solo/{GAME}/{SIDE}"
        assert await diary.begin() is first
        assert await diary.states() == ["running", *["locked"] * 5]
        await diary.play(wins=False)
        assert await diary.states() == ["lost", *["locked"] * 5]
        second = await diary.play(wins=True)
        assert second.id != first.id
        assert await diary.states() == ["won", "open", *["locked"] * 4]
        found = await diary.service.diary(GAME, SIDE, diary.house.anna.id)
        assert found.stages[0].last is not None
        assert (found.stages[0].last.attempts, found.stages[0].last.table_id, found.won) == (2, second.id, 1)
        levels = [seat.computer for seat in (await diary.begin()).seats]
        assert levels[1 - SIDE] == "level:2"
        other = await diary.service.diary(GAME, 1 - SIDE, diary.house.anna.id)
        assert other.won == 0
        assert (await diary.service.diary(GAME, SIDE, diary.house.boris.id)).won == 0

    in_diary(database, monkeypatch, test)


def test_a_complete_diary_goes_on_no_further_until_it_is_removed(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def test(diary: Diary) -> None:
        for _ in range(6):
            await diary.play(wins=True)
        assert (await diary.service.diary(GAME, SIDE, diary.house.anna.id)).is_complete
        with pytest.raises(IllegalError):
            await diary.begin()
        await diary.service.remove(GAME, SIDE, diary.house.anna.id)
        assert await diary.states() == ["open", *["locked"] * 5]

    in_diary(database, monkeypatch, test)


def test_of_two_clicks_at_once_one_begins_a_stage(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async def test(diary: Diary) -> None:
        service, anna = diary.service, diary.house.anna
        before = await service.diary(GAME, SIDE, anna.id)
        first = await diary.begin()
        known, read = iter([before]), service.diary

        async def late(*which: Any) -> Any:
            return next(known, None) or await read(*which)

        monkeypatch.setattr(service, "diary", late)
        assert await diary.begin() is first
        monkeypatch.setattr(service, "diary", lambda *_: _async(before))
        with pytest.raises(IntegrityError):
            await diary.begin()

    in_diary(database, monkeypatch, test)


def test_of_two_clicks_at_once_one_begins_a_lost_stage_again(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async def test(diary: Diary) -> None:
        service, anna = diary.service, diary.house.anna
        await diary.play(wins=False)
        before = await service.diary(GAME, SIDE, anna.id)
        known, read = iter([before, before]), service.diary

        async def late(*which: Any) -> Any:
            return next(known, None) or await read(*which)

        monkeypatch.setattr(service, "diary", late)
        first, second = await asyncio.gather(diary.begin(), diary.begin())
        assert first is second
        stage = (await read(GAME, SIDE, anna.id)).stages[0].last
        assert stage is not None
        assert (stage.table_id, stage.attempts) == (first.id, 2)
        with diary.house.engine.connect() as connection:
            assert connection.execute(select(func.count()).select_from(schema.tables)).scalar_one() == 2

    in_diary(database, monkeypatch, test)


async def _async(found: Any) -> Any:
    return found


def test_there_is_no_diary_of_an_unknown_game(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async def test(diary: Diary) -> None:
        with pytest.raises(NotFoundError):
            await diary.service.diary("chess", 0, None)

    in_diary(database, monkeypatch, test)


@pytest.mark.parametrize("game_id", BUILT_IN)
def test_the_stages_of_every_game_follow_each_other_and_have_a_historical_text(game_id: str) -> None:
    stages = diary_of(load_game(game_id)).stages
    assert has_diary(load_game(game_id))
    for before, after in pairwise(stages):
        assert (after.first - before.last).days == 1
    for stage in stages:
        assert stage.day(1, 400) == stage.first
        assert stage.day(400, 400) == stage.last
        assert all(history_of(*stage.history, language) for language in LANGUAGES)


def test_the_last_stages_give_more_prestige_where_the_rules_allow_it() -> None:
    game = load_game("ukrainian-crisis")
    assert [options(game, 0, stage) for stage in (0, 4, 5)] == [{}, {"prestige_ua": 18}, {"prestige_ua": 20}]
    assert options(game, 1, 5) == {"prestige_ru": 36}
    assert bonus(load_game(GAME), 5) == 0
    assert load_game("ukrainian-crisis", options=options(game, 1, 5)).options["prestige_ru"] == 36


def test_a_diary_tells_at_most_a_page_of_each_game_and_keeps_the_last_event() -> None:
    told = [(date(1962, 10, 16), str(number)) for number in range(100)]
    some = pages._spread(told)
    assert len(some) == pages.MAX_FACTS
    assert some[-1] == told[-1]
    assert some == sorted(some, key=lambda each: int(each[1]))
    assert pages._spread(told[:3]) == told[:3]


def test_a_diary_can_be_read_by_its_owner(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    app: Any = client.app
    monkeypatch.setattr(app.state.services.bot_moves, "play", lambda _: None)
    anna, boris = Visitor(client), Visitor(client)
    assert "0 of 6 stages won" in anna.get("/solo")
    begun = anna.post(f"/solo/{GAME}/0")
    assert begun.status_code == 303
    path = str(begun.headers["location"])
    assert f'href="/solo/{GAME}/0"' in anna.get(path)
    assert "In progress" in anna.get(f"/solo/{GAME}/0")
    play_on(live(client, path), 3)
    with app.state.services.engine.begin() as connection:
        connection.exec_driver_sql(
            f"UPDATE tables SET status = 'over', result = 'us by prestige', finished_at = 1 "
            f"WHERE id = '{path.removeprefix('/t/')}'"
        )
    for language, said in {
        "en": "16 October",
        "ru": "16 октября",
        "de": "16. Oktober",
        "pl": "16 października",
    }.items():
        anna.cookies["language"] = language
        read = anna.get(f"/solo/{GAME}/0")
        assert f"<h3>{said}</h3>" in read
        assert read == anna.get(f"/solo/{GAME}/0")
    anna.cookies["language"] = "en"
    assert "<h3>16 October</h3>" not in boris.get(f"/solo/{GAME}/0")
    assert "1 of 6 stages won" in anna.get("/solo")
    assert anna.post(f"/solo/{GAME}/0/remove", csrf=anna.csrf).status_code == 303
    assert "0 of 6 stages won" in anna.get("/solo")


@pytest.mark.parametrize("path", ["/solo/chess/0", f"/solo/{GAME}/2", f"/solo/{GAME}/x"])
def test_wrong_addresses_are_refused_in_words(client: TestClient, path: str) -> None:
    visitor = Visitor(client)
    for method in ("GET", "POST"):
        answer = visitor.ask(method, path)
        assert answer.status_code == 404
        assert "There is no such diary" in answer.text
    assert "session" not in visitor.cookies
