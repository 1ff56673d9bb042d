"""Requests that are forged, stale, malformed, too large or from elsewhere: each is refused with its own clear status,
and none changes anything."""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any, NamedTuple

import pytest
from sqlalchemy import func, select
from starlette.testclient import TestClient

from brinkmanship.store import schema
from brinkmanship.web.accounts.users import csrf_token
from brinkmanship.web.server.app import create_app
from brinkmanship.web.server.request_guard import MAX_BYTES
from brinkmanship.web.support import rate_limit
from brinkmanship.web.support.settings import Settings
from brinkmanship.web.tables.live_table import LiveTable
from brinkmanship.web.tables.seating import TableSettings
from brinkmanship.web.tables.statuses import RUNNING, WAITING

FORGERIES = 1000
WORDS = "event command keep place remove shift trigger done draw deal first scramble u_thant berlin italy us 1 -1 ?"


class Member(NamedTuple):
    """Somebody with a session and a token for programs."""

    id: str
    session: str
    token: str


class Stage:
    """Tables in all stages: a game of Anna and Boris, one of Boris and Carl, one that is over, one that waits."""

    def __init__(self, client: TestClient) -> None:
        self.client = client
        self.app: Any = client.app
        people = self.app.state.services.users
        self.anna, self.boris, self.carl = (
            Member(guest.id, session, people.open_session(guest.id, api_label="program"))
            for guest, session in (people.add_guest(name, "en") for name in ("Anna", "Boris", "Carl"))
        )
        self.table, self.invitation = self._table(self.anna, self.boris)
        self.play_on(self.table, 9)
        self.elsewhere, _ = self._table(self.boris, self.carl)
        self.over, _ = self._table(self.anna, self.boris)
        self._call(self.app.state.services.actions.resign, self.over.id, self.anna.id, 0)
        self.waiting, self.open_invitation = self._table(self.anna, None)
        self.players = (self.anna, self.boris)

    def _call(self, function: Callable[..., Any], *arguments: Any) -> Any:
        assert self.client.portal is not None
        return self.client.portal.call(function, *arguments)

    def _table(self, us: Member, ussr: Member | None) -> tuple[LiveTable, str]:
        parts = self.app.state.services
        table, tokens = self._call(parts.seating.create, TableSettings("13-days", ["me", "friend"]), us.id, "A")
        if ussr:
            table = self._call(parts.seating.join, table.id, ussr.id, "B", tokens[1])
        return table, tokens[1]

    def play_on(self, table: LiveTable, steps: int) -> None:
        """Some random decisions, over the service."""
        dice = random.Random(4)
        for _ in range(steps):
            side = dice.choice(table.to_move)
            who = (self.anna, self.boris)[side]
            action = dice.choice(table.match.legal(side)).action
            self._call(self.app.state.services.actions.act, table.id, who.id, side, table.version(side), action)

    def everything(self) -> tuple[Any, ...]:
        """All that a request could have changed."""
        tables = (self.table, self.elsewhere, self.over, self.waiting)
        live = [
            (table.match.state.tobytes(), len(table.records), table.status, table.state.offer, repr(table.seats))
            for table in tables
        ]
        with self.app.state.services.engine.connect() as connection:
            counts = [
                connection.execute(select(func.count()).select_from(each)).scalar()
                for each in (schema.tables, schema.records, schema.seats, schema.chats, schema.people)
            ]
        return (live, counts)

    # Requests.

    @property
    def side(self) -> int:
        """Who is asked."""
        return self.table.to_move[0]

    def program(self, who: Member | None, path: str, body: object, **headers: str) -> Any:
        """Ask the API; a body that is no bytes is sent as JSON."""
        content = body if isinstance(body, bytes) else json.dumps(body).encode()
        sent = {"content-type": "application/json", **headers}
        if who:
            sent["authorization"] = f"Bearer {who.token}"
        self.client.cookies.clear()
        return self.client.post(f"/api/v1/tables/{path}", content=content, headers=sent)

    def form(self, who: Member | None, path: str, csrf: str | None, headers: dict[str, str], **fields: object) -> Any:
        """Send a form as a browser does."""
        data = {name: str(value) for name, value in fields.items()} | ({} if csrf is None else {"csrf": csrf})
        sent = {"accept": "text/html", **headers} | ({"cookie": f"session={who.session}"} if who else {})
        self.client.cookies.clear()
        return self.client.post(path, data=data, headers=sent, follow_redirects=False)

    def right(self) -> dict[str, Any]:
        """What a right request would say."""
        legal = self.table.match.legal(self.side)
        return {
            "side": self.table.game.sides[self.side],
            "version": self.table.version(self.side),
            "action": legal[0].text,
        }


