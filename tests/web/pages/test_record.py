"""Pages of open records: entering a game, what was not seen, corrections, the end, and who may see what."""

from __future__ import annotations

import random
import zlib
from functools import partial
from typing import Any
from urllib.parse import urlencode

import pytest
from sqlalchemy import select, update
from starlette.testclient import TestClient

from brinkmanship.engine import journal
from brinkmanship.engine.open_record import OpenRecord, resumed
from brinkmanship.games.registry import BUILT_IN, load_game
from brinkmanship.store import open_records, schema
from brinkmanship.web.studies import open_records as studies
from brinkmanship.web.support import rate_limit
from support.serving import Server
from support.visitors import Visitor

axe = pytest.importorskip("axe_playwright_python.sync_playwright")

LANGUAGES = ("en", "ru", "de", "pl")


def begun(anna: Visitor, game: str = "13-days", **fields: object) -> str:
    answer = anna.post(f"/record/new/{game}", csrf=anna.csrf, **fields)
    assert answer.status_code == 303, answer.text
    return str(answer.headers["location"])


def kept(anna: Visitor, record: str) -> open_records.StoredRecord:
    """The row of the database."""
    engine, record_id = anna.client.app.state.services.engine, record.removeprefix("/record/")  # type: ignore[attr-defined]
    owner = select(schema.open_records.c.person_id).where(schema.open_records.c.id == record_id)
    with engine.connect() as connection:
        person = connection.execute(owner).scalar_one()
    found = open_records.record_of(engine, record_id, person)
    assert found is not None
    return found


def stored(anna: Visitor, record: str) -> OpenRecord:
    """The record as the database has it."""
    read = journal.parse(kept(anna, record).journal)
    return resumed(read, load_game(read.game_id, None, read.options))


def send(anna: Visitor, record: str, path: str = "", status: int = 303, **fields: object) -> str:
    """Send a form of the page of a record."""
    row = kept(anna, record)
    csrf = anna.cookies.get("csrf") or anna.csrf
    anna.cookies["csrf"] = csrf  # asked for only once
    data = urlencode({"csrf": csrf, "changes": row.changes, **fields}, doseq=True)
    cookie = "; ".join(f"{name}={value}" for name, value in anna.cookies.items())
    kind = {"content-type": "application/x-www-form-urlencoded", "cookie": cookie, "accept": "text/html"}
    anna.client.cookies.clear()
    answer = anna.client.post(
        f"{record}/{path or f'at/{row.steps}'}", content=data, headers=kind, follow_redirects=False
    )
    assert answer.status_code == status, answer.text
    return str(answer.headers.get("location", answer.text))


def enter(anna: Visitor, record: str, *texts: str) -> None:
    for text in texts:
        here = stored(anna, record)
        number = next(one.action for one in (here.outcomes() or here.choices()) if one.text == text)
        if here.asks_chance:
            send(anna, record, outcome=number)
        else:
            send(anna, record, action=number)


def up_to_the_hands(anna: Visitor) -> str:
    """A record of 13 Days to which the first hand of the US has been dealt, and that of the USSR is due."""
    record = begun(anna, name_0="Anna", name_1="Борис")
    for _ in range(2):
        send(anna, record, outcome=[one.action for one in stored(anna, record).outcomes()[:3]])
    for _ in range(2):
        send(anna, record, action=stored(anna, record).choices()[0].action)
    send(anna, record, outcome=[one.action for one in stored(anna, record).outcomes()[:5]])
    return record


def test_a_hand_is_entered_in_one_form_and_cards_that_were_not_seen_stay_open(anna: Visitor) -> None:
    record = up_to_the_hands(anna)
    assert stored(anna, record).draws_in_a_row == 5
    page = anna.get(record)
    assert "choose up to 5" in page
    assert "Anna – Борис" in page
    send(anna, record, outcome=stored(anna, record).outcomes()[4].action, unseen="true")
    here = stored(anna, record)
    assert [step.is_seen for step in here.steps[-5:]] == [True, False, False, False, False]
    assert "4 cards (USSR)" in anna.get(record)
    enter(anna, record, "first ussr")
    gap = stored(anna, record).unseen()[0]
    send(anna, record, "reveal", step=gap.steps[-1], action=gap.possible[3].action)
    assert "3 cards (USSR)" in anna.get(record)
    refused = send(anna, record, "reveal", 422, step=gap.steps[-1], action=here.steps[9].action)
    assert "does not agree" in refused
    too_many = [one.action for one in stored(anna, begun(anna)).outcomes()[:4]]
    assert "as many cards as were drawn" in send(anna, begun(anna), status=422, outcome=too_many)


