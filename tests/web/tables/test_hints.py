"""Hints at tables: where they are allowed, what is recorded of them, and that only who asked is told what they say."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from starlette.testclient import TestClient

from brinkmanship.engine.game import OBSERVER
from brinkmanship.engine.journal import HINT_TAKEN
from brinkmanship.text import LANGUAGES
from brinkmanship.web.pages.lobby.lists import terms_said
from brinkmanship.web.pages.table.table_model import table_model
from brinkmanship.web.pages.table.viewer import Viewer
from brinkmanship.web.presentation.page_words import page_words
from brinkmanship.web.support import rate_limit
from brinkmanship.web.support.errors import ForbiddenError, IllegalError, StaleError, TooManyError, UnavailableError
from brinkmanship.web.support.table_terms import Terms
from brinkmanship.web.tables import hints
from brinkmanship.web.tables.live_table import LiveTable
from brinkmanship.web.tables.record_kinds import HINT
from support.bare_services import bare_services
from support.hint_pool import Here
from support.hint_pool import here as here  # a fixture
from support.house import INVITED, House, run
from support.visitors import Visitor, form, invited, live

ALLOWED = replace(INVITED, terms=Terms(hints=True))


async def set_up(house: House, terms: Terms = ALLOWED.terms) -> LiveTable:
    table, links = await house.services.seating.create(replace(INVITED, terms=terms), house.anna.id, "Anna")
    return await house.services.seating.join(table.id, house.boris.id, "Boris", links[1])


def marks(table: LiveTable, viewer: int) -> list[list[str]]:
    """The marks of the lines that a viewer's log has."""
    model = table_model(table, Viewer(viewer, ()), "en", "wide", "")
    return [mark for line in model.log.lines if (mark := model.log.hinted.of(line)) is not None]


def test_a_hint_is_recorded_and_shows_with_the_decision_for_both(database: str, here: Here) -> None:
    async def test(house: House) -> None:
        table, give = await set_up(house), house.services.hints.hint
        versions = [table.version(viewer) for viewer in (0, 1, OBSERVER)]
        _, found = await give(table.id, house.boris.id, 1, table.version(1))
        assert found.side == 1
        assert {one.action for one in found.hints} == {decision.action for decision in table.decisions(1)}
        # Whoever asks again is told the same, and nothing is worked out or recorded twice.
        assert (await give(table.id, house.boris.id, 1, table.version(1)))[1] == found
        assert here.asked == [record.kind for record in table.records].count(HINT) == 1
        assert [table.version(viewer) for viewer in (0, 1, OBSERVER)] == versions
        assert house.services.hints.given(table, 0) is None
        # Of a secret choice the other side hears only when both have chosen.
        await house.act(table, 1, found.hints[0].action)
        assert table.hinted_entries(0) == table.hinted_entries(OBSERVER) == frozenset()
        assert len(table.hinted_entries(1)) == 1
        assert HINT_TAKEN not in table.journal(0).text()
        await house.act(table, 0, table.decisions(0)[0].action)
        marked = [table.hinted_entries(viewer) for viewer in (0, 1, OBSERVER)]
        assert marked[0] == marked[1] == marked[2]
        (number,) = marked[0]
        assert table.seen_by(0).entry(number).actor == 1
        assert [marks(table, viewer) for viewer in (0, 1, OBSERVER)] == [[["USSR"]], [[], ["USSR"]], [["USSR"]]]
        again = await bare_services(house.engine, house.writer).tables.table(table.id)
        for each in (table, again):
            for viewer in (0, 1):
                commented = [entry for entry in each.journal(viewer).entries if entry.comment == HINT_TAKEN]
                assert [entry.actor for entry in commented] == [table.game.sides[1]]
        await house.services.actions.resign(table.id, house.anna.id, 0)
        assert table.journal(OBSERVER).entries[number - 1].comment == HINT_TAKEN

    run(database, test)


def test_a_hint_for_a_position_that_has_changed_is_dropped(database: str, here: Here) -> None:
    async def test(house: House) -> None:
        table, give = await set_up(house), house.services.hints.hint
        with pytest.raises(StaleError):
            await give(table.id, house.anna.id, 0, table.version(0) + 1)
        assert here.asked == 0
        here.meanwhile = lambda: setattr(table.state, "status", "over")
        with pytest.raises(IllegalError):
            await give(table.id, house.anna.id, 0, table.version(0))
        assert here.asked == 1
        assert not table.state.hinted
        assert house.services.hints.given(table, 0) is None

    run(database, test)


