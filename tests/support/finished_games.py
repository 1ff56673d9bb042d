"""Tables and journals of finished games."""

from __future__ import annotations

import random
import re
from pathlib import Path
from typing import Any

from starlette.testclient import TestClient

from brinkmanship.engine.match import Match, dealer
from brinkmanship.games.registry import load_game
from brinkmanship.web.cluster.table_record import TableRecord
from brinkmanship.web.tables.live_table import LiveTable
from brinkmanship.web.tables.record_kinds import ACTION
from brinkmanship.web.tables.seating import TableSettings
from brinkmanship.web.tables.statuses import FINISHED, RUNNING
from support.visitors import HTML, Visitor

EXAMPLE = Path(__file__).parents[2] / "examples" / "13-days-playthrough.brink"


def two(client: TestClient, game_id: str = "13-days") -> tuple[LiveTable, list[dict[str, str]]]:
    """A table of two people, and the headers with which each of them asks."""
    app: Any = client.app
    people = [app.state.services.users.add_guest(name, "en") for name in ("Anna", "Boris")]

    async def set_table() -> LiveTable:
        parts = app.state.services
        table, tokens = await parts.seating.create(TableSettings(game_id, ["me", "friend"]), people[0][0].id, "Anna")
        joined: LiveTable = await parts.seating.join(table.id, people[1][0].id, "Boris", tokens[1])
        return joined

    assert client.portal is not None
    table = client.portal.call(set_table)
    return table, [{**HTML, "cookie": f"session={token}; language=en"} for _, token in people]


def play_on(table: LiveTable, seed: int, most: int = 10**6) -> None:
    """Random play; what is not kept in the database does not matter here."""
    choose = random.Random(seed)
    while table.status == RUNNING and most:
        side = choose.choice(table.to_move)
        table.apply_record(TableRecord(ACTION, side, choose.choice(table.match.legal(side)).action, 0.0))
        most -= 1


def upload(client: TestClient, content: str | bytes, status: int = 303) -> str:
    answer = client.post(
        "/replay/upload", files={"file": ("game.brink", content)}, headers=HTML, follow_redirects=False
    )
    assert answer.status_code == status, answer.text
    return str(answer.headers["location"]) if status == 303 else answer.text


def finished(client: TestClient, game_id: str = "13-days", seed: int = 3) -> tuple[LiveTable, Visitor]:
    """A game at a table that random play has ended, and one of its two players."""
    table, headers = two(client, game_id)
    play_on(table, seed)
    assert table.status == FINISHED
    anna = Visitor(client)
    anna.cookies["session"] = re.findall(r"session=([^;]+)", headers[0]["cookie"])[0]
    return table, anna


def middle(table: LiveTable) -> int:
    """Somewhere in the middle where one side is asked."""
    match, half = table.match, table.length // 2
    return next(at for at in range(half, 0, -1) if len(table.game.to_move(match.state_after(at))) == 1)


def over(game_id: str, seed: int = 3) -> Match:
    """A game that chance has played to its end."""
    match, choose, deal = Match(load_game(game_id)), random.Random(seed), dealer(seed)
    while not match.is_over:
        match.advance(deal)
        if not match.is_over:
            side = min(match.pending)
            match.push(choose.choice(match.legal(side)).action, side=side)
    return match
