"""The authority: what it refuses, what it keeps, what it tells."""

from __future__ import annotations

import asyncio
import random
from dataclasses import replace

import pytest

from brinkmanship.engine import commit_reveal, journal
from brinkmanship.engine.game import OBSERVER
from brinkmanship.store import repository
from brinkmanship.web.cluster.table_record import TableRecord
from brinkmanship.web.notifications.turn import turn_of
from brinkmanship.web.support.errors import ForbiddenError, IllegalError, NotFoundError, StaleError
from brinkmanship.web.support.table_terms import Terms
from brinkmanship.web.support.time_control import LIVE, Clock
from brinkmanship.web.tables.live_table import LiveTable
from brinkmanship.web.tables.presence import Listener
from brinkmanship.web.tables.record_kinds import ACTION
from brinkmanship.web.tables.seating import TableSettings
from brinkmanship.web.tables.statuses import FINISHED, RUNNING, WAITING
from support.bare_services import bare_services
from support.house import INVITED, House, run


def test_a_game_is_the_same_when_it_is_loaded_again(database: str) -> None:
    async def test(house: House) -> None:
        table = await house.table()
        await house.play(table, 1)
        again = await bare_services(house.engine, house.writer).tables.table(table.id)
        assert again.match.state.tobytes() == table.match.state.tobytes()
        assert (again.status, again.result) == (FINISHED, table.result)
        assert again.match.entries == table.match.entries

    run(database, test)


def test_an_invitation_is_good_for_one_person(database: str) -> None:
    async def test(house: House) -> None:
        table, links = await house.services.seating.create(INVITED, house.anna.id, "Anna")
        assert table.status == WAITING
        with pytest.raises(ForbiddenError):
            await house.services.seating.join(table.id, house.boris.id, "Boris", "another token")
        with pytest.raises(ForbiddenError, match="already have a seat"):
            await house.services.seating.join(table.id, house.anna.id, "Anna", links[1])
        await house.services.seating.join(table.id, house.boris.id, "Boris", links[1])
        assert table.status == RUNNING
        with pytest.raises(ForbiddenError, match="already been used"):
            await house.services.seating.join(table.id, "somebody", "Carl", links[1])

    run(database, test)


def test_seat_version_and_legality_are_checked(database: str) -> None:
    async def test(house: House) -> None:
        table = await house.table()
        before = table.match.state.tobytes()
        legal = table.decisions(0)[0].action
        for person, side, version, action, error in (
            (house.boris.id, 0, 0, legal, ForbiddenError),
            (None, 0, 0, legal, ForbiddenError),
            (house.anna.id, 2, 0, legal, NotFoundError),
            (house.anna.id, 0, 1, legal, StaleError),
            (house.anna.id, 0, 0, 99_999, IllegalError),
            (house.anna.id, 0, 0, -1, IllegalError),
            (house.anna.id, 0, 0, "castle", IllegalError),
            (house.anna.id, 0, 0, "place 1 berlin", IllegalError),
        ):
            with pytest.raises(error):
                await house.services.actions.act(table.id, person, side, version, action)
        with pytest.raises(NotFoundError):
            await house.services.actions.act("nowhere", house.anna.id, 0, 0, legal)
        assert table.match.state.tobytes() == before
        assert table.records == []

    run(database, test)


def test_nobody_learns_that_the_other_has_chosen(database: str) -> None:
    async def test(house: House) -> None:
        table = await house.table()
        ear = Listener(0)
        ear.last_news = table.news(0)
        table.presence.listeners.add(ear)
        before = (table.version(0), table.journal(0).text(), table.view(0).tobytes())
        await house.act(table, 1, table.decisions(1)[0].action)
        assert not ear.event.is_set()
        assert (table.version(0), table.journal(0).text(), table.view(0).tobytes()) == before
        assert table.version(OBSERVER) == 0
        assert table.version(1) == 1
        await house.services.actions.undo(table.id, house.boris.id, 1, 1, whole_turn=False)
        await house.act(table, 1, table.decisions(1)[1].action)
        assert not ear.event.is_set()
        assert (table.version(0), table.journal(0).text(), table.view(0).tobytes()) == before
        assert not ear.event.is_set()
        await house.act(table, 0, table.decisions(0)[0].action)
        assert ear.event.is_set()
        assert (table.version(0), table.version(OBSERVER)) == (1, 1)

    run(database, test)


