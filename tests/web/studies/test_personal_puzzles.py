"""Puzzles from one's own games: looked for once a game is analysed, kept, shown to nobody else, asked again."""

from __future__ import annotations

import asyncio
import random
import re
import zlib
from collections.abc import Callable, Collection, Iterator
from concurrent.futures import Future
from pathlib import Path

import pytest
from sqlalchemy import Engine, Table, select
from starlette.testclient import TestClient

from brinkmanship.analysis.report import FORMAT, Analysis, ComparedOption, Judgement
from brinkmanship.engine import journal
from brinkmanship.engine.match import Match
from brinkmanship.puzzles import generator
from brinkmanship.puzzles.puzzle import Origin, Puzzle
from brinkmanship.store import schema
from brinkmanship.store.analyses import of_person, reports_of
from brinkmanship.text import LANGUAGES
from brinkmanship.web.jobs import background, puzzle_job
from brinkmanship.web.jobs.process_pool import PUZZLES, JobFailedError
from brinkmanship.web.studies.personal_puzzles import origin_in
from brinkmanship.web.support import rate_limit
from brinkmanship.web.support.client_limits import ClientCounter
from brinkmanship.web.tables.live_table import LiveTable
from brinkmanship.web.tables.statuses import FINISHED
from support.databases import KINDS, fresh_database
from support.house import House, run
from support.visitors import Visitor, invited, live

GAME = "13-minutes"


def decisions(match: Match) -> Iterator[tuple[int, int, list[str]]]:
    """Entries before each decision of a game, the side that decided, and its answers: none that was forced."""
    for at, entry in enumerate(match.entries):
        if entry.actor < len(match.game.sides) and not entry.together:
            legal = match.game.legal_actions(match.state_after(at), entry.actor)
            if len(legal) > 1:
                yield at, entry.actor, [match.game.action_text(one) for one in legal]


def analysis_of(table: LiveTable) -> Analysis:
    """An analysis by which at every decision the first answer is far better than the others."""
    judged = [
        Judgement(
            first=at,
            side=side,
            ask="ask.play",
            taken=legal[0],
            best=legal[0],
            options=tuple(ComparedOption(text, 0.8 if text == legal[0] else 0.5, 0.01) for text in legal),
            loss=0.0,
            error=0.0,
            over_reference=0.0,
            over_error=0.0,
            fair=0.5,
            is_counted=True,
        )
        for at, side, legal in decisions(table.match)
    ]
    game = table.game
    sizes = {"seed": 0, "budget": 8, "worlds": 4, "playouts": 8, "initial": 0.5, "final": 0.0}
    about = {"game": game.id, "rules": game.version, "sides": game.sides, "result": table.result}
    return Analysis(format=FORMAT, **about, **sizes, steps=(), judgements=tuple(judged))  # type: ignore[arg-type]


def every_one(match: Match, asked: Collection[tuple[int, int]], seed: int) -> Origin:
    """All that are looked at are puzzles: in place of playing them on."""
    found = [
        Puzzle(
            f"{at}-{side}",
            at,
            side,
            "cards",
            legal[0],
            tuple(ComparedOption(text, 0.8 if text == legal[0] else 0.5, 0.01) for text in legal),
            0.3,
            0.01,
            800,
        )
        for at, side, legal in decisions(match)
        if (at, side) in asked
    ]
    return Origin(match.game.id, 0, seed, (), journal.of_match(match).text(), tuple(found))


class Here:
    """Looks for puzzles in this process, in place of the one beside it."""

    def __init__(self) -> None:
        self.asked = 0
        self.fault: Exception | None = None

    def submit(self, kind: str, question: Callable[[], bytes], _tell: Callable[[bytes], None]) -> Future[bytes]:
        assert kind == PUZZLES
        self.asked += 1
        answer = Future[bytes]()
        if self.fault is None:
            answer.set_result(puzzle_job.run(question()))
        else:
            answer.set_exception(self.fault)
        return answer


@pytest.fixture
def here(monkeypatch: pytest.MonkeyPatch) -> Here:
    made = Here()
    monkeypatch.setattr(background, "background_pool", lambda: made)
    monkeypatch.setattr(background, "is_interpreting", lambda: False)
    monkeypatch.setattr(generator, "found_in", every_one)
    return made


