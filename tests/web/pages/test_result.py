"""The end of a game at its table: who won, why, what decided, and what comes next."""

from __future__ import annotations

import re
from html import unescape

import pytest
from starlette.testclient import TestClient

from brinkmanship.drawing import drawing_of
from brinkmanship.engine.game import OBSERVER
from brinkmanship.engine.journal import ending_of
from brinkmanship.games.registry import BUILT_IN
from brinkmanship.text import LANGUAGES
from brinkmanship.web.pages.shared.results import result_for
from brinkmanship.web.presentation.page_words import game_words
from brinkmanship.web.tables.live_table import LiveTable
from brinkmanship.web.tables.statuses import FINISHED
from support.finished_games import finished, over, play_on, two, upload
from support.house import House, run
from support.visitors import Visitor, invited, registered

WARS = {"13-days": "nuclear_war", "13-minutes": "nuclear"}
EVADES = r"other side|opponent|друг\w+ сторон|противник|Gegenseite|andere Seite|drug\w+ stron|przeciwnik"


def ended_by(client: TestClient, game_id: str, reason: str) -> LiveTable:
    """A game at a table that ended like this, by random play."""
    for seed in range(200):
        match = over(game_id, seed)
        outcome = match.outcome()
        if outcome is not None and outcome.reason == reason and outcome.winner is not None:
            table, _ = two(client, game_id)
            table.state.match, table.state.status = match, FINISHED
            table.state.result = f"{table.game.sides[outcome.winner]} by {reason}"
            return table
    raise AssertionError(f"{game_id} never ended by {reason}")


def headline(page: str) -> str:
    found = re.search(r'<h1 id="prompt" tabindex="-1">(.*?)</h1>', page)
    assert found
    return unescape(found[1])


def test_everyone_reads_who_has_won(client: TestClient, anna: Visitor, boris: Visitor) -> None:
    table = invited(anna, boris)
    anna.post(f"{table}/resign", side=0, sure="true", csrf=anna.csrf)
    seen = [headline(visitor.get(table)) for visitor in (anna, boris, Visitor(client))]
    assert seen == ["You lost", "You won", "The USSR won"]


def test_on_one_screen_the_side_that_won_is_named(anna: Visitor) -> None:
    table = anna.begin("same")
    anna.post(f"{table}/resign", side=1, sure="true", csrf=anna.csrf)
    page = anna.get(table)
    assert headline(page) == "The US won"
    assert "The USSR resigned" in page


def test_an_agreed_draw_is_a_draw_for_all(client: TestClient, anna: Visitor, boris: Visitor) -> None:
    table = invited(anna, boris)
    anna.post(f"{table}/offer", side=0, csrf=anna.csrf)
    boris.post(f"{table}/answer", side=1, accept="true", csrf=boris.csrf)
    for visitor in (anna, boris, Visitor(client)):
        page = visitor.get(table)
        assert headline(page) == "Draw"
        assert "Both sides agreed to a draw" in page


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game_id", WARS)
def test_a_war_names_the_side_that_started_it_and_rings_its_markers(
    client: TestClient, game_id: str, language: str
) -> None:
    table = ended_by(client, game_id, WARS[game_id])
    winner = ending_of(table.game, table.result).winner
    assert winner is not None
    result, words = result_for(table, (winner,), language), game_words(table.game, language)
    loser = words.name("side", table.game.sides[1 - winner])
    assert loser in result.why
    assert not re.search(EVADES, result.why, re.IGNORECASE)
    assert result.deciding
    assert not any("Â" in said for said in result.deciding)
    board = drawing_of(table.game).board(table.game, table.view(OBSERVER), OBSERVER, words)
    assert board.count('"culprit"') == len(result.deciding)


@pytest.mark.parametrize("game_id", BUILT_IN)
def test_the_number_that_decided_is_named_and_ringed(client: TestClient, game_id: str) -> None:
    table, anna = finished(client, game_id)
    page = anna.get(f"/t/{table.id}")
    assert headline(page) in ("You won", "You lost", "Draw", "Nobody won")
    assert re.search(r'<ul class="deciding"><li>.*\d', page)
    assert 'class="culprit"' in page


def test_a_running_game_has_no_result(client: TestClient) -> None:
    table, _ = two(client)
    play_on(table, 3, 40)
    assert drawing_of(table.game).deciding(table.game, table.view(OBSERVER), game_words(table.game, "en")) == []
    page = Visitor(client).get(f"/t/{table.id}")
    assert "culprit" not in page
    assert 'class="result' not in page


def test_a_side_whose_time_is_up_is_named(database: str) -> None:
    async def test(house: House) -> None:
        table = await house.table()
        table.state.status, table.state.result = FINISHED, "us by time"
        assert result_for(table, (1,), "en").why == "The USSR ran out of time"

    run(database, test)


def test_playing_on_proposes_the_own_side_and_remembers_the_level(client: TestClient) -> None:
    table, anna = finished(client)
    step = table.length // 2
    (mine,) = table.seat_of(table.seats[0].person_id)

    def proposed() -> tuple[list[str], list[str]]:
        page = anna.get(f"/t/{table.id}/play-on/{step}")
        opponents = page.partition('<select name="against"')[2].partition("</select>")[0]
        return (
            re.findall(r'name="side" value="(\d)" checked', page),
            re.findall(r'<option value="([^"]+)" selected', opponents),
        )

    assert proposed()[0] == [str(mine)]
    anna.post(f"/t/{table.id}/play-on/{step}", side=1, against="computer:level:4", csrf=anna.csrf)
    assert proposed()[1] == ["computer:level:4"]


def test_an_uploaded_game_calls_a_level_by_its_name(client: TestClient, anna: Visitor) -> None:
    table = anna.begin("computer", player="level:1")
    anna.post(f"{table}/resign", side=0, sure="true", csrf=anna.csrf)
    page = anna.get(upload(client, anna.get(f"{table}/journal")))
    assert "Trainee" in page
    assert "level:1" not in page


def test_a_missing_page_and_the_account_know_who_is_signed_in(anna: Visitor) -> None:
    registered(anna, "Anna Karenina")
    assert "You are signed in as Anna Karenina." in anna.get("/account")
    assert "Anna Karenina" in anna.ask("GET", "/nowhere").text
