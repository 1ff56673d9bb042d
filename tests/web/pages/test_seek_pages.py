"""The pages on which one finds an opponent, in browsers without scripts."""

from __future__ import annotations

import io
import json
import re
import zipfile

import pytest
from starlette.testclient import TestClient

from brinkmanship.store import moderation
from brinkmanship.text import LANGUAGES
from brinkmanship.web.seeks import seek_service
from brinkmanship.web.support import rate_limit
from support.patience import HANGS_SECONDS
from support.played_games import make_public
from support.visitors import Visitor, registered

ANY = "13-days:0"


@pytest.fixture(autouse=True)
def _quick_refusals(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rate_limit, "PAUSE_SECONDS", 0.0)
    monkeypatch.setattr(seek_service, "PRESENT_SECONDS", HANGS_SECONDS)
    monkeypatch.setattr(seek_service, "GONE_SECONDS", HANGS_SECONDS)


def quick(visitor: Visitor, name: str) -> str:
    """Press "Find an opponent"; the address that it leads to."""
    answer = visitor.post("/seek/quick", name=name)
    assert answer.status_code == 303, answer.text
    return str(answer.headers["location"])


def seek(visitor: Visitor, *wants: str, clock: str = "days 3", pace: str = "days", name: str = "Anna"):  # type: ignore[no-untyped-def]
    data = {"want": list(wants), "clock": [clock], "pace": pace, "name": name, "csrf": visitor.csrf}
    return visitor.ask("POST", "/seek", data)  # type: ignore[arg-type]


def test_two_strangers_press_the_button_and_sit_at_one_table(client: TestClient) -> None:
    anna, boris = Visitor(client), Visitor(client)
    waits = quick(anna, "Anna")
    assert waits.startswith("/seek/")
    assert "Keep this page open" in anna.get(waits)
    table = quick(boris, "Boris")
    assert table.startswith("/t/")
    assert anna.ask("GET", waits).headers["location"] == table
    assert "Boris" in anna.get(table)
    assert "13 Days" in anna.get("/")


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_page_is_in_every_language(client: TestClient, language: str) -> None:
    anna = registered(Visitor(client), f"Anna {language}")
    boris = Visitor(client)
    for visitor in (anna, boris):
        visitor.cookies["language"] = language
    assert seek(anna, ANY).status_code == 303
    own = re.search(r'href="(/seek/\w+)"', anna.get("/lobby"))
    assert own
    registered(boris, f"Boris {language}")
    boris.post("/challenges", to=f"anna {language}", play="13-days:1", clock="days 3", csrf=boris.csrf)
    for path in ("/lobby", "/lobby?game=13-days&side=1&clock=days&rated=no", "/seek", own[1], "/challenges", "/"):
        for visitor in (anna, boris):
            page = visitor.get(path)
            assert f'<html lang="{language}"' in page
            assert "seeks." not in page
            assert "challenges." not in page


def test_the_lobby_filters_by_its_address(client: TestClient) -> None:
    anna, boris = Visitor(client), Visitor(client)
    table = anna.begin("open", 0, clock="live 10 5")
    seek(anna, "13-minutes:1")
    own = re.search(r'href="(/seek/\w+)"', anna.get("/lobby"))
    assert own

    def listed(query: str) -> tuple[bool, bool]:
        page = boris.get(f"/lobby{query}")
        return table.replace("/t/", "/join/") in page, own[1] in page

    assert listed("") == (True, True)
    assert listed("?game=13-days") == (True, False)
    assert listed("?game=13-days&side=1") == (True, False)
    assert listed("?game=13-days&side=0") == (False, False)
    assert listed("?game=13-minutes&side=0") == (False, True)
    assert listed("?game=13-minutes&side=1") == (False, False)
    assert listed("?clock=live") == (True, False)
    assert listed("?clock=days") == (False, True)
    assert listed("?clock=none") == (False, False)
    assert listed("?rated=no") == (True, True)
    assert listed("?rated=yes") == (False, False)
    assert "Look for an opponent yourself" in boris.get("/lobby?rated=yes")
    for wrong in ("?game=chess", "?side=5", "?clock=soon", "?after=" + "x" * 20):
        assert 400 <= boris.ask("GET", f"/lobby{wrong}").status_code < 500


def test_an_answer_to_a_seek_takes_the_other_side(client: TestClient) -> None:
    anna, boris, clara = Visitor(client), Visitor(client), Visitor(client)
    mine = seek(anna, ANY).headers["location"]
    assert mine in boris.get("/")
    shown = boris.get(mine)
    assert "Anna is looking for an opponent" in shown
    assert "USSR" in shown
    assert anna.post(f"{mine}/answer", csrf=anna.csrf).status_code == 422
    table = boris.post(f"{mine}/answer", name="Boris").headers["location"]
    assert table.startswith("/t/")
    assert clara.post(f"{mine}/answer", name="Clara").status_code == 422
    assert "This search is over" in clara.get(mine)