def test_who_may_have_a_hint_and_how_many(database: str, here: Here, monkeypatch: pytest.MonkeyPatch) -> None:
    async def test(house: House) -> None:
        table, service = await set_up(house), house.services.hints
        forbidden = await set_up(house, Terms())
        with pytest.raises(ForbiddenError):
            await service.hint(table.id, house.anna.id, 1, table.version(1))
        with pytest.raises(IllegalError, match="not allowed at this table"):
            await service.hint(forbidden.id, house.anna.id, 0, forbidden.version(0))
        service._at_work.add((table.id, 0))
        with pytest.raises(TooManyError, match="already"):
            await service.hint(table.id, house.anna.id, 0, table.version(0))
        service._at_work.clear()
        monkeypatch.setattr(rate_limit, "PAUSE_SECONDS", 0)
        monkeypatch.setattr(service._limit._rate, "allows", lambda _: False)
        with pytest.raises(TooManyError, match="too many"):
            await service.hint(table.id, house.anna.id, 0, table.version(0))
        monkeypatch.undo()
        monkeypatch.setattr(hints, "process_pool", lambda: here)
        monkeypatch.setattr(here.players, "hint", lambda _: b"")
        with pytest.raises(UnavailableError, match="compiled"):
            await service.hint(table.id, house.anna.id, 0, table.version(0))
        assert not table.state.hinted

    run(database, test)


def test_hints_are_usual_against_a_computer_and_at_one_screen(
    anna: Visitor, boris: Visitor, client: TestClient
) -> None:
    for mode, wish, allowed in (
        ("computer", "usual", True),
        ("computer", "forbidden", False),
        ("same", "usual", True),
        ("open", "usual", False),
        ("open", "allowed", True),
        ("friend", "forbidden", False),
    ):
        table = live(client, anna.begin(mode, hints=wish))
        assert table.allows_hints is allowed, (mode, wish)
    said = terms_said(None, "free", True, False, page_words("en"))
    assert said == ["Hints allowed; both sides see which decisions they were taken for"]
    assert said[0] in boris.get("/")
    link = re.search(r'href="(/join/\w+)"', boris.get("/"))
    assert link
    assert said[0] in boris.get(link[1])
    assert anna.post("/tables", game="13-days", mode="same", csrf=anna.csrf, hints="perhaps").status_code == 400


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_forbidden_hint_is_refused_in_the_readers_language(anna: Visitor, boris: Visitor, language: str) -> None:
    anna.cookies["language"] = language
    table = invited(anna, boris)
    page = anna.get(table)
    assert 'id="hint"' not in page
    version = form(page)["version"]
    refused = anna.post(f"{table}/hint", side=0, version=version, csrf=anna.csrf)
    assert refused.status_code == 422
    said = {
        "en": "Hints are off at this table.",
        "ru": "За этим столом подсказок не дают.",
        "de": "An diesem Tisch gibt es keine Tipps.",
        "pl": "Przy tym stole podpowiedzi są wyłączone.",
    }
    assert said[language] in refused.text


def test_a_hint_is_shown_to_who_asked_without_scripts_and_to_programs(
    anna: Visitor, client: TestClient, here: Here
) -> None:
    path = anna.begin("computer", hints="usual")
    table, page = live(client, path), anna.get(path)
    version = form(page)["version"]
    assert 'id="hint"' in page
    answer = anna.post(f"{path}/hint", side=0, version=version, csrf=anna.csrf)
    assert answer.status_code == 303
    page = anna.get(path)
    assert len(re.findall("data-advised=", page)) == len(table.decisions(0))
    assert here.asked == 1
    assert 'class="hinted"' not in page
    assert anna.post(f"{path}/act", **form(page)).status_code == 303
    assert 'class="hinted"' in anna.get(path)
    assert "data-advised" not in anna.get(path)

    token = client.post("/api/v1/tokens", json={"name": "Program"}).json()["token"]
    headers = {"authorization": f"Bearer {token}"}
    plan = {"game": "13-days", "seats": ["me", "me"]}
    made = client.post("/api/v1/tables", json=plan, headers=headers).json()
    assert made["hints"]
    body = {"side": made["asked"][0], "version": made["version"]}
    found = client.post(f"/api/v1/tables/{made['id']}/hint", json=body, headers=headers).json()
    assert found["side"] == body["side"]
    assert sum(one["share"] for one in found["hints"]) == pytest.approx(1.0)
    refused = client.post("/api/v1/tables", json={**plan, "hints": False}, headers=headers).json()
    answer = client.post(f"/api/v1/tables/{refused['id']}/hint", json=body, headers=headers)
    assert (answer.status_code, answer.json()["detail"]) == (422, "hints are not allowed at this table")