@pytest.mark.parametrize("game", ["13-days", "13-minutes", "ukrainian-crisis"])
@pytest.mark.parametrize("first", [0, 1])
def test_no_number_tells_how_often_a_secret_choice_was_changed(database: str, game: str, first: int) -> None:
    async def test(house: House) -> None:
        for changes in (0, 2):
            table = await house.table(game)
            await house.play(table, 3, lambda table: table.to_move == [0, 1])
            before = [table.version(viewer) for viewer in (0, 1, OBSERVER)]
            for change in range(changes + 1):
                await house.act(table, first, table.decisions(first)[change % 2].action)
                if change < changes:
                    version, person = table.version(first), house.who(first)
                    await house.services.actions.undo(table.id, person, first, version, whole_turn=False)
            await house.act(table, 1 - first, table.decisions(1 - first)[0].action)
            again = await bare_services(house.engine, house.writer).tables.table(table.id)
            for viewer in (0, 1, OBSERVER):
                assert again.version(viewer) == table.version(viewer) == len(table.known_records(viewer))
            risen = [table.version(viewer) - before[viewer] for viewer in (first, 1 - first, OBSERVER)]
            assert risen == [2 * changes + 2, 1, 1]
            if (turn := turn_of(table, 1 - first)) is not None:  # notices tell this number
                assert turn <= before[1 - first] + 1

    run(database, test)


@pytest.mark.parametrize("game", ["13-days", "13-minutes", "ukrainian-crisis"])
def test_the_version_rises_with_whatever_is_shown(database: str, game: str) -> None:
    async def test(house: House) -> None:
        for seed in range(3):
            table, dice = await house.table(game), random.Random(seed)

            def shown(viewer: int, table: LiveTable = table) -> tuple[object, ...]:
                seen = table.seen_by(viewer)
                return seen.view().tobytes(), seen.length, seen.legal_texts(), seen.undo_count

            while table.status == RUNNING and len(table.records) < 60:
                before = [(table.version(viewer), shown(viewer)) for viewer in (0, 1, OBSERVER)]
                # Who answers a question put to both may be asked the next one at once, alone or again with the other.
                side = dice.choice(table.to_move)
                action = dice.choice(table.match.legal(side)).action
                table.apply_record(TableRecord(ACTION, side, action, 0.0))
                for viewer, (version, was) in zip((0, 1, OBSERVER), before, strict=True):
                    assert (table.version(viewer) > version) == (shown(viewer) != was), (viewer, len(table.records))

    run(database, test)


@pytest.mark.parametrize("game", ["13-days", "13-minutes", "ukrainian-crisis"])
def test_a_hint_is_marked_at_the_decision_that_followed_it(database: str, game: str) -> None:
    async def test(house: House) -> None:
        table, dice = await house.table(game), random.Random(7)
        taken: list[tuple[int, int, int]] = []  # by whom, how much he knew, how many decisions he had taken
        while len(taken) < 24 or table.match.in_secret:
            side = dice.choice(table.to_move)
            mine = sum(before == side for before, _, _ in taken)
            taken.append((side, len(table.seen_by(side).entries), mine))
            table.apply_record(TableRecord(ACTION, side, dice.choice(table.match.legal(side)).action, 0.0))
        assert table.hinted_entries(OBSERVER) == frozenset()
        for side, known, mine in taken:
            own = [number for number, entry in enumerate(table.match.entries, 1) if entry.actor == side]
            table.state.hinted = frozenset({(side, known)})
            assert table.hinted_entries(OBSERVER) == table.hinted_entries(side) == {own[mine]}
            commented = [entry.comment == journal.HINT_TAKEN for entry in table.journal(OBSERVER).entries]
            assert [number for number, is_so in enumerate(commented, 1) if is_so] == [own[mine]]

    run(database, test)