@pytest.fixture
def stage(settings: Settings) -> Iterator[Stage]:
    with TestClient(create_app(settings), raise_server_exceptions=False) as client:
        yield Stage(client)


Forgery = Callable[[Stage, random.Random], Any]


def to_the_api(status: int, **wrong: Any) -> tuple[int, Forgery]:
    """A request of the player who is asked, with something wrong in its body."""

    def forge(stage: Stage, dice: random.Random) -> Any:
        drawn = {name: value(stage, dice) if callable(value) else value for name, value in wrong.items()}
        return stage.program(stage.players[stage.side], f"{stage.table.id}/actions", {**stage.right(), **drawn})

    return status, forge


def as_a_form(status: int, csrf: Callable[[Stage, Member], str | None], **headers: str) -> tuple[int, Forgery]:
    """A form of the player who is asked, all right but for its token."""

    def forge(stage: Stage, dice: random.Random) -> Any:
        who, side = stage.players[stage.side], stage.side
        path = dice.choice(("act", "undo", "resign", "offer", "chat", "note"))
        action = stage.table.match.legal(side)[0].action
        fields = {"side": side, "version": stage.table.version(side), "action": action, "sure": "true", "text": "hello"}
        return stage.form(who, f"/t/{stage.table.id}/{path}", csrf(stage, who), headers, **fields)

    return status, forge


def nonsense(_stage: Stage, dice: random.Random) -> str:
    """Words of actions that are none together."""
    return "? " + " ".join(dice.choices(WORDS.split(), k=dice.randint(0, 4)))


def illegal(stage: Stage, dice: random.Random) -> str:
    """An action of the game that is not legal now."""
    game, legal = stage.table.game, {each.action for each in stage.table.match.legal(stage.side)}
    return game.action_text(dice.choice([n for n in range(150, 500) if n not in legal and _is_named(game, n)]))


def _is_named(game: Any, action: int) -> bool:
    try:
        game.action_text(action)
    except (KeyError, IndexError):
        return False
    return True


def of_no_kind(_stage: Stage, dice: random.Random) -> Any:
    """A value of a wrong type."""
    return dice.choice([None, 1.5, [], {}, "x" * 500, True, [1], ""])


def no_action(stage: Stage, who: Member | None, table: LiveTable, **wrong: Any) -> Any:
    """A request that would be right elsewhere."""
    action = table.match.legal(0)[0].text if table.match.legal(0) else "keep berlin"  # nothing is dealt yet
    body = {"side": "us", "version": table.version(0), "action": action}
    return stage.program(who, f"{table.id}/actions", body | wrong)