def test_a_seek_is_withdrawn_and_a_wrong_one_is_shown_again(client: TestClient) -> None:
    anna, boris = Visitor(client), Visitor(client)
    mine = seek(anna, ANY).headers["location"]
    boris.begin("computer")
    assert boris.post(f"{mine}/withdraw", csrf=boris.csrf).status_code == 404
    assert boris.ask("GET", f"{mine}/stream").status_code == 404
    assert anna.post(f"{mine}/withdraw", csrf=anna.csrf).headers["location"] == "/lobby"
    assert mine not in anna.get("/lobby")
    for wrong in (seek(anna), seek(anna, "chess:0"), seek(anna, "13-days"), seek(anna, ANY, clock="live 10 5")):
        assert wrong.status_code == 422
        assert 'role="alert"' in wrong.text
    assert "days 3" not in seek(anna, "13-days:9", clock="days 7").headers.get("set-cookie", "")


def test_the_choices_of_the_last_seek_are_remembered(client: TestClient) -> None:
    anna = Visitor(client)
    mine = seek(anna, "13-minutes:0", clock="days 7").headers["location"]
    anna.post(f"{mine}/withdraw", csrf=anna.csrf)
    page = anna.get("/seek")
    assert re.search(r'value="13-minutes:0" checked', page)
    assert re.search(r'value="days 7" checked', page)
    assert not re.search(r'value="13-days:0" checked', page)
    anna.cookies["seek"] = "nonsense~~"
    assert "13 Days" in anna.get("/lobby")


def test_the_result_leads_to_another_opponent(client: TestClient) -> None:
    anna, boris = Visitor(client), Visitor(client)
    quick(anna, "Anna")
    table = quick(boris, "Boris")
    mine = re.search(r'data-viewer="(\d)"', boris.get(table))
    assert mine
    boris.post(f"{table}/resign", side=mine[1], sure="true", csrf=boris.csrf)
    assert "Your opponent left before their first move" in anna.get(table)
    assert "Your opponent left" not in boris.get(table)
    again = anna.post(f"{table}/seek", csrf=anna.csrf)
    assert again.headers["location"].startswith("/seek/")
    stranger = Visitor(client)
    stranger.begin("computer")
    assert "/seek" not in stranger.get(table)
    assert stranger.post(f"{table}/seek", csrf=stranger.csrf).status_code == 404


# Challenges.


def challenge(visitor: Visitor, to: str, **fields: object):  # type: ignore[no-untyped-def]
    asked = {"play": "13-days:0", "clock": "days 3", **fields}
    return visitor.post("/challenges", to=to, csrf=visitor.csrf, **asked)


def number(visitor: Visitor) -> str:
    found = re.search(r'action="(/challenges/\w+)/', visitor.get("/challenges"))
    assert found
    return found[1]


def test_a_challenge_is_accepted_on_the_home_page(client: TestClient) -> None:
    anna, boris = registered(Visitor(client), "Anna"), registered(Visitor(client), "Boris")
    assert challenge(anna, "boris").status_code == 303
    assert "Anna challenges you" in boris.get("/")
    assert "USSR" in boris.get("/challenges")
    it = number(boris)
    assert anna.post(f"{it}/accept", csrf=anna.csrf).status_code == 404
    table = boris.post(f"{it}/accept", csrf=boris.csrf).headers["location"]
    assert boris.post(f"{it}/accept", csrf=boris.csrf).headers["location"] == table
    assert "Boris" in anna.get(table)
    assert "challenges you" not in boris.get("/")


def test_declining_twice_in_a_week_stops_more(client: TestClient) -> None:
    anna, boris = registered(Visitor(client), "Anna"), registered(Visitor(client), "Boris")
    for _ in range(2):
        challenge(anna, "Boris")
        assert challenge(anna, "Boris").status_code == 422  # the last one is still open
        it = number(boris)
        assert boris.post(f"{it}/decline", reason="whatever", csrf=boris.csrf).status_code == 422
        assert boris.post(f"{it}/decline", reason="busy", csrf=boris.csrf).status_code == 303
        assert boris.post(f"{it}/accept", csrf=boris.csrf).status_code == 422
    assert "Too busy" in anna.get("/challenges")
    refused = challenge(anna, "Boris")
    assert refused.status_code == 403
    assert "is not accepting challenges from you" in refused.text
    assert challenge(boris, "Anna").status_code == 303