def test_what_was_revealed_cannot_be_taken_back(database: str) -> None:
    async def test(house: House) -> None:
        table = await house.table()
        await house.act(table, 0, table.decisions(0)[0].action)
        assert table.undo_count(0) == 1
        await house.services.actions.undo(table.id, house.anna.id, 0, table.version(0), whole_turn=False)
        assert table.match.pending == {0, 1}
        await house.act(table, 0, table.decisions(0)[0].action)
        await house.act(table, 1, table.decisions(1)[0].action)
        for side in range(2):  # the hands have been drawn
            with pytest.raises(IllegalError, match="nothing can be taken back"):
                await house.services.actions.undo(table.id, house.who(side), side, table.version(side), whole_turn=True)
        again = await bare_services(house.engine, house.writer).tables.table(table.id)
        assert again.match.state.tobytes() == table.match.state.tobytes()

    run(database, test)


def test_a_game_can_be_given_up_or_ended_by_agreement(database: str) -> None:
    async def test(house: House) -> None:
        table = await house.table()
        with pytest.raises(IllegalError, match="no offer"):
            await house.services.actions.answer_offer(table.id, house.boris.id, 1, accept=True)
        await house.services.actions.offer_void(table.id, house.anna.id, 0)
        with pytest.raises(IllegalError, match="no offer"):
            await house.services.actions.answer_offer(table.id, house.anna.id, 0, accept=True)
        await house.services.actions.answer_offer(table.id, house.boris.id, 1, accept=False)
        assert table.state.offer is None
        await house.services.actions.offer_void(table.id, house.anna.id, 0)
        await house.services.actions.answer_offer(table.id, house.boris.id, 1, accept=True)
        assert (table.status, table.result) == (FINISHED, "nobody by agreement")
        other = await house.table()
        await house.services.actions.resign(other.id, house.anna.id, 0)
        assert other.result == "ussr by resignation"
        with pytest.raises(IllegalError, match="already over"):
            await house.act(other, 1, "done")
        record = other.journal(OBSERVER)
        assert journal.play(journal.parse(record.text()), other.game).outcome() is None

    run(database, test)


def test_the_deals_of_a_finished_game_can_be_verified(database: str) -> None:
    async def test(house: House) -> None:
        table = await house.table()
        assert commit_reveal.SECRET_HEADER not in table.journal(0).headers
        await house.play(table, 2)
        record = journal.parse(table.journal(OBSERVER).text())
        assert record.headers[commit_reveal.COMMITMENT_HEADER] == table.commitment
        assert commit_reveal.verify(record, table.game) >= 16
        other = commit_reveal.new_secret()
        record.headers[commit_reveal.SECRET_HEADER] = other.hex()
        with pytest.raises(commit_reveal.UnfairDealError, match="not the one that was committed to"):
            commit_reveal.verify(record, table.game)
        record.headers[commit_reveal.COMMITMENT_HEADER] = commit_reveal.commitment(other)
        with pytest.raises(commit_reveal.UnfairDealError, match="by the revealed secret it is"):
            commit_reveal.verify(record, table.game)

    run(database, test)


def test_the_computer_answers_and_a_rematch_swaps_sides(database: str) -> None:
    async def test(house: House) -> None:
        table, _ = await house.services.seating.create(
            TableSettings("13-days", ["me", "computer:random"]), house.anna.id, "Anna"
        )
        choose = random.Random(4).choice
        while table.status == RUNNING:
            if 0 in table.to_move:
                await house.act(table, 0, choose(table.decisions(0)).action)
            await asyncio.sleep(0.001)
        new = await house.services.followups.rematch(table.id, house.anna.id, "Anna")
        assert [seat.computer for seat in new.seats] == ["random", None]
        assert new.status == RUNNING
        assert (await house.services.followups.rematch(table.id, house.anna.id, "Anna")).id == new.id

    run(database, test)


