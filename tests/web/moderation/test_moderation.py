"""Reports, measures, appeals: what players, moderators and everyone else see and may do."""

from __future__ import annotations

import html
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import Engine, insert, select, text, update
from starlette.testclient import TestClient

import brinkmanship
from brinkmanship.store import moderation, ratings, schema
from brinkmanship.web.moderation import player_reports
from brinkmanship.web.moderation.moderation_service import DAY_SECONDS, MEASURES
from brinkmanship.web.server import housekeeping
from brinkmanship.web.support import time_control
from support.visitors import Visitor, invited, registered, signed_in


@pytest.fixture
def engine(client: TestClient) -> Engine:
    app: Any = client.app
    found: Engine = app.state.services.engine
    return found


def id_of(visitor: Visitor) -> str:
    """The id of a visitor with a session."""
    app: Any = visitor.client.app
    return str(app.state.services.users.by_token(visitor.cookies["session"]).id)


def moderating(client: TestClient, name: str) -> Visitor:
    """A moderator with an account."""
    app: Any = client.app
    visitor = registered(Visitor(client), name)
    with app.state.services.engine.begin() as connection:
        moderation.set_role(connection, id_of(visitor), True, time_control.now())
    app.state.services.users.forget_everywhere(id_of(visitor))
    return visitor


def report(visitor: Visitor, table: str, **fields: str) -> Any:
    return visitor.post(f"{table}/report", **{"about": "side-1", "category": "abuse", "csrf": visitor.csrf, **fields})


def impose(moderator: Visitor, person_id: str, measure: str, **fields: str) -> Any:
    path = f"/moderation/measure/{person_id}"
    return moderator.post(path, measure=measure, csrf=moderator.csrf, **{"text": "Insults", **fields})


def appeal(visitor: Visitor, page: str, answer: str) -> Any:
    """Send the first form on a page that answers a measure."""
    found = re.search(r'name="measure" value="(\w+)"><input type="hidden" name="key" value="([^"]+)"', page)
    assert found, page
    return visitor.post("/account/measures/appeal", measure=found[1], key=found[2], text=answer)


# Reports.


def test_a_report_keeps_the_last_lines_as_they_were(
    client: TestClient, anna: Visitor, boris: Visitor, engine: Engine
) -> None:
    table = invited(anna, boris)
    row = {"table_id": table.removeprefix("/t/"), "person_id": id_of(boris), "name": "Boris", "side": 1, "at": 1.0}
    with engine.begin() as connection:
        for number in range(moderation.LINES + 1):
            connection.execute(schema.chats.insert().values(**row, text=f"word {number}"))
    assert "Boris" in anna.get(f"{table}/report")
    assert report(anna, table, text="He insults me").status_code == 303
    assert "Waiting for a moderator" in anna.get("/account")
    clara = moderating(client, "Clara")
    path = re.search(r'href="(/moderation/report/\w+)"', clara.get("/moderation"))
    assert path
    case = clara.get(path[1])
    assert "He insults me" in case
    assert "Reported by Anna" in case
    assert "word 20" in case
    assert "word 0<" not in case.replace(" <", "<")
    own = boris.get("/account").partition("Your reports")[2].partition("</section>")[0]
    assert "Boris" not in own  # the reported one sees nothing


