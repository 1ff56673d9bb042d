"""Deals of the day: one game for everyone, nothing of it leaves a table on the same day, and the day ends by itself."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable

import pytest
from sqlalchemy.exc import IntegrityError

from brinkmanship.engine import commit_reveal
from brinkmanship.engine.game import FULL_INFORMATION
from brinkmanship.puzzles.spaced_repetition import DAY as DAY_SECONDS
from brinkmanship.store import daily, game_results
from brinkmanship.store.analyses import played_by
from brinkmanship.web.cluster.table_record import TableRecord
from brinkmanship.web.jobs.player_job import Players, decode_choice, encode_request
from brinkmanship.web.support import time_control
from brinkmanship.web.support.errors import ForbiddenError, NotFoundError
from brinkmanship.web.tables.bot_moves import bot_seed
from brinkmanship.web.tables.live_table import LiveTable
from brinkmanship.web.tables.record_kinds import ACTION, RESIGN
from support.bare_services import bare_services
from support.house import House, run

GAME = "13-days"
pytestmark = pytest.mark.usefixtures("one_day")


class DailyHouse:
    """A house whose computers never move, with a clock that can be set to the next day."""

    def __init__(self, house: House, monkeypatch: pytest.MonkeyPatch) -> None:
        self.house, self.service = house, house.services.daily
        self._monkeypatch = monkeypatch
        monkeypatch.setattr(house.services.bot_moves, "play", lambda _: None)
        self.now = time_control.now()
        self.at(0)

    def at(self, days: int) -> None:
        self._monkeypatch.setattr(time_control, "now", lambda: self.now + days * DAY_SECONDS)

    async def begin(self, person_id: str) -> LiveTable:
        return await self.house.tables.table(await self.service.begin(GAME, person_id, "Name"))

    async def end(self, table: LiveTable, wins: bool) -> None:
        loser = table.seat_of(next(seat.person_id for seat in table.seats if seat.person_id))[0]
        loser = 1 - loser if wins else loser
        await self.house.services.event_log.do(table, lambda: TableRecord(RESIGN, loser, 0, time.time()))


def at_daily(database: str, monkeypatch: pytest.MonkeyPatch, test: Callable[[DailyHouse], Awaitable[None]]) -> None:
    async def do(house: House) -> None:
        await test(DailyHouse(house, monkeypatch))

    run(database, do)


def test_everyone_gets_the_same_deal_once_and_sealed(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async def test(hall: DailyHouse) -> None:
        house = hall.house
        first, second = await hall.begin(house.anna.id), await hall.begin(house.boris.id)
        assert first.match.state.tobytes() == second.match.state.tobytes()
        assert first.commitment == second.commitment
        assert first.seat_of(house.anna.id) == second.seat_of(house.boris.id)
        assert (first.terms.undo, first.allows_hints, first.sealed) == ("none", False, True)
        assert await hall.begin(house.anna.id) is first
        again = await bare_services(house.engine, house.writer).tables.table(first.id)
        assert again.occasion == first.occasion
        assert again.occasion is not None
        assert again.occasion.kind == "daily"
        hall.at(1)
        third = await hall.begin(house.anna.id)
        assert third.id != first.id
        assert third.commitment != first.commitment

    at_daily(database, monkeypatch, test)


class Line:
    """A game of the day at a table of its own, where the user always takes the choice with the same number."""

    def __init__(self, table: LiveTable, user_first: bool) -> None:
        self.table, self.match = table, table.match
        self._bot = next(seat.side for seat in table.seats if seat.computer)
        self._user_first = user_first

    def play(self, level: str, players: Players, decisions: int) -> list[int]:
        """Play on until no choice in secret is half done; return the computer's replies."""
        replies: list[int] = []
        while (len(replies) < decisions or self.match.in_secret) and not self.match.is_over:
            pending = sorted(self.match.pending, key=lambda side: (side == self._bot) == self._user_first)
            side = pending[0]
            if side == self._bot:
                asked = encode_request(level, self.table.seen_game(side), bot_seed(self.table, side))
                action = decode_choice(players.answer(asked)).action
                replies.append(action)
            else:
                legal = self.match.legal(side)
                action = legal[len(legal) // 2].action
            self.table.apply_record(TableRecord(ACTION, side, action, 0.0))
        return replies


@pytest.mark.parametrize("level", ["level:1", "level:5"])
def test_the_same_moves_get_the_same_replies_at_every_table(
    database: str, monkeypatch: pytest.MonkeyPatch, level: str
) -> None:
    """Also if a user is slower than the computer in a choice of both sides, and whatever the computer chose before."""

    async def test(hall: DailyHouse) -> None:
        house, players = hall.house, Players()
        first, second = await hall.begin(house.anna.id), await hall.begin(house.boris.id)
        replies = Line(first, user_first=True).play(level, players, 25)
        again = Line(second, user_first=False).play(level, players, 25)
        assert replies == again
        assert first.match.state.tobytes() == second.match.state.tobytes()

    at_daily(database, monkeypatch, test)


def test_the_seed_of_a_computer_follows_from_the_deal_the_side_and_what_it_sees(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def test(hall: DailyHouse) -> None:
        table = await hall.begin(hall.house.anna.id)
        bot = next(seat.side for seat in table.seats if seat.computer)
        seeds = [bot_seed(table, bot), bot_seed(table, 1 - bot)]
        own = table.match.legal(1 - bot)[0].action
        table.apply_record(TableRecord(ACTION, 1 - bot, own, 0.0))
        assert bot_seed(table, bot) == seeds[0]  # a secret choice of the user changes nothing
        table.apply_record(TableRecord(ACTION, bot, table.match.legal(bot)[0].action, 0.0))
        seeds.append(bot_seed(table, bot))
        hall.at(1)
        seeds.append(bot_seed(await hall.begin(hall.house.anna.id), bot))
        assert len({*seeds, None}) == 5
        assert bot_seed(await hall.house.table(), 0) is None

    at_daily(database, monkeypatch, test)


def test_of_two_clicks_at_once_one_begins_a_game(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async def test(hall: DailyHouse) -> None:
        first = await hall.begin(hall.house.anna.id)
        calls = iter([None, first.id])

        async def late(*_: object) -> str | None:
            return next(calls)

        monkeypatch.setattr(hall.service, "_own_table", late)
        assert (await hall.begin(hall.house.anna.id)).id == first.id
        calls = iter([None, None])
        with pytest.raises(IntegrityError):
            await hall.begin(hall.house.anna.id)

    at_daily(database, monkeypatch, test)


def test_a_finished_game_stays_sealed_and_its_results_are_for_those_who_have_played(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def test(hall: DailyHouse) -> None:
        house, service = hall.house, hall.service
        first, _ = await hall.begin(house.anna.id), await hall.begin(house.boris.id)
        await hall.end(first, wins=True)
        await service.tick()
        assert not first.is_revealed
        assert not first.is_open_to(house.boris.id)
        assert commit_reveal.SECRET_HEADER not in first.journal(0).headers
        with pytest.raises(ForbiddenError):
            first.seen_by(FULL_INFORMATION)
        today = service.today()
        mine, theirs = [await service.deal(GAME, today, who.id) for who in (house.anna, house.boris)]
        assert theirs.results is None
        assert (await service.deal(GAME, today, None)).results is None
        assert mine.results is not None
        assert [(each.is_mine, each.game.score, each.name) for each in mine.results] == [(True, 1, "")]
        assert (mine.players, theirs.players) == (2, 2)
        assert await service.streaks(house.anna.id) == (1, 1)
        assert await service.streaks(house.boris.id) == (1, 0)
        assert game_results.uncounted(house.engine, [GAME], 9) == []

    at_daily(database, monkeypatch, test)


def test_when_the_day_ends_unfinished_games_are_lost_and_all_are_revealed(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def test(hall: DailyHouse) -> None:
        house, service = hall.house, hall.service
        first, second = await hall.begin(house.anna.id), await hall.begin(house.boris.id)
        await hall.end(first, wins=True)
        day = service.today()
        hall.at(1)
        assert (await service.deal(GAME, day, None)).results is None  # until the tick has ended it
        await service.tick()
        deal = await service.deal(GAME, day, None)
        assert deal.is_over
        assert deal.results is not None
        assert [(each.game.score, each.game.is_abandoned) for each in deal.results] == [(1, False), (-1, True)]
        for table in (first, second):
            fresh = await house.tables.fresh(table.id)
            assert fresh.is_revealed
            assert commit_reveal.verify(fresh.journal(0), fresh.game) > 0
        assert {each.table_id for each in game_results.uncounted(house.engine, [GAME], 9)} == {first.id, second.id}
        assert daily.without_analysis(house.engine, [GAME], day, 9) == [first.id]
        assert await service.forks(GAME, day) == []
        await service.tick()
        assert await service.streaks(house.boris.id) == (1, 0)

    at_daily(database, monkeypatch, test)


def test_a_game_that_was_just_finished_at_the_end_of_the_day_counts(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def test(hall: DailyHouse) -> None:
        table = await hall.begin(hall.house.anna.id)
        day = hall.service.today()
        late = daily.overdue(hall.house.engine, day + 1, 9)
        await hall.end(table, wins=True)
        monkeypatch.setattr(daily, "overdue", lambda *_: late)
        hall.at(1)
        await hall.service.tick()
        deal = await hall.service.deal(GAME, day, None)
        assert deal.results is not None
        assert [(each.game.score, each.game.is_abandoned) for each in deal.results] == [(1, False)]

    at_daily(database, monkeypatch, test)


def test_an_unreadable_game_does_not_keep_the_day_from_ending(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async def test(hall: DailyHouse) -> None:
        await hall.begin(hall.house.anna.id)
        day = hall.service.today()
        hall.at(1)

        def unreadable(_: str) -> LiveTable:
            raise ValueError("unreadable")

        monkeypatch.setattr(hall.house.tables, "fresh", unreadable)
        await hall.service.tick()
        deal = await hall.service.deal(GAME, day, None)
        assert deal.results is not None
        assert [each.game.is_abandoned for each in deal.results] == [True]

    at_daily(database, monkeypatch, test)


def test_the_analysis_of_a_sealed_game_gives_the_result_without_luck_and_nothing_else(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def test(hall: DailyHouse) -> None:
        house, service = hall.house, hall.service
        table = await hall.begin(house.anna.id)
        await hall.end(table, wins=False)
        requested: list[str] = []

        async def begin(subject: object, question: Callable[[], bytes]) -> None:
            requested.append(str(subject))
            assert question()

        monkeypatch.setattr(house.services.analyses, "begin", begin)
        monkeypatch.setattr(house.services.analyses, "playouts", 8)
        await service.tick()
        assert len(requested) == 1
        assert table.sealed
        adjusted = (0.25, 0.75)
        await house.writer.write(daily.luck_statement(table.id, adjusted))
        deal = await service.deal(GAME, service.today(), house.anna.id)
        assert deal.mine is not None
        assert deal.mine.luck_adjusted == pytest.approx(adjusted[deal.side])
        assert deal.results is not None
        assert (deal.results[0].place, deal.results[0].game.is_guest) == (None, True)
        assert played_by(house.engine, house.anna.id, 9) == []

    at_daily(database, monkeypatch, test)


def test_there_is_no_deal_of_tomorrow_or_of_an_unknown_game(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async def test(hall: DailyHouse) -> None:
        with pytest.raises(NotFoundError):
            await hall.service.deal(GAME, hall.service.today() + 1, None)
        for ask in (hall.service.begin("chess", "x", "X"), hall.service.deal("chess", 1, None)):
            with pytest.raises(NotFoundError):
                await ask

    at_daily(database, monkeypatch, test)