def test_a_rematch_is_an_invitation_and_no_clock_runs_before_it_is_accepted(database: str) -> None:
    async def test(house: House) -> None:
        rematch = house.services.followups.rematch
        plan = replace(INVITED, terms=Terms(Clock(LIVE, 300)))
        table, links = await house.services.seating.create(plan, house.anna.id, "Anna")
        await house.services.seating.join(table.id, house.boris.id, "Boris", links[1])
        with pytest.raises(IllegalError, match="not over"):
            await rematch(table.id, house.anna.id, "Anna")
        await house.services.actions.resign(table.id, house.anna.id, 0)
        second = await rematch(table.id, house.boris.id, "Boris")
        assert ([seat.name for seat in second.seats], second.status) == (["Boris", ""], WAITING)
        assert (second.state.clock_ends_at, table.rematch) == (None, second.id)
        assert [each.id for each in repository.rematches_for(house.engine, house.anna.id)] == [second.id]
        assert repository.rematches_for(house.engine, house.boris.id) == []
        with pytest.raises(IllegalError, match="not over"):  # no chain of them
            await rematch(second.id, house.boris.id, "Boris")
        assert (await rematch(table.id, house.boris.id, "Boris")).id == second.id
        with pytest.raises(ForbiddenError):  # the seat is kept
            await house.services.seating.join(second.id, "somebody", "Carl")
        assert second.status == WAITING
        assert (await rematch(table.id, house.anna.id, "Anna")).id == second.id
        assert ([seat.name for seat in second.seats], second.status) == (["Boris", "Anna"], RUNNING)
        assert second.state.clock_ends_at is not None
        assert repository.rematches_for(house.engine, house.anna.id) == []

    run(database, test)


def test_two_who_ask_for_a_rematch_at_once_come_to_the_same_table(database: str) -> None:
    async def test(house: House) -> None:
        table = await house.table()
        await house.services.actions.resign(table.id, house.anna.id, 0)
        other = bare_services(house.engine, house.writer)  # another worker, who hears of nothing
        await other.tables.table(table.id)
        asked = await asyncio.gather(
            house.services.followups.rematch(table.id, house.anna.id, "Anna"),
            other.followups.rematch(table.id, house.boris.id, "Boris"),
        )
        assert asked[0].id == asked[1].id
        again = await bare_services(house.engine, house.writer).tables.table(asked[0].id)
        assert ([seat.name for seat in again.seats], again.status) == (["Boris", "Anna"], RUNNING)

    run(database, test)


def test_after_a_rematch_was_withdrawn_another_may_be_asked_for(database: str) -> None:
    async def test(house: House) -> None:
        rematch = house.services.followups.rematch
        table = await house.table()
        await house.services.actions.resign(table.id, house.anna.id, 0)
        first = await rematch(table.id, house.anna.id, "Anna")
        await house.services.seating.withdraw(first.id, house.anna.id)
        second = await rematch(table.id, house.boris.id, "Boris")
        assert (second.id != first.id, second.status, table.rematch) == (True, WAITING, second.id)

    run(database, test)


@pytest.mark.parametrize(
    ("plan", "said"),
    [
        (TableSettings("chess", ["me", "friend"]), "there is no game 'chess'"),
        (TableSettings("13-days", ["me"]), "has 2 seats"),
        (TableSettings("13-days", ["open", "friend"]), "one of the seats must be yours"),
        (TableSettings("13-days", ["me", "computer:deep blue"]), "random, greedy, rules, search"),
        (TableSettings("13-days", ["me", "friend"], {"moscow_filter": "maybe"}), "takes has_cubes or has_no_cubes"),
    ],
)
def test_a_table_that_cannot_be_is_refused(database: str, plan: TableSettings, said: str) -> None:
    async def test(house: House) -> None:
        with pytest.raises(IllegalError, match=said):
            await house.services.seating.create(plan, house.anna.id, "Anna")

    run(database, test)