def test_a_person_is_reported_once_at_a_time_and_not_without_end(
    client: TestClient, anna: Visitor, boris: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = invited(anna, boris)
    assert report(anna, table, about="side-0").status_code == 404  # herself
    assert report(anna, table, about="line-7").status_code == 404
    assert report(anna, table, category="weather").status_code == 400
    assert report(anna, table).status_code == 303
    again = report(anna, table)
    assert (again.status_code, "already reported this player" in again.text) == (422, True)
    clara = moderating(client, "Clara")
    path = re.search(r"/moderation/report/(\w+)", clara.get("/moderation"))
    assert path
    assert clara.post(f"/moderation/dismiss/{path[1]}", csrf=clara.csrf).status_code == 303
    assert "No action taken" in anna.get("/account")
    monkeypatch.setattr(player_reports, "REPORTS_OF_PERSON", (player_reports.MailLimit(1, DAY_SECONDS),))
    many = report(anna, table)
    assert (many.status_code, "Too many reports" in many.text) == (429, True)


@given(st.integers(0, 20), st.integers(0, 20), st.booleans())
def test_reliable_reporters_come_first(confirmed: int, dismissed: int, is_marked: bool) -> None:
    score = moderation.report_score(confirmed, confirmed + dismissed, is_marked)
    assert -50 <= score <= 60
    assert moderation.report_score(confirmed + 1, confirmed + dismissed + 1, is_marked) >= score
    assert moderation.report_score(confirmed, confirmed + dismissed, True) <= score
    assert moderation.report_score(0, 0, False) == moderation.report_score(1, 2, False) == 20


# Measures.


def test_a_muted_person_reads_why_and_until_when_and_cannot_write(
    client: TestClient, anna: Visitor, boris: Visitor, engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    table, clara = invited(anna, boris), moderating(client, "Clara")
    boris.post(f"{table}/chat", text="A rude word", csrf=boris.csrf)
    report(anna, table)
    found = re.search(r"/moderation/report/(\w+)", clara.get("/moderation"))
    assert found
    assert impose(clara, id_of(boris), "mute-1", report=found[1], line="0").status_code == 303
    assert "Acted upon" in anna.get("/account")
    assert "A message from the moderators is waiting" in boris.get("/")
    page = boris.get(table)
    assert "You cannot write in the chat. Until:" in page
    assert "Insults" in page
    assert 'name="text" maxlength="500"' not in page
    refused = boris.post(f"{table}/chat", text="more", csrf=boris.csrf)
    assert (refused.status_code, "For now, you cannot write" in refused.text) == (403, True)
    assert "A rude word</q>" in boris.get("/account")
    assert anna.post(f"{table}/chat", text="fine", csrf=anna.csrf).status_code == 303
    assert boris.post("/account/measures/read", csrf=boris.csrf).status_code == 303
    assert "is waiting for you" not in boris.get("/")
    with engine.connect() as connection:
        until = moderation.measures_of(connection, id_of(boris))[0].until
    assert until is not None
    monkeypatch.setattr(time_control, "now", lambda: until + 1)
    assert boris.post(f"{table}/chat", text="sorry", csrf=boris.csrf).status_code == 303


def test_an_appeal_is_made_once_and_another_moderator_sees_it_first(
    client: TestClient, anna: Visitor, boris: Visitor
) -> None:
    invited(anna, boris)
    clara, dora = moderating(client, "Clara"), moderating(client, "Dora")
    impose(clara, id_of(boris), "mute-7")
    impose(dora, id_of(anna), "warning")
    page = boris.get("/account")
    assert appeal(boris, page, "It was a joke").status_code == 303
    again = appeal(boris, page, "Really")
    assert (again.status_code, "already answered" in again.text) == (422, True)
    appeal(anna, anna.get("/account"), "Sorry")
    assert "You imposed this measure" in clara.get("/moderation")
    queue = dora.get("/moderation")
    assert queue.index("Boris: No chat") < queue.index("Anna: Warning")
    found = re.search(r'/moderation/appeal/(\w+)">Boris', queue)
    assert found
    no_reason = dora.post(f"/moderation/decide/{found[1]}", decision="lift", csrf=dora.csrf)
    assert (no_reason.status_code, "Give a reason" in no_reason.text) == (422, True)
    decided = dora.post(f"/moderation/decide/{found[1]}", decision="lift", text="It was", csrf=dora.csrf)
    assert decided.status_code == 303
    late = clara.post(f"/moderation/decide/{found[1]}", decision="keep", text="No", csrf=clara.csrf)
    assert (late.status_code, "already been decided" in late.text) == (422, True)
    page = boris.get("/account")
    assert "Decision:</b> It was" in page
    assert "Lifted" in page


def test_a_key_of_another_measure_answers_nothing(client: TestClient, anna: Visitor, boris: Visitor) -> None:
    invited(anna, boris)
    clara = moderating(client, "Clara")
    impose(clara, id_of(boris), "warning")
    impose(clara, id_of(anna), "warning")
    mine, theirs = anna.get("/account"), boris.get("/account")
    measure, key = re.search(r'name="measure" value="(\w+)"', theirs), re.search(r'name="key" value="([^"]+)"', mine)
    assert measure
    assert key
    refused = anna.post("/account/measures/appeal", measure=measure[1], key=key[1], text="x")
    assert refused.status_code == 422


def test_the_owner_of_a_closed_account_reads_why_and_answers(client: TestClient, anna: Visitor, boris: Visitor) -> None:
    registered(boris, "Boris")
    clara = moderating(client, "Clara")
    person_id = id_of(boris)
    impose(clara, person_id, "closed", text="Cheating")
    assert "Sign out" not in boris.get("/account")
    wrong = anna.post("/account/sign-in", login="Boris", password="not the one")
    assert "Cheating" not in wrong.text
    closed = anna.post("/account/sign-in", login="Boris", password="long enough")
    assert (closed.status_code, "Cheating" in closed.text) == (403, True)
    assert "Your answer has been sent" in appeal(anna, closed.text, "I did not").text
    found = re.search(r"/moderation/appeal/(\w+)", clara.get("/moderation"))
    assert found
    clara.post(f"/moderation/decide/{found[1]}", decision="lift", text="An error", csrf=clara.csrf)
    assert "An error" in signed_in(client, "Boris").get("/account")


def test_an_account_closed_for_a_time_opens_again(client: TestClient, boris: Visitor, engine: Engine) -> None:
    registered(boris, "Boris")
    impose(moderating(client, "Clara"), id_of(boris), "closed-30")
    with engine.begin() as connection:
        connection.execute(schema.measures.update().values(until=time_control.now() - 1))
    assert "Sign out" in signed_in(client, "Boris").get("/account")


def test_a_removed_name_is_gone_from_the_tables_and_not_taken_again(
    client: TestClient, anna: Visitor, boris: Visitor
) -> None:
    table, clara = invited(anna, boris), moderating(client, "Clara")
    boris.post(f"{table}/chat", text="hello", csrf=boris.csrf)
    assert impose(clara, id_of(boris), "rename").status_code == 303
    page = Visitor(client).get(table)
    assert "Boris" not in page
    assert re.search(r"Player \d{4}", page)
    refused = boris.post("/account/name", name="BORIS", csrf=boris.csrf)
    assert (refused.status_code, "removed this name" in refused.text) == (422, True)
    assert boris.post("/account/name", name="Borya", csrf=boris.csrf).status_code == 200


def test_who_may_not_play_rated_is_known(client: TestClient, boris: Visitor, engine: Engine) -> None:
    boris.begin("computer")
    impose(moderating(client, "Clara"), id_of(boris), "unrated-7")
    now = time_control.now()
    with engine.connect() as connection:
        assert not moderation.may_play_rated(connection, id_of(boris), now)
        assert moderation.may_play_rated(connection, id_of(boris), now + 8 * DAY_SECONDS)


# Moderators.


def test_the_pages_of_moderators_do_not_exist_for_others(client: TestClient, anna: Visitor, boris: Visitor) -> None:
    table = invited(anna, boris)
    report(anna, table)
    for path in ("/moderation", "/moderation/log", "/moderation/report/x", f"/moderation/person/{id_of(boris)}"):
        for visitor in (anna, boris, Visitor(client)):
            assert visitor.ask("GET", path).status_code == 404
    for path in (f"/moderation/measure/{id_of(boris)}", "/moderation/dismiss/x", "/moderation/decide/x"):
        fields = {"measure": "closed", "text": "x", "decision": "lift", "csrf": anna.csrf}
        assert anna.post(path, **fields).status_code == 404
    assert "/moderation" not in anna.get("/account")


def test_a_moderator_without_the_role_can_do_nothing_more(
    client: TestClient, anna: Visitor, boris: Visitor, engine: Engine
) -> None:
    invited(anna, boris)
    clara = moderating(client, "Clara")
    assert clara.ask("GET", "/moderation").status_code == 200
    with engine.begin() as connection:  # their session is still cached as a moderator's
        moderation.set_role(connection, id_of(clara), False, time_control.now())
    assert clara.ask("GET", "/moderation").status_code == 404
    assert impose(clara, id_of(boris), "closed").status_code == 404


def test_moderators_do_not_decide_about_themselves(client: TestClient, anna: Visitor, boris: Visitor) -> None:
    clara = moderating(client, "Clara")
    refused = impose(clara, id_of(clara), "warning")
    assert (refused.status_code, "a case that concerns you" in refused.text) == (422, True)
    table = invited(anna, boris)
    clara.post(f"{table}/chat", text="hi", csrf=clara.csrf)
    handle = re.search(r'value="(line-\d+)"', anna.get(f"{table}/report"))
    assert handle
    report(anna, table, about=handle[1])
    found = re.search(r"/moderation/report/(\w+)", clara.get("/moderation"))
    assert found
    assert clara.post(f"/moderation/dismiss/{found[1]}", csrf=clara.csrf).status_code == 422


def test_of_two_moderators_one_decides(client: TestClient, anna: Visitor, boris: Visitor) -> None:
    table = invited(anna, boris)
    report(anna, table)
    clara, dora = moderating(client, "Clara"), moderating(client, "Dora")
    found = re.search(r"/moderation/report/(\w+)", clara.get("/moderation"))
    assert found
    assert clara.post(f"/moderation/dismiss/{found[1]}", text="Banter", csrf=clara.csrf).status_code == 303
    late = impose(dora, id_of(boris), "mute-7", report=found[1])
    assert (late.status_code, "already been decided" in late.text) == (422, True)
    log = dora.get("/moderation/log")
    assert "Report dismissed" in log
    assert "Banter" in log
    assert "Clara" in log
    assert "Measure imposed" not in log


def test_pairs_that_resign_rated_games_early_are_shown(
    client: TestClient, anna: Visitor, boris: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    invited(anna, boris)
    found = [ratings.Pair(id_of(boris), id_of(anna), 4, 1.0), ratings.Pair(id_of(boris), "clerk", 9, 1.0)]
    monkeypatch.setattr(ratings, "suspicious_pairs", lambda *_: found)
    queue = moderating(client, "Clara").get("/moderation")
    shown = re.sub(r"<[^>]+>", "", queue)
    assert "Boris → Anna: 4" in shown
    assert "clerk" not in shown


def test_nothing_but_one_function_writes_the_log_and_nothing_changes_it() -> None:
    package = Path(brinkmanship.__file__).parent
    uses = {
        (path.name, line.strip())
        for path in package.rglob("*.py")
        if "migrations" not in path.parts
        for line in path.read_text().splitlines()
        if re.search(r"(update|delete|insert)\((schema\.)?moderation_log|moderation_log\.(update|delete|insert)", line)
    }
    assert {name for name, _ in uses} == {"moderation.py"}
    assert len(uses) == 1
    assert "insert(moderation_log)" in uses.pop()[1]


def test_deleting_an_account_removes_reports_blocks_and_measures_but_not_the_log(
    client: TestClient, anna: Visitor, boris: Visitor, engine: Engine
) -> None:
    table, clara = invited(anna, boris), moderating(client, "Clara")
    report(anna, table)
    anna.post(f"{table}/block", about="side-1", csrf=anna.csrf)
    impose(clara, id_of(boris), "warning")
    assert boris.post("/account/delete", sure="true", csrf=boris.csrf).status_code == 200
    with engine.connect() as connection:
        counts = {
            name: connection.execute(text(f"SELECT count(*) FROM {name}")).scalar()
            for name in ("reports", "measures", "blocks", "moderation_log")
        }
    assert counts == {"reports": 0, "measures": 0, "blocks": 0, "moderation_log": 2}
    assert ">Somebody</a>" in clara.get("/moderation/log")


# Pages.


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("de", ["Spieler melden oder blockieren", "Von der Moderation", "Blockierte Spieler", "Verwarnung"]),
        ("ru", ["Жалоба на игрока и блокировка", "От модераторов", "Заблокированные игроки", "Предупреждение"]),
        ("pl", ["Zgłoszenie lub zablokowanie gracza", "Od moderatorów", "Zablokowani gracze", "Ostrzeżenie"]),
    ],
)
def test_pages_are_in_all_languages(
    client: TestClient, anna: Visitor, boris: Visitor, language: str, words: list[str]
) -> None:
    table, clara = invited(anna, boris), moderating(client, "Clara")
    impose(clara, id_of(anna), "warning")
    report(boris, table, about="side-0")
    anna.cookies["language"] = clara.cookies["language"] = language
    found = re.search(r"/moderation/report/(\w+)", clara.get("/moderation"))
    assert found
    page = html.unescape(
        anna.get(f"{table}/report") + anna.get("/account") + clara.get(f"/moderation/report/{found[1]}")
    )
    assert [word for word in words if word not in page] == []


def test_all_measures_are_offered_and_known() -> None:
    assert {kind for kind, _ in MEASURES.values()} == set(moderation.KINDS)


def test_blocked_players_are_listed_and_unblocked(anna: Visitor, boris: Visitor) -> None:
    table = invited(anna, boris)
    assert anna.post(f"{table}/block", about="side-1", csrf=anna.csrf).status_code == 303
    assert anna.post(f"{table}/block", about="side-1", csrf=anna.csrf).status_code == 303
    assert "Unblock: Boris" in anna.get(f"{table}/report")
    handle = re.search(r'name="about" value="(\w+)"><button aria-label="Unblock: Boris"', anna.get("/account"))
    assert handle
    boris.post("/account/unblock", about=handle[1], csrf=boris.csrf)  # of no use to him
    assert "Unblock: Boris" in anna.get("/account")
    anna.post("/account/unblock", about=handle[1], csrf=anna.csrf)
    assert "Unblock: Boris" not in anna.get("/account")


# Retention.


def test_closed_reports_and_ended_measures_are_removed_after_a_time(engine: Engine) -> None:
    people = [{"id": each, "name": each, "language": "en", "created_at": 0.0} for each in ("anna", "boris", "clara")]
    report = {"reporter_id": "anna", "person_id": "boris", "category": "abuse", "text": "", "lines": [], "score": 1.0}
    reports = {"open": ("open", None), "old": ("acted", 50.0), "new": ("dismissed", 150.0)}
    measure = {"reason": "", "line": "", "key": "", "at": 10.0, "until": None, "lifted_at": None, "decided_at": None}
    measures: dict[str, dict[str, object]] = {
        "old warning": {"kind": "warning"},
        "new warning": {"kind": "warning", "at": 150.0},
        "ended": {"kind": "mute", "until": 50.0},
        "ended lately": {"kind": "mute", "until": 150.0},
        "in force": {"kind": "unrated"},
        "lifted": {"kind": "rename", "lifted_at": 50.0},
        "appeal": {"kind": "warning", "is_waiting": True},
        "decided lately": {"kind": "warning", "decided_at": 150.0},
        "closed": {"kind": "closed", "until": 50.0},
        "closed for good": {"kind": "closed", "until": 50.0, "person_id": "clara"},
    }
    with engine.begin() as connection:
        connection.execute(insert(schema.people), people)
        connection.execute(update(schema.people).where(schema.people.c.id == "clara").values(banned_at=10.0))
        for name, (state, closed_at) in reports.items():
            values = {"id": name, "state": state, "closed_at": closed_at, "at": 1.0}
            connection.execute(insert(schema.reports).values(**report, **values))
        for name, values in measures.items():
            row = {**measure, "id": name[:16], "person_id": "boris", **values}
            connection.execute(insert(schema.measures).values(**row))
    moderation.remove_old(engine, 100.0)
    with engine.connect() as connection:
        assert set(connection.execute(select(schema.reports.c.id)).scalars()) == {"open", "new"}
        assert set(connection.execute(select(schema.measures.c.id)).scalars()) == {
            *("new warning", "ended lately", "in force", "appeal", "decided lately", "closed for good")
        }


@pytest.mark.parametrize(("days", "is_removed"), [(730, True), (0, False)], ids=["two-years", "always"])
def test_housekeeping_keeps_what_the_operator_wants(
    client: TestClient, anna: Visitor, boris: Visitor, days: int, is_removed: bool
) -> None:
    app: Any = client.app
    services = app.state.services
    table = invited(anna, boris)
    assert report(anna, table).status_code == 303
    with services.engine.begin() as connection:
        connection.execute(update(schema.reports).values(state="dismissed", closed_at=1.0))
    settings = replace(services.settings, moderation_days=days)
    app_client: Any = client
    app_client.portal.call(housekeeping.put_away, services.engine, services.seating, settings)
    with services.engine.connect() as connection:
        assert (connection.execute(select(schema.reports.c.id)).first() is None) == is_removed
