"""Sign-in with an external provider: new accounts, guests, links, and every answer that must be refused."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from sqlalchemy import Engine, insert, select, update
from starlette.testclient import TestClient

from brinkmanship.store import schema
from brinkmanship.text import LANGUAGES
from brinkmanship.web.accounts import oidc
from brinkmanship.web.server.app import create_app
from brinkmanship.web.support.settings import SettingError, Settings, from_environment
from support.patience import HANGS_SECONDS
from support.sign_in_provider import CLIENT_ID, CLIENT_SECRET, Provider, providing
from support.visitors import Visitor, registered

PASSWORD = "long enough"


@pytest.fixture(scope="module")
def shared() -> Iterator[Provider]:
    with providing() as provider:
        yield provider


@pytest.fixture
def provider(shared: Provider) -> Provider:
    """The provider as it should be: a test may spoil it."""
    shared.subject, shared.claims, shared.changes = "1", {"preferred_username": "Anna"}, {}
    shared.signs_with, shared.is_down = "key", False
    shared.wrong.clear()
    return shared


@pytest.fixture
def client(
    settings: Settings, provider: Provider, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[TestClient]:
    monkeypatch.setattr(oidc, "TIMEOUT", HANGS_SECONDS)
    secret = tmp_path / "secret"
    secret.write_text(f"{CLIENT_SECRET}\n", "utf-8")
    given = {"public_url": "http://testserver", "oidc_client_id": CLIENT_ID, "oidc_secret_file": str(secret)}
    with TestClient(
        create_app(replace(settings, oidc_issuer=provider.issuer, oidc_name="Chess club", **given))
    ) as client:
        yield client


@pytest.fixture
def engine(client: TestClient) -> Engine:
    app: Any = client.app
    found: Engine = app.state.services.engine
    return found


def begin(visitor: Visitor, query: str = "") -> str:
    """Go to the provider; the address there."""
    answer = visitor.ask("GET", f"/account/oidc{query}")
    assert answer.status_code == 303, answer.text
    return str(answer.headers["location"])


def sign_in(visitor: Visitor, provider: Provider, query: str = ""):  # type: ignore[no-untyped-def]
    """Sign in at the provider and come back."""
    return visitor.ask("GET", f"/account/oidc/callback?{provider.authorize(begin(visitor, query))}")


def link(visitor: Visitor, provider: Provider, **fields: str):  # type: ignore[no-untyped-def]
    """Link an account from the account page."""
    page = visitor.post("/account/oidc/link", csrf=visitor.csrf, **fields)
    assert page.status_code == 200, page.text
    address = page.text.partition('class="button primary" href="')[2].partition('"')[0].replace("&amp;", "&")
    return visitor.ask("GET", f"/account/oidc/callback?{provider.authorize(address)}")


def accounts(engine: Engine) -> list[tuple[str, str]]:
    """Return the name and subject of every account that is linked."""
    wanted = select(schema.people.c.name, schema.external_accounts.c.subject).join(schema.external_accounts)
    with engine.connect() as connection:
        return sorted((name, subject) for name, subject in connection.execute(wanted))


def test_a_stranger_gets_an_account_and_comes_back_to_it(
    provider: Provider, client: TestClient, engine: Engine
) -> None:
    anna, again = Visitor(client), Visitor(client)
    assert "Use Chess club" in anna.get("/account")
    assert sign_in(anna, provider).headers["location"] == "/"
    assert "Linked to Chess club" in anna.get("/account")
    assert sign_in(again, provider).headers["location"] == "/"
    assert accounts(engine) == [("Anna", "1")]
    assert provider.wrong == []
    assert "Anna" in again.get("/account")


def test_a_guest_becomes_an_account_and_keeps_name_and_games(
    provider: Provider, client: TestClient, engine: Engine
) -> None:
    guest = Visitor(client)
    table = guest.begin("computer")
    before = guest.cookies["session"]
    provider.claims = {"preferred_username": "anna.1987"}
    sign_in(guest, provider)
    assert accounts(engine) == [("Anna", "1")]
    assert guest.cookies["session"] != before  # session fixation
    assert table in guest.get("/")


def test_the_games_of_a_guest_come_along_to_the_account(provider: Provider, client: TestClient) -> None:
    sign_in(Visitor(client), provider)
    for query, comes in (("?bring=true", True), ("", False)):
        guest = Visitor(client)
        table = guest.begin("computer")
        sign_in(guest, provider, query)
        assert (table in guest.get("/")) == comes


def test_names_are_made_unique_and_never_mail_addresses(provider: Provider, client: TestClient, engine: Engine) -> None:
    claims: list[dict[str, Any]] = [
        {"preferred_username": "Anna"},
        {"preferred_username": "ANNA"},
        {"preferred_username": "anna@example.org", "name": "Anna B."},
        {"preferred_username": 5, "name": "\u200b"},
        {"name": "x" * 200},
    ]
    for number, each in enumerate(claims):
        provider.subject, provider.claims = str(number), each
        sign_in(Visitor(client), provider)
    assert [name for name, _ in accounts(engine)] == ["ANNA 2", "Anna", "Anna B.", "Player", "x" * 30]


def test_an_account_is_linked_once_with_its_password_and_unlinked(
    provider: Provider, client: TestClient, engine: Engine
) -> None:
    boris, clara = registered(Visitor(client), "Boris"), registered(Visitor(client), "Clara")
    assert boris.post("/account/oidc/link", csrf=boris.csrf, password="a wrong one").status_code == 403
    assert link(boris, provider, password=PASSWORD).headers["location"] == "/account#oidc"
    assert accounts(engine) == [("Boris", "1")]
    taken = link(clara, provider, password=PASSWORD)
    assert taken.status_code == 422
    assert "already belongs to another player" in taken.text
    provider.subject = "2"
    second = link(boris, provider, password=PASSWORD)
    assert second.status_code == 422
    assert "already linked" in second.text
    assert boris.post("/account/oidc/unlink", csrf=boris.csrf).status_code == 303
    assert accounts(engine) == []
    assert boris.post("/account/oidc/unlink", csrf=boris.csrf).status_code == 404


def test_the_last_way_to_sign_in_stays(provider: Provider, client: TestClient, engine: Engine) -> None:
    anna = Visitor(client)
    sign_in(anna, provider)
    refused = anna.post("/account/oidc/unlink", csrf=anna.csrf)
    assert refused.status_code == 422
    assert "only way to sign in" in refused.text
    assert accounts(engine) == [("Anna", "1")]


@pytest.mark.parametrize(
    ("changes", "signs_with"),
    [
        ({"nonce": "another"}, "key"),
        ({"aud": "another client"}, "key"),
        ({"iss": "https://evil.example"}, "key"),
        ({"exp": 1}, "key"),
        ({"sub": ""}, "key"),
        ({"sub": 5}, "key"),
        ({}, "other"),
        ({}, "secret"),
    ],
    ids=["nonce", "audience", "issuer", "expired", "no-subject", "number", "other-key", "shared-secret"],
)
def test_a_wrong_answer_opens_nothing(
    provider: Provider, client: TestClient, engine: Engine, changes: dict[str, Any], signs_with: str
) -> None:
    provider.changes, provider.signs_with = changes, signs_with
    anna = Visitor(client)
    refused = sign_in(anna, provider)
    assert refused.status_code == 403
    assert "could not be verified" in refused.text
    assert accounts(engine) == []
    assert "session" not in anna.cookies


def test_an_attempt_belongs_to_one_browser_and_is_not_repeated(
    provider: Provider, client: TestClient, engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    anna, mallory = Visitor(client), Visitor(client)
    query = provider.authorize(begin(mallory))
    begin(anna)
    for visitor, sent in ((anna, query), (Visitor(client), query), (anna, "code=1"), (anna, "code=1&state=2")):
        refused = visitor.ask("GET", f"/account/oidc/callback?{sent}")
        assert refused.status_code == 403
        assert "another browser" in refused.text
    for cookie in ("rubbish", "e30=", "\N{SNOWMAN}".encode().hex()):
        mallory.cookies["oidc"] = cookie
        assert mallory.ask("GET", f"/account/oidc/callback?{query}").status_code == 403
    late = Visitor(client)
    query = provider.authorize(begin(late))
    later = time.time() + oidc.ATTEMPT_SECONDS + 1
    monkeypatch.setattr(oidc.time, "time", lambda: later)  # type: ignore[attr-defined]
    assert late.ask("GET", f"/account/oidc/callback?{query}").status_code == 403
    assert accounts(engine) == []


def test_an_attempt_ends_when_another_user_has_signed_in_meanwhile(provider: Provider, client: TestClient) -> None:
    anna = Visitor(client)
    query = provider.authorize(begin(anna))
    registered(anna, "Boris")
    assert anna.ask("GET", f"/account/oidc/callback?{query}").status_code == 403


def test_what_the_provider_refuses_and_a_silent_provider_are_told(provider: Provider, client: TestClient) -> None:
    anna = Visitor(client)
    state = parse_qs(urlsplit(begin(anna)).query)["state"][0]
    denied = anna.ask("GET", f"/account/oidc/callback?error=access_denied&state={state}")
    assert denied.status_code == 403
    assert "has not confirmed" in denied.text
    app: Any = client.app
    app.state.services.oidc._app.server_metadata.clear()
    provider.is_down = True
    silent = anna.ask("GET", "/account/oidc")
    assert silent.status_code == 503
    assert "is not responding" in silent.text
    provider.is_down = False
    assert begin(anna).startswith(f"{provider.issuer}/authorize?")


def test_a_closed_account_stays_closed(provider: Provider, client: TestClient, engine: Engine) -> None:
    sign_in(Visitor(client), provider)
    with engine.begin() as connection:
        person = connection.execute(select(schema.external_accounts.c.person_id)).scalar_one()
        connection.execute(update(schema.people).values(banned_at=1.0))
        measure = {"id": "m", "person_id": person, "kind": "closed", "reason": "Insults", "line": "", "key": "k"}
        connection.execute(insert(schema.measures).values(**measure, at=1.0))
    closed = sign_in(Visitor(client), provider)
    assert closed.status_code == 403
    assert "Insults" in closed.text


def test_without_a_provider_there_is_no_button_and_no_page(settings: Settings) -> None:
    with TestClient(create_app(settings)) as client:
        anna = Visitor(client)
        assert "oidc" not in anna.get("/account")
        assert anna.ask("GET", "/account/oidc").status_code == 404
        assert anna.ask("GET", "/account/oidc/callback?code=1&state=1").status_code == 403


def test_the_account_page_is_in_every_language(provider: Provider, client: TestClient) -> None:
    stranger, anna = Visitor(client), Visitor(client)
    sign_in(anna, provider)
    for visitor in (stranger, anna):
        for language in LANGUAGES:
            visitor.cookies["language"] = language
            assert "oidc." not in visitor.get("/account")


def test_settings_are_complete_and_keep_the_secret_safe(tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_text("s", "utf-8")
    good = {
        "BRINK_PUBLIC_URL": "https://brink.example.org",
        "BRINK_OIDC_ISSUER": "https://login.example.org/realms/club/",
        "BRINK_OIDC_CLIENT_ID": "brink",
        "BRINK_OIDC_SECRET_FILE": str(secret),
    }
    assert from_environment(good).oidc_issuer == "https://login.example.org/realms/club"
    bad = [{name: ""} for name in good if name != "BRINK_OIDC_ISSUER"]
    bad += [{"BRINK_OIDC_ISSUER": "http://login.example.org"}, {"BRINK_OIDC_SECRET_FILE": str(tmp_path / "none")}]
    for wrong in bad:
        with pytest.raises(SettingError):
            from_environment({**good, **wrong})