def test_an_answer_is_to_the_take_back_that_was_asked_for_then(database: str) -> None:
    async def test(house: House) -> None:
        table, actions = await house.table(), house.services.actions

        def is_to_move_twice(table: LiveTable) -> bool:
            own = [number for number, entry in enumerate(table.match.entries) if entry.actor == 0]
            return len(own) > 1 and table.to_move == [0]

        await house.play(table, 3, is_to_move_twice)
        first, second = [number for number, entry in enumerate(table.match.entries) if entry.actor == 0][:2]
        await actions.ask_back(table.id, house.anna.id, 0, table.version(0), second)
        await house.act(table, 0, table.decisions(0)[0].action)  # which withdraws the request
        await actions.ask_back(table.id, house.anna.id, 0, table.version(0), first)
        before = list(table.match.entries)
        for accept in (True, False):
            with pytest.raises(StaleError):
                await actions.answer_back(table.id, house.boris.id, 1, second, accept)
        assert table.state.back == (0, first)
        assert table.match.entries == before
        await actions.answer_back(table.id, house.boris.id, 1, first, accept=True)
        assert len(table.match.entries) == first

    run(database, test)


def test_both_sides_may_agree_to_go_back_over_a_deal_and_it_stays_fair(database: str) -> None:
    async def test(house: House) -> None:
        table = await house.table()
        for side in range(2):
            await house.act(table, side, table.decisions(side)[0].action)
        first = list(table.match.entries)
        keep = next(number for number, entry in enumerate(first) if entry.actor == 0)
        with pytest.raises(IllegalError, match="one of your own decisions"):
            await house.services.actions.ask_back(table.id, house.boris.id, 1, table.version(1), keep)
        await house.services.actions.ask_back(table.id, house.anna.id, 0, table.version(0), keep)
        with pytest.raises(IllegalError, match="no such request"):
            await house.services.actions.answer_back(table.id, house.anna.id, 0, keep, accept=True)
        await house.services.actions.answer_back(table.id, house.boris.id, 1, keep, accept=False)
        assert table.match.entries == first
        await house.services.actions.ask_back(table.id, house.anna.id, 0, table.version(0), keep)
        await house.services.actions.answer_back(table.id, house.boris.id, 1, keep, accept=True)
        assert table.match.pending == {0, 1}
        again = await bare_services(house.engine, house.writer).tables.table(table.id)
        assert again.match.state.tobytes() == table.match.state.tobytes()
        for side in range(2):
            await house.act(table, side, table.decisions(side)[0].action)
        assert table.match.entries == first  # the same cards come again
        await house.play(table, 6)
        commit_reveal.verify(journal.parse(table.journal(OBSERVER).text()), table.game)

    run(database, test)


def test_a_computer_does_not_take_back_and_a_decision_ends_the_question(database: str) -> None:
    async def test(house: House) -> None:
        alone, _ = await house.services.seating.create(
            TableSettings("13-days", ["me", "computer:random"]), house.anna.id, "Anna"
        )
        with pytest.raises(IllegalError):
            await house.services.actions.ask_back(alone.id, house.anna.id, 0, alone.version(0), 0)
        table = await house.table()
        for side in range(2):
            await house.act(table, side, table.decisions(side)[0].action)
        keep = next(number for number, entry in enumerate(table.match.entries) if entry.actor == 0)
        await house.services.actions.ask_back(table.id, house.anna.id, 0, table.version(0), keep)
        mover = table.to_move[0]
        await house.act(table, mover, table.decisions(mover)[0].action)
        assert table.state.back is None

    run(database, test)
