"""Levels at the table: chosen for a new game and remembered, another one proposed after a game; and the reasons of a
computer player, which nobody is shown before the game is over."""

from __future__ import annotations

import re
import time
from typing import Any

import pytest
from markupsafe import escape
from starlette.testclient import TestClient

from brinkmanship.engine import journal
from brinkmanship.engine.message import Message
from brinkmanship.games.registry import BUILT_IN
from brinkmanship.store import repository
from brinkmanship.text import LANGUAGES, Words
from brinkmanship.web.cluster.table_record import TableRecord
from brinkmanship.web.tables import bot_moves as played
from brinkmanship.web.tables.live_table import LiveTable
from brinkmanship.web.tables.record_kinds import RESIGN
from brinkmanship.web.tables.statuses import FINISHED
from support.patience import wait_until
from support.visitors import Visitor, form, live

SECRET = Message("why.13-days.letter")
"""A reason as `rules` gives it."""


def chosen(visitor: Visitor, game: str) -> str:
    """The level that the form of a game has marked."""
    found = re.search(r'name="player" value="([^"]+)" checked', visitor.get(f"/new/{game}"))
    assert found
    return found[1]


def has_answered(table: LiveTable) -> bool:
    return table.status == FINISHED or (table.state.computer_asked is None and table.length > 0)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_of_a_new_game_says_of_each_level_what_it_is_like(anna: Visitor, language: str) -> None:
    anna.cookies["language"] = language
    words = Words(language, ("players",))
    for game in BUILT_IN:
        page = anna.get(f"/new/{game}")
        for number in range(1, 7):
            assert str(escape(words.sentence(Message(f"level:{number}.{game}")))) in page
            assert str(escape(f"{number} · {words.sentence(Message(f'player.level:{number}'))}")) in page


def test_the_level_that_was_chosen_is_remembered_for_its_game(client: TestClient, anna: Visitor) -> None:
    assert chosen(anna, "13-days") == chosen(anna, "13-minutes") == "level:2"
    table = live(client, anna.begin("computer", player="level:1"))
    assert [seat.computer for seat in table.seats] == [None, "level:1"]
    anna.begin("computer", game="13-minutes", player="level:3")
    anna.begin("computer", player="random")
    assert [chosen(anna, game) for game in BUILT_IN] == ["level:1", "level:3", "level:2"]
    table = live(client, anna.begin("computer", player=""))
    assert table.seats[1].computer == "level:1"
    anna.cookies["levels"] = "13-days:level:9|x||:"
    assert chosen(anna, "13-days") == "level:2"


@pytest.mark.parametrize(("loser", "proposed"), [(1, "level:2"), (0, None)])
def test_another_level_is_proposed_after_the_game_and_is_one_click_away(
    client: TestClient, anna: Visitor, loser: int, proposed: str | None
) -> None:
    path = anna.begin("computer", player="level:1")
    table = live(client, path)
    assert 'name="player"' not in anna.get(path)
    wait_until(lambda: has_answered(table))  # a move that is being written would undo what the next line changes
    table.apply_record(TableRecord(RESIGN, loser, 0, time.time()))
    found = re.search(r'name="player" value="([^"]+)"', anna.get(path))
    assert (found[1] if found else None) == proposed
    if proposed:
        answer = anna.post(f"{path}/rematch", csrf=anna.csrf, player=proposed)
        assert [seat.computer for seat in live(client, answer.headers["location"]).seats] == [proposed, None]
        assert chosen(anna, "13-days") == proposed


def test_reasons_are_shown_in_the_replay_of_a_finished_game_and_nowhere_before(
    client: TestClient, anna: Visitor, boris: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    ask = played.process_pool().ask
    told: list[Any] = []

    class Talkative:
        """It says the same of all that it does."""

        def ask(self, name: str, seen: Any, seed: int | None) -> Any:
            answer = ask(name, seen, seed)
            choice = answer.result()
            told.append(choice.action)
            done: Any = type(answer)()
            done.set_result(choice._replace(reason=SECRET))
            return done

    monkeypatch.setattr(played, "process_pool", Talkative)
    path = anna.begin("computer", player="random")
    table = live(client, path)
    wait_until(lambda: has_answered(table))
    assert anna.post(f"{path}/act", **form(anna.get(path))).status_code == 303
    wait_until(lambda: len(told) > 1 and has_answered(table))
    kept = repository.reasons_of(client.app.state.services.engine, table.id)  # type: ignore[attr-defined]
    assert len(kept) == len(told)
    sentence = Words("en", ("players",)).sentence(SECRET)
    pages = ["", "/state", "/log", "/replay", f"/replay/{table.length}", "/journal"]
    token = client.post("/api/v1/tokens", json={"name": "Bot"}).json()["token"]

    def reasons(language: str) -> Any:
        address = f"/api/v1/tables/{table.id}/reasons?lang={language}"
        return client.get(address, headers={"authorization": f"Bearer {token}"}).json()

    assert reasons("en") == []
    for visitor in (anna, boris):
        for page in pages:
            shown = visitor.get(path + page)
            assert sentence not in shown
            assert SECRET.key not in shown
    table.apply_record(TableRecord(RESIGN, 0, 0, time.time()))
    steps = [boris.get(f"{path}/replay/{number}") for number in range(table.length + 1)]
    assert sum(step.count(sentence) for step in steps) >= len(told)
    # Then they are also in the journal, and programs are told.
    record = journal.parse(boris.get(f"{path}/journal"))
    match = journal.play(record, table.game)
    assert list(journal.reasons_of(record, match).values()) == [SECRET] * len(told)
    assert journal.comments_of(record, match) == {}
    assert [(one["side"], one["key"]) for one in reasons("ru")] == [("ussr", SECRET.key)] * len(told)
    assert reasons("ru")[0]["text"] == Words("ru", ("players",)).sentence(SECRET)
