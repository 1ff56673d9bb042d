"""Browsers without scripts, and the tables they begin."""

from __future__ import annotations

import re

from starlette.testclient import TestClient

from brinkmanship.web.tables.live_table import LiveTable

HTML = {"accept": "text/html"}


class Visitor:
    """A browser without scripts."""

    def __init__(self, client: TestClient) -> None:
        self.client = client
        self.cookies: dict[str, str] = {"language": "en"}

    def get(self, path: str, **headers: str) -> str:
        answer = self.ask("GET", path, **headers)
        assert answer.status_code < 400, answer.text
        return answer.text

    def post(self, path: str, **fields: object):  # type: ignore[no-untyped-def]
        return self.ask("POST", path, data={key: str(value) for key, value in fields.items()})

    def send(self, path: str, files: dict[str, tuple[str, bytes]], **fields: object):  # type: ignore[no-untyped-def]
        """Send a form with files."""
        return self.ask("POST", path, {key: str(value) for key, value in fields.items()}, files)

    def ask(  # type: ignore[no-untyped-def]
        self,
        method: str,
        path: str,
        data: dict[str, str] | None = None,
        files: dict[str, tuple[str, bytes]] | None = None,
        **headers: str,
    ):
        self.client.cookies.clear()
        cookie = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        sent = {**HTML, **{key.replace("_", "-"): value for key, value in headers.items()}, "cookie": cookie}
        answer = self.client.request(method, path, data=data, files=files, headers=sent, follow_redirects=False)
        for name, value in answer.cookies.items():
            self.cookies[name] = value
        return answer

    @property
    def csrf(self) -> str:
        found = re.search(r'<meta name="csrf" content="(\w*)"', self.get("/account"))
        assert found
        return found[1]

    def begin(self, mode: str, side: int = 0, game: str = "13-days", **fields: object) -> str:
        # The strongest would be taken: it thinks, and it would be left to chance what has happened meanwhile.
        asked = {"player": "random", **fields}
        answer = self.post("/tables", game=game, mode=mode, side=side, name="Anna", csrf=self.csrf, **asked)
        assert answer.status_code == 303, answer.text
        return str(answer.headers["location"])


def live(client: TestClient, path: str) -> LiveTable:
    found: LiveTable = client.app.state.services.tables._live[path.removeprefix("/t/")]  # type: ignore[attr-defined]
    return found


def invited(anna: Visitor, boris: Visitor, game: str = "13-days") -> str:
    """A table where Anna plays the US and Boris the USSR."""
    table = anna.begin("friend", 0, game)
    link = re.search(r'value="https?://[^"]+?(/join/[^"]+)"', anna.get(table))
    assert link
    assert boris.post(link[1], name="Boris", csrf=boris.csrf).status_code == 303
    return table


def form(page: str) -> dict[str, str]:
    """The fields of the form of choices, with its first choice."""
    choices = page[page.index('id="choices"') :]
    fields = dict(re.findall(r'<input type="hidden" name="(\w+)" value="(\w*)">', choices)[:3])
    first = re.search(r'name="action" value="(\d+)"', choices)
    assert first
    return {**fields, "action": first[1]}


def registered(visitor: Visitor, name: str, password: str = "long enough") -> Visitor:
    """The visitor has an account."""
    visitor.begin("computer")
    done = visitor.post("/account/register", login=name, password=password, csrf=visitor.csrf)
    assert done.status_code == 200, done.text
    return visitor


def signed_in(client: TestClient, name: str, password: str = "long enough", agent: str = "") -> Visitor:
    """Another browser of somebody with an account."""
    visitor = Visitor(client)
    answer = visitor.ask("POST", "/account/sign-in", {"login": name, "password": password}, user_agent=agent)
    assert answer.status_code == 303, answer.text
    return visitor