def test_challenges_are_for_accounts_of_others_and_can_be_withdrawn(client: TestClient) -> None:
    anna, boris = registered(Visitor(client), "Anna"), registered(Visitor(client), "Boris")
    guest = Visitor(client)
    guest.begin("computer")
    assert challenge(guest, "anna").status_code == 403
    for to, fields in (
        ("anna", {}),
        ("nobody", {}),
        ("", {}),
        ("boris", {"play": "13-days:7"}),
        ("boris", {"play": "chess:0"}),
        ("boris", {"clock": "live 1000 5"}),
    ):
        assert challenge(anna, to, **fields).status_code == 422
    challenge(anna, "boris", play="13-days:")
    it = number(anna)
    assert boris.post(f"{it}/withdraw", csrf=boris.csrf).status_code == 404
    assert anna.post(f"{it}/withdraw", csrf=anna.csrf).status_code == 303
    assert boris.post(f"{it}/accept", csrf=boris.csrf).status_code == 422


def test_a_deleted_account_leaves_no_seek_and_no_challenge(client: TestClient) -> None:
    anna, boris = registered(Visitor(client), "Anna"), registered(Visitor(client), "Boris")
    sought = seek(anna, ANY).headers["location"]
    challenge(anna, "Boris")
    with zipfile.ZipFile(io.BytesIO(anna.post("/account/export", csrf=anna.csrf).content)) as file:
        data = json.loads(file.read("data.json"))
    assert [one["wants"] for one in data["seeks"]] == [ANY]
    assert [one["is_mine"] for one in data["challenges"]] == [True]
    sure = {"password": "long enough", "sure": "true"}
    assert anna.post("/account/delete", csrf=anna.csrf, **sure).status_code == 200
    assert sought not in boris.get("/lobby")
    assert "challenges you" not in boris.get("/")


def test_no_more_than_ten_challenges_are_open(client: TestClient) -> None:
    anna = registered(Visitor(client), "Anna")
    others = [f"Boris {number}" for number in range(11)]
    for name in others:
        registered(Visitor(client), name)
    assert [challenge(anna, name).status_code for name in others] == [303] * 10 + [429]


@pytest.mark.parametrize("is_blocker", [True, False], ids=["blocker", "blocked"])
def test_the_lobby_hides_seeks_and_tables_of_people_apart(client: TestClient, is_blocker: bool) -> None:
    anna, boris = registered(Visitor(client), "Anna"), registered(Visitor(client), "Boris")
    assert seek(anna, ANY).status_code == 303
    table = anna.begin("open").removeprefix("/t/")
    token = client.post("/api/v1/tokens", json={"name": "Program"}).json()["token"]
    for path in ("/lobby", "/"):
        assert "Anna" in boris.get(path)
    one, other = (boris, anna) if is_blocker else (anna, boris)
    with client.app.state.services.engine.begin() as connection:  # type: ignore[attr-defined]
        moderation.block(connection, session_id(one), session_id(other), 1.0)
    for path in ("/lobby", "/"):
        page = boris.get(path)
        assert "Anna" not in page
        assert table not in page
        assert "Anna" in Visitor(client).get(path)
    listed = client.get("/api/v1/seeks", headers={"Authorization": f"Bearer {token}"}).json()
    assert len(listed) == 1


def test_names_in_lists_are_links_to_public_profiles(client: TestClient) -> None:
    anna, boris = registered(Visitor(client), "Anna"), Visitor(client)
    seek(anna, ANY)
    anna.begin("open")
    for path in ("/lobby", "/"):
        assert "/people/" not in boris.get(path)
    make_public(anna)
    for path in ("/lobby", "/"):
        assert set(re.findall(r'href="/people/(\w+)">Anna', boris.get(path))) == {session_id(anna)}
    assert "/people/" not in anna.get("/lobby")  # nobody needs a link to themselves


def test_challenges_link_to_the_public_profile_of_the_other_person(client: TestClient) -> None:
    anna, boris = registered(Visitor(client), "Anna"), registered(Visitor(client), "Boris")
    assert challenge(anna, "Boris").status_code == 303
    link = f'href="/people/{session_id(anna)}"'
    said = {"/challenges": "Anna challenges you", "/": "Anna challenges you", "/challenges?to=Anna": "Opponent: Anna"}
    for path in said:
        assert link not in boris.get(path)
    make_public(anna)
    for path, sentence in said.items():
        assert f"<a {link}>{sentence}</a>" in boris.get(path)
    assert ">You have challenged Boris<" in anna.get("/challenges")


def session_id(visitor: Visitor) -> str:
    """The id of a visitor with a session."""
    users = visitor.client.app.state.services.users  # type: ignore[attr-defined]
    return str(users.by_token(visitor.cookies["session"]).id)