def test_pages_show_nothing_of_cards_that_nobody_has_seen(anna: Visitor) -> None:
    record = up_to_the_hands(anna)
    send(anna, record, unseen="true")
    enter(anna, record, "first ussr")
    here, engine = stored(anna, record), anna.client.app.state.services.engine  # type: ignore[attr-defined]
    before = {path: anna.get(path) for path in (record, f"{record}/at/9", f"{record}/at/{len(here.steps) - 2}")}
    free = [one.action for one in here.unseen()[0].possible if one.action not in {step.action for step in here.steps}]
    other = [step if step.is_seen else step._replace(action=free.pop()) for step in here.steps]
    text = OpenRecord(here.game, other).draft({"us": "Anna", "ussr": "Борис"}).text()
    rows = schema.open_records
    with engine.begin() as connection:
        packed = zlib.compress(text.encode())
        connection.execute(update(rows).where(rows.c.id == record.removeprefix("/record/")).values(journal=packed))
    assert stored(anna, record).steps != here.steps
    assert {path: anna.get(path) for path in before} == before


def test_a_step_is_corrected_and_the_first_that_no_longer_fits_is_shown(anna: Visitor) -> None:
    record = up_to_the_hands(anna)
    send(anna, record, outcome=[one.action for one in stored(anna, record).outcomes()[:5]])
    enter(anna, record, "first us")
    play = stored(anna, record).choices()[0]
    send(anna, record, action=play.action)
    at = len(stored(anna, record).steps) - 2
    assert "You are correcting step" in anna.get(f"{record}/at/{at}")
    other = next(one for one in stored(anna, record).at(at).choices() if one.text == "first ussr")
    send(anna, record, f"at/{at}", action=other.action)
    assert "no longer fits here" in anna.get(record)
    send(anna, record, "skip")
    assert "no longer fits here" not in anna.get(record)
    assert len(stored(anna, record).steps) == at + 1
    send(anna, record, "undo")
    send(anna, record, "drop")
    assert len(stored(anna, record).steps) == at
    send(anna, record, f"at/{at - 1}", outcome=stored(anna, record).at(at - 1).outcomes()[0].action, inserts="true")
    assert stored(anna, record).rest or len(stored(anna, record).steps) == at + 1
    send(anna, record, "drop")
    assert anna.ask("GET", f"{record}/at/900").status_code == 404


def test_a_form_sent_twice_enters_one_step(anna: Visitor) -> None:
    record = begun(anna)
    action = stored(anna, record).outcomes()[0].action
    send(anna, record, outcome=action)
    assert send(anna, record, "at/0", outcome=action, changes=0) == record
    assert len(stored(anna, record).steps) == 1


def test_a_record_becomes_a_journal_with_replay_and_is_downloaded_and_deleted(anna: Visitor) -> None:
    record = up_to_the_hands(anna)
    send(anna, record, unseen="true")
    file = journal.parse(anna.get(f"{record}/journal"))
    assert (file.headers["us"], file.result) == ("Anna", "unfinished")
    there = send(anna, record, "finish", resigned="ussr")
    assert send(anna, record, "finish", resigned="ussr") == there
    assert "Anna" in anna.get(there)
    unseen = next(n for n, entry in enumerate(file.entries, 1) if entry.comment)
    assert "Nobody saw this" in "".join(anna.get(f"{there}/replay/{n}") for n in (unseen, len(file.entries)))
    send(anna, record, "finish", 400, resigned="uncle")
    assert record in anna.get("/record")
    send(anna, record, "remove")
    assert record not in anna.get("/record")
    assert anna.ask("GET", record).status_code == 404
    assert "Anna" in anna.get(there)