FORGED: dict[str, tuple[int, Forgery]] = {
    "the other side": to_the_api(403, side=lambda stage, _: stage.table.game.sides[1 - stage.side]),
    "no side": to_the_api(422, side=lambda _, dice: dice.choice(["", "US", "public", "observer", "china"])),
    "a stale version": to_the_api(409, version=lambda stage, dice: dice.randrange(stage.table.version(stage.side))),
    "a version to come": to_the_api(409, version=lambda _, dice: dice.randrange(100, 100_000)),
    "a version out of bounds": to_the_api(400, version=lambda _, dice: dice.choice([-1, 10**6, 2**70])),
    "an illegal action": to_the_api(422, action=illegal),
    "nonsense": to_the_api(422, action=nonsense),
    "an action of chance": to_the_api(
        422, action=lambda _, dice: dice.choice(["escalate", "draw scramble", "deal turkey", "check_war"])
    ),
    "a side of a wrong type": to_the_api(400, side=lambda _, dice: dice.choice([None, 1, [], "x" * 500])),
    "an action of a wrong type": to_the_api(400, action=of_no_kind),
    "a version of a wrong type": to_the_api(400, version=of_no_kind),
    "a field too many": to_the_api(400, secret="00"),
    "malformed JSON": (
        400,
        lambda stage, dice: stage.program(
            stage.anna,
            f"{stage.table.id}/actions",
            dice.choice([b"", b"{", b"null", b"[]", b"\xff\xfe", b'{"side": }']),
        ),
    ),
    "too large": (
        413,
        lambda stage, _: stage.program(stage.anna, f"{stage.table.id}/actions", b"x" * (MAX_BYTES + 1)),
    ),
    "without a token": (401, lambda stage, _: no_action(stage, None, stage.table)),
    "a stranger": (
        403,
        lambda stage, _: stage.program(stage.carl, f"{stage.table.id}/actions", stage.right()),
    ),
    "a stranger's undo": (
        403,
        lambda stage, _: stage.program(
            stage.carl, f"{stage.table.id}/undo", {"side": "us", "version": stage.table.version(0)}
        ),
    ),
    "a stranger resigns": (
        403,
        lambda stage, dice: stage.program(
            stage.carl, f"{stage.table.id}/resign?side={dice.choice(['us', 'ussr'])}", None
        ),
    ),
    "the opponent resigns for her": (
        403,
        lambda stage, _: stage.program(stage.boris, f"{stage.table.id}/resign?side=us", None),
    ),
    "another game's table": (403, lambda stage, _: no_action(stage, stage.anna, stage.elsewhere)),
    "a finished game": (422, lambda stage, _: no_action(stage, stage.anna, stage.over)),
    "a game that has not begun": (422, lambda stage, _: no_action(stage, stage.anna, stage.waiting)),
    "no table": (404, lambda stage, _: stage.program(stage.anna, "nowhere/actions", stage.right())),
    "a used invitation": (
        403,
        lambda stage, _: stage.program(stage.carl, f"{stage.table.id}/join", {"invitation": stage.invitation}),
    ),
    "an invitation to another table": (
        403,
        lambda stage, _: stage.program(stage.carl, f"{stage.table.id}/join", {"invitation": stage.open_invitation}),
    ),
    "an invented invitation": (
        403,
        lambda stage, dice: stage.program(
            stage.carl, f"{stage.waiting.id}/join", {"invitation": dice.randbytes(24).hex()}
        ),
    ),
    "one's own invitation": (
        403,
        lambda stage, _: stage.program(stage.anna, f"{stage.waiting.id}/join", {"invitation": stage.open_invitation}),
    ),
    "a used invitation as a form": (
        403,
        lambda stage, _: stage.form(
            stage.carl, f"/join/{stage.table.id}/{stage.invitation}", csrf_token(stage.carl.session), {}
        ),
    ),
    "a form without its token": as_a_form(403, lambda _stage, _who: None),
    "a form with a wrong token": as_a_form(403, lambda _stage, _who: "0" * 64),
    "a form with another's token": as_a_form(403, lambda stage, _who: csrf_token(stage.carl.session)),
    "a form from another site": (
        403,
        lambda stage, dice: stage.form(
            None,
            dice.choice(("/tables", "/account/sign-in", "/language")),
            None,
            dice.choice(({"sec-fetch-site": "cross-site"}, {"origin": "http://elsewhere.example"})),
            game="13-days",
            mode="same",
            name="Eve",
            login="eve",
            password="pass word",
            language="de",
        ),
    ),
    "a form of nobody": (403, lambda stage, _: stage.form(None, f"/t/{stage.table.id}/note", "0", {}, text="x")),
}


def test_a_thousand_forged_requests_change_nothing(stage: Stage) -> None:
    assert (stage.table.status, stage.waiting.status) == (RUNNING, WAITING)
    before = stage.everything()
    dice = random.Random(6)
    seen: Counter[str] = Counter()
    for number in range(FORGERIES):
        name = list(FORGED)[number] if number < len(FORGED) else dice.choice(list(FORGED))
        status, forge = FORGED[name]
        answer = forge(stage, dice)
        assert answer.status_code == status, (name, answer.status_code, answer.text[:500])
        if answer.request.url.path.startswith("/api/"):
            assert answer.headers["content-type"] == "application/problem+json", name
            assert answer.json()["detail"], name
        else:
            assert "text/html" in answer.headers["content-type"], name
        seen[name] += 1
    assert seen.keys() == FORGED.keys()
    assert stage.everything() == before


def test_the_right_request_is_taken_once(stage: Stage) -> None:
    body, who = stage.right(), stage.players[stage.side]
    assert stage.program(who, f"{stage.table.id}/actions", body).status_code == 200
    records = len(stage.table.records)
    assert stage.program(who, f"{stage.table.id}/actions", body).status_code == 409
    assert len(stage.table.records) == records


def test_too_fast_is_refused_and_changes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rate_limit, "PAUSE_SECONDS", 0.01)
    monkeypatch.setattr(rate_limit, "time", SimpleNamespace(monotonic=lambda: 1000.0))  # however slow the machine is
    app = create_app(Settings(database=f"sqlite:///{tmp_path / 'table.sqlite3'}", requests_per_minute=40))
    with TestClient(app) as client:
        stage = Stage(client)
        who, body = stage.players[stage.side], {**stage.right(), "version": 99_999}
        statuses = [stage.program(who, f"{stage.table.id}/actions", body).status_code for _ in range(13)]
        assert statuses == [409] * 11 + [429] * 2  # the first came from somebody not known yet
        before = stage.everything()
        refused = stage.program(who, f"{stage.table.id}/actions", stage.right())
        assert refused.status_code == 429
        assert int(refused.headers["retry-after"]) > 0
        assert stage.everything() == before