@pytest.fixture(params=KINDS)
def database(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    with fresh_database(request.param, tmp_path) as url:
        yield url


def keep_analysis(engine: Engine, table: LiveTable) -> None:
    """The analysis of a finished table, as a server keeps it."""
    about = f"t.{table.id}.{len(table.records)}"
    with engine.begin() as connection:
        row = {"about": about, "table_id": table.id, "report": zlib.compress(analysis_of(table).to_json())}
        connection.execute(schema.analyses.insert().values(row))


async def until_found(house: House) -> None:
    while house.services.personal_puzzles._progress:
        await asyncio.sleep(0.01)


async def analysed_game(house: House, seed: int) -> LiveTable:
    table = await house.table(GAME)
    await house.play(table, seed)
    assert table.status == FINISHED
    keep_analysis(house.engine, table)
    return table


def test_a_game_is_looked_through_once_for_both_who_played_it(database: str, here: Here) -> None:
    async def test(house: House) -> None:
        table, sought = await analysed_game(house, 1), house.services.personal_puzzles.seek
        assert await sought(house.anna.id) == 1
        await until_found(house)
        assert await sought(house.anna.id) == 0
        assert await sought(house.boris.id) == 0
        assert here.asked == 1
        for person, side in ((house.anna, 0), (house.boris, 1)):
            (one,) = of_person(house.engine, person.id, 5, schema.own_puzzles)
            assert (one.table_id, one.side) == (table.id, side)
            assert {puzzle.side for puzzle in origin_in(one.report).puzzles} == {0, 1}

    run(database, test)


def test_where_it_fails_it_is_not_tried_for_ever(database: str, here: Here) -> None:
    async def test(house: House) -> None:
        await analysed_game(house, 1)
        here.fault = JobFailedError("no idea")
        await house.services.personal_puzzles.seek(house.anna.id)
        await until_found(house)
        assert await house.services.personal_puzzles.seek(house.anna.id) == 0
        assert of_person(house.engine, house.anna.id, 5, schema.own_puzzles) == []

    run(database, test)


def test_who_has_died_over_it_leaves_it_to_the_next_one(database: str, here: Here) -> None:
    async def test(house: House) -> None:
        table = await analysed_game(house, 1)
        with house.engine.begin() as connection:
            row = {"about": f"t.{table.id}.{len(table.records)}", "table_id": table.id, "heard_at": 1.0}
            connection.execute(schema.own_puzzles.insert().values(row))
        assert await house.services.personal_puzzles.seek(house.anna.id) == 1
        await until_found(house)
        assert here.asked == 1
        assert await house.services.personal_puzzles.seek(house.anna.id) == 0

    run(database, test)


def test_a_few_games_at_a_time(database: str, here: Here) -> None:
    async def test(house: House) -> None:
        house.services.personal_puzzles._clients = ClientCounter(1, 1)
        rate_limit.client_address.set("192.0.2.1")
        for seed in (1, 2):
            await analysed_game(house, seed)
        assert await house.services.personal_puzzles.seek(house.anna.id) == 2
        await until_found(house)
        assert await house.services.personal_puzzles.seek(house.anna.id) == 1
        await until_found(house)
        assert here.asked == 2

    run(database, test)


# ---- In the browser.


@pytest.fixture
def over(client: TestClient, anna: Visitor, boris: Visitor, here: Here) -> LiveTable:  # noqa: ARG001 - it stands in
    """A finished and analysed table: Anna has played the US, Boris the USSR."""
    path = invited(anna, boris, GAME)
    table = live(client, path)
    actions = client.app.state.services.actions  # type: ignore[attr-defined]

    choose = random.Random(1).choice

    async def play() -> None:
        while table.status != FINISHED:
            side = choose(table.to_move)
            action = choose(table.decisions(side)).action
            await actions.act(table.id, table.seats[side].person_id, side, table.version(side), action)

    client.portal.call(play)  # type: ignore[union-attr]
    keep_analysis(client.app.state.services.engine, table)  # type: ignore[attr-defined]
    return table


def own_links(visitor: Visitor) -> list[str]:
    """The addresses of one's own puzzles, as they are listed."""
    visitor.get("/puzzles")
    while "Still searching" in visitor.get("/puzzles"):
        pass
    return re.findall(rf'href="(/puzzles/{GAME}/own/\w+/\d+)"', visitor.get(f"/puzzles/{GAME}"))


def test_ones_own_are_listed_answered_and_asked_again(anna: Visitor, over: LiveTable) -> None:
    first, *others = own_links(anna)
    assert f"/own/{over.id}/" in first
    assert others
    page = anna.get(first)
    assert f"Your puzzle 1 of {len(others) + 1}" in page
    assert "In your game" not in page
    at = int(first.rpartition("/")[2])
    wrong = re.findall(r'name="action" value="(\d+)"', page[page.index('id="choices"') :])[-1]
    sent = anna.post(first, action=wrong, csrf=anna.csrf)
    told = anna.get(sent.headers["location"])
    assert "There is a better choice" in told
    assert "In your game" in told
    assert f'href="/t/{over.id}/replay/{at}"' in told
    assert 'class="failed' in anna.get(f"/puzzles/{GAME}")
    assert anna.ask("GET", f"/puzzles/{GAME}/own/next").headers["location"] == others[0]
    with anna.client.app.state.services.engine.connect() as connection:  # type: ignore[attr-defined]
        kept = connection.execute(select(schema.puzzle_answers.c.puzzle, schema.puzzle_answers.c.is_solved)).all()
    assert [tuple(row) for row in kept] == [(f"{at}-0", False)]
    assert "Solved: 0 of" in anna.get("/puzzles")
    for language in LANGUAGES:
        anna.cookies["language"] = language
        for path in ("/puzzles", f"/puzzles/{GAME}", first, sent.headers["location"]):
            anna.get(path)


def test_only_the_game_of_the_puzzle_that_is_shown_is_read_again(
    anna: Visitor, client: TestClient, over: LiveTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, *others = own_links(anna)
    read: list[str] = []

    def counted(engine: Engine, abouts: Collection[str], kept: Table) -> dict[str, bytes]:
        read.extend(abouts)
        return reports_of(engine, abouts, kept)

    monkeypatch.setattr("brinkmanship.web.studies.personal_puzzles.reports_of", counted)
    assert f"Solved: 0 of {len(others) + 1}" in anna.get("/puzzles")
    anna.get(f"/puzzles/{GAME}")
    anna.ask("GET", f"/puzzles/{GAME}/own/next")
    assert read == []
    anna.get(first)
    about = f"t.{over.id}.{len(over.records)}"
    assert read == [about]
    puzzles = client.app.state.services.personal_puzzles  # type: ignore[attr-defined]
    puzzles._listed.clear()
    assert own_links(anna) == [first, *others]
    assert read == [about, about]


def test_nobody_else_sees_them(client: TestClient, anna: Visitor, boris: Visitor, over: LiveTable) -> None:
    of_anna, of_boris = own_links(anna), own_links(boris)
    assert of_anna
    assert of_boris
    assert not set(of_anna) & set(of_boris)
    for who, path in ((boris, of_anna[0]), (anna, of_boris[0]), (Visitor(client), of_anna[0])):
        assert who.ask("GET", path).status_code == 404
        assert who.ask("GET", f"{path}/preview?action=0").status_code == 404
        assert who.post(path, action=0, csrf=who.csrf).status_code == 404
        assert who.post(f"{path}/play-on", csrf=who.csrf, name="Eve").status_code == 404
    assert Visitor(client).ask("GET", f"/puzzles/{GAME}/own/next").headers["location"] == "/puzzles"
    assert over.id not in Visitor(client).get(f"/puzzles/{GAME}")


def test_one_plays_on_from_ones_own_and_it_leads_back(client: TestClient, anna: Visitor, over: LiveTable) -> None:
    path = own_links(anna)[0]
    at = int(path.rpartition("/")[2])
    table = live(client, anna.post(f"{path}/play-on", csrf=anna.csrf).headers["location"])
    assert table.given == at
    assert table.match.entries[:at] == over.match.entries[:at]
    back = anna.ask("GET", f"{table.origin.address}/replay/{at}")  # type: ignore[union-attr]
    assert back.headers["location"] == path


def test_it_shows_what_the_side_knew_then_and_no_more(anna: Visitor, over: LiveTable) -> None:
    path = own_links(anna)[-1]
    at, side = int(path.rpartition("/")[2]), 0
    game, state = over.game, over.match.state_after(at)
    hidden = game.known_state(state, 1 - side)["cards"].get("hand", ())
    known = str(game.known_state(game.view_of(state, side), side))
    unseen = [card for card in hidden if f"'{card}'" not in known]
    assert unseen
    page = anna.get(path)
    assert not [card for card in unseen if f'data-card="{card}"' in page or f"/card/{card}" in page]