def test_nobody_else_sees_or_changes_a_record(anna: Visitor, boris: Visitor) -> None:
    record = begun(anna)
    stranger = Visitor(anna.client)
    boris.begin("computer")
    for visitor in (boris, stranger):
        for path in (record, f"{record}/at/0", f"{record}/journal", f"{record}/at/0/card/u_thant"):
            assert visitor.ask("GET", path).status_code == 404, path
        for path in ("at/0", "reveal", "undo", "skip", "drop", "finish", "remove"):
            answer = visitor.post(f"{record}/{path}", csrf=visitor.csrf, changes=0, step=0, action=0)
            assert answer.status_code in (403, 404), path
    assert anna.ask("GET", record).status_code == 200


def test_records_are_limited_and_wrong_addresses_are_refused(anna: Visitor, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(studies, "MAX_RECORDS", 1)
    begun(anna)
    answer = anna.post("/record/new/13-days", csrf=anna.csrf)
    assert answer.status_code == 422
    assert "maximum number of records" in answer.text
    assert anna.ask("GET", "/record/new/chess").status_code == 404
    preset = {"option.preset": "nonsense"}
    assert anna.post("/record/new/13-days", csrf=anna.csrf, **preset).status_code == 422
    monkeypatch.setattr(rate_limit, "PAUSE_SECONDS", 0)
    statuses = {anna.post("/record/new/13-days", csrf=anna.csrf).status_code for _ in range(8)}
    assert statuses == {422, 429}


@pytest.mark.parametrize("game_id", BUILT_IN)
def test_every_question_of_a_game_has_a_page_in_every_language(client: TestClient, game_id: str) -> None:
    anna, chooses = Visitor(client), random.Random(1)
    record = begun(anna, game_id)
    for number in range(30):
        here = stored(anna, record)
        if here.is_over:
            break
        if number % 6 == 0:
            anna.cookies["language"] = chooses.choice(LANGUAGES)
            anna.get(record)
            anna.get(f"{record}/at/{chooses.randrange(len(here.steps) + 1)}")
        if here.may_be_unseen and here.asks_chance and chooses.random() < 0.3:
            send(anna, record, unseen="true")
        elif here.asks_chance:
            send(anna, record, outcome=chooses.choice(here.outcomes()).action)
        elif choices := here.choices():
            action = chooses.choice(choices).action
            if number % 6 == 0:
                anna.get(f"{record}/at/{len(here.steps)}/preview?action={action}")
            send(anna, record, action=action)
        else:
            gap = next(one for one in here.unseen() if one.side == here.side)
            send(anna, record, "reveal", step=gap.steps[-1], action=chooses.choice(gap.possible).action)
    assert len(stored(anna, record).steps) >= 15


def test_the_records_of_a_guest_come_along_to_their_account_and_go_with_it(client: TestClient) -> None:
    services = client.app.state.services  # type: ignore[attr-defined]
    guest, _ = services.users.add_guest("Anna", "en")
    other, _ = services.users.add_guest("Anna", "en")
    begin = partial(services.open_records.begin, guest.id, load_game("13-days"), ("", ""))
    assert begin() != begin()
    services.accounts.bring(guest.id, other.id)
    assert open_records.count_of(services.engine, other.id) == 2
    services.accounts.leave(other.id)
    assert open_records.count_of(services.engine, other.id) == 0


def test_a_card_is_found_by_typing_and_the_page_fits_a_phone(server: Server, chromium: Any) -> None:
    context = chromium.new_context(viewport={"width": 390, "height": 844}, color_scheme="dark")
    context.add_cookies([{"name": "layout", "value": "narrow", "url": server.url}])
    page = context.new_page()
    page.goto(f"{server.url}/record/new/13-minutes")
    page.click("button.primary")
    page.wait_for_selector(".drawn")
    page.wait_for_load_state("load")  # the filter listens
    page.locator("[data-find]").fill("u thant")
    assert page.locator(".drawn label:visible").count() == 1
    page.locator("[data-find]").press("Enter")
    page.locator("[data-find]").press("Enter")
    page.wait_for_selector(".record-steps li")
    assert "U Thant" in page.locator(".record-steps").inner_text()
    assert page.evaluate("document.documentElement.scrollWidth") == 390
    assert axe.Axe().run(page).response["violations"] == []
    context.close()
