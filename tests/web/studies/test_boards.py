"""Boards of analysis: both sides by one hand, another way, what is kept, who may change it, what is compared."""

from __future__ import annotations

import html
import random
import re
from typing import Any

import pytest
from starlette.testclient import TestClient

from brinkmanship.analysis.compare import ComparedPosition, compared
from brinkmanship.engine import journal
from brinkmanship.engine.errors import IllegalActionError
from brinkmanship.engine.game import FULL_INFORMATION, Game
from brinkmanship.engine.match import Match
from brinkmanship.engine.perspective import Perspective
from brinkmanship.engine.record import State
from brinkmanship.engine.variations import Position, Variation, fresh_chance, manual_chance, replay_chance
from brinkmanship.games.registry import BUILT_IN, load_game
from brinkmanship.store import boards
from brinkmanship.store.boards import Board, KeptLine
from brinkmanship.web.studies import boards as studies_boards
from brinkmanship.web.studies.boards import THE_GAME, placed
from brinkmanship.web.support.ids import new_id
from brinkmanship.web.tables.live_table import LiveTable
from support.browsing import Visit, picture, wait_for
from support.finished_games import EXAMPLE, finished, middle, over, upload
from support.program import Program
from support.serving import Server
from support.visitors import Visitor, invited, live

# ---- Lines.


@pytest.mark.parametrize("game_id", BUILT_IN)
def test_a_line_is_the_same_from_what_is_kept_of_it(game_id: str) -> None:
    root, choose = Perspective(over(game_id), FULL_INFORMATION), random.Random(1)
    for base in range(0, root.length, max(1, root.length // 12)):
        for advance in (fresh_chance, manual_chance, replay_chance(b"k" * 32)):
            position = Position(root, Variation(base))
            for _ in range(5):
                if position.is_over:
                    break
                actions = [one.action for one in (position.outcomes() or position.legal())]
                position = position.act(choose.choice(actions), advance)
                again = Position(root, position.line)
                assert again.seen.entries == position.seen.entries
                assert again.seen.view().tobytes() == position.seen.view().tobytes()
                assert again.line == position.line
                assert Variation(position.line.base).begins(position.line)


def test_what_the_game_did_is_no_line_of_its_own() -> None:
    match = over("13-days")
    root = Perspective(match, FULL_INFORMATION)
    at = next(at for at in range(20, match.actor + len(match.entries)) if len(root.game.to_move(root.view(at))) == 1)
    done = Position(root, Variation(at)).act(match.entries[at].action, manual_chance)
    assert done.line == Variation(done.line.length)
    assert placed((), THE_GAME, done.line) == ((), THE_GAME)


def test_a_line_grows_at_its_end_and_another_one_begins_before_it() -> None:
    one, longer, other = Variation(5, ((0, 1),)), Variation(5, ((0, 1), (1, 2))), Variation(5, ((0, 3),))
    lines, number = placed((), THE_GAME, one)
    assert (lines, number) == ((KeptLine(1, one),), 1)
    lines, number = placed(lines, 1, longer)
    assert (lines, number) == ((KeptLine(1, longer),), 1)
    assert placed(lines, 1, one) == (lines, 1)
    lines, number = placed(lines, 1, other)
    assert (lines[1], number) == (KeptLine(2, other), 2)
    assert placed(lines, 2, longer) == (lines, 1)


def test_chance_does_what_one_says_and_nothing_else() -> None:
    game = load_game("13-minutes")
    root = Perspective(over("13-minutes"), FULL_INFORMATION)
    at = next(at for at in range(root.length) if len(Position(root, Variation(at)).outcomes()) > 3)
    here = Position(root, Variation(at))
    assert sum(one.share for one in here.outcomes()) == pytest.approx(1.0)
    for one in here.outcomes():
        assert here.act(one.action, manual_chance).seen.entries[at].action == one.action
    with pytest.raises(IllegalActionError):
        here.act(
            next(
                action
                for action in range(len(game.action_texts))
                if action not in {one.action for one in here.outcomes()}
            ),
            manual_chance,
        )


def test_lines_are_tried_only_where_all_cards_are_open_and_the_game_has_them() -> None:
    match = over("13-days")
    with pytest.raises(ValueError, match="full information"):
        Position(Perspective(match, 0), Variation(3))
    with pytest.raises(IllegalActionError):
        Position(Perspective(match, FULL_INFORMATION), Variation(len(match.entries) + 1))


@pytest.mark.parametrize("game_id", BUILT_IN)
def test_positions_are_compared_in_the_same_futures(game_id: str) -> None:
    match = over(game_id)
    states = [match.state_after(count) for count in (10, len(match.entries))]
    found = {side: compared(match.game, [*states, states[0]], side, futures=40) for side in (0, 1)}
    for of_us, of_other in zip(found[0], found[1], strict=True):
        assert of_us.win + of_other.win == pytest.approx(1.0)
    first, end, again = found[0]
    assert again == first
    assert end.error == 0.0
    assert end.win in (0.0, 0.5, 1.0)
    assert {one.behind for one in found[0] if one.is_best} >= {0.0}
    assert compared(match.game, [], 0) == []


# ---- What is kept.


def test_boards_are_kept_changed_by_two_and_removed(client: TestClient, anna: Visitor) -> None:
    app: Any = client.app
    engine = app.state.services.engine
    table = live(client, anna.begin("same"))
    person = table.seats[0].person_id
    assert person
    line = Variation(3, ((0, 1), (2, 5)))
    new = Board(new_id(), person, table.id, None, "13-days", "Mine", (KeptLine(1, line, "a"),), 0, 5.0)
    boards.add(engine, new, None, 5.0)
    assert boards.board(engine, new.id) == new
    assert boards.journal_of(engine, new.id) is None

    def both(lines: boards.Lines) -> boards.Lines:
        if len(lines) == 1:  # meanwhile another tab adds one
            boards.change(engine, new.id, lambda now: (*now, KeptLine(2, line)), 6.0)
        return (*lines, KeptLine(3, line))

    boards.change(engine, new.id, both, 7.0)
    kept = boards.board(engine, new.id)
    assert kept
    assert [one.number for one in kept.lines] == [1, 2, 3]
    assert boards.of_person(engine, person, 5) == [kept]
    boards.remove(engine, new.id)
    assert boards.count_of(engine, person) == 0


def board_of(client: TestClient, path: str) -> Board:
    """The board that an address names."""
    app: Any = client.app
    found = boards.board(app.state.services.engine, path.split("/")[2])
    assert found
    return found


def try_one(visitor: Visitor, path: str, number: int = -1, **fields: object) -> str:
    """Choose one of the answers at a position; where that leads."""
    actions = re.findall(r'name="action" value="(\d+)"', visitor.get(path))
    sent = visitor.post(path, **{"action": actions[number], "chance": "same", "csrf": visitor.csrf, **fields})
    assert sent.status_code == 303, sent.text
    return str(sent.headers["location"])


@pytest.mark.parametrize("game_id", BUILT_IN)
def test_one_plays_both_sides_goes_back_and_tries_another_way(client: TestClient, game_id: str) -> None:
    table, anna = finished(client, game_id)
    at = middle(table)
    before = list(table.match.entries)
    done = before[at].action
    actions = re.findall(r'name="action" value="(\d+)"', anna.get(f"/t/{table.id}/branches/{at}"))
    others = [number for number, action in enumerate(actions) if int(action) != done]
    path = try_one(anna, f"/t/{table.id}/branches/{at}", others[0])
    assert re.fullmatch(r"/b/\w+/1/\d+", path)
    for _ in range(3):
        if 'name="action"' in anna.get(path):
            path = try_one(anna, path)
    kept = board_of(client, path)
    assert [one.number for one in kept.lines] == [1]
    grown = Position(Perspective(table.match, FULL_INFORMATION), kept.lines[0].line)
    assert path.endswith(f"/{grown.line.length}")
    back = f"/b/{kept.id}/1/{grown.line.base}"
    if len(others) > 1:
        try_one(anna, back, others[1])
        assert [one.number for one in board_of(client, path).lines] == [1, 2]
    assert try_one(anna, back, others[0]).startswith(f"/b/{kept.id}/1/")  # it is there already
    assert table.match.entries == before
    text = anna.get(f"/b/{kept.id}/1/journal")
    record = journal.parse(text)
    assert record.headers["given"] == str(grown.line.base)
    assert journal.play(record, table.game).entries == grown.seen.entries
    assert "<svg" in anna.get(f"/b/{kept.id}/1/picture.svg?n={grown.line.length}")
    assert f"/b/{kept.id}" in anna.get("/branches")


def test_a_board_is_shown_in_a_frame_of_another_site(client: TestClient) -> None:
    table, anna = finished(client)
    at = middle(table)
    path = try_one(anna, f"/t/{table.id}/branches/{at}", _other(anna, table, at))
    board_id, end = path.split("/")[2], int(path.split("/")[4])
    page = anna.get(path)
    (code,) = (html.unescape(found) for found in re.findall(r'value="(&lt;iframe[^"]+)"', page))
    frame = re.findall(r'src="http://[^/]+([^"]+)"', code)[0]
    assert frame == f"/b/{board_id}/1/embed?at={end}"
    stranger = Visitor(client)
    shown = stranger.ask("GET", f"{frame}&lang=de")
    assert "frame-ancestors *" in shown.headers["content-security-policy"]
    assert "<form" not in shown.text
    assert f"Schritt {end} von {end}" in shown.text
    before = html.unescape(re.findall(r'href="([^"]+)" rel="prev"', shown.text)[0])
    assert stranger.ask("GET", before).status_code == 200
    assert re.search(rf'href="http://[^"]+{path}" target="_blank"', shown.text)
    told = html.unescape(re.findall(r'json\+oembed" href="http://[^/]+([^"]+)"', page)[0])
    assert stranger.ask("GET", told).json()["html"] == code
    for wrong in (f"/b/{board_id}/1/embed?at={end + 1}", f"/b/{board_id}/7/embed", "/b/none/1/embed"):
        assert stranger.ask("GET", wrong).status_code == 404
    table.sealed = True
    assert stranger.ask("GET", frame).status_code == 422


def test_who_looks_changes_nothing_and_goes_on_with_a_board_of_his_own(client: TestClient) -> None:
    table, anna = finished(client)
    at = middle(table)
    path = try_one(anna, f"/t/{table.id}/branches/{at}", _other(anna, table, at))
    mine = board_of(client, path)
    boris = Visitor(client)
    assert "belongs to someone else" in boris.get(path)
    assert "/name" not in boris.get(path).split('class="sheet lines-of"')[1]
    own = try_one(boris, path, name="Boris")
    assert own.split("/")[2] != mine.id
    assert board_of(client, path) == mine
    assert board_of(client, own).title == mine.title
    for action in ("1/remove", "0/remove", "1/name", "0/name"):
        assert boris.post(f"/b/{mine.id}/{action}", csrf=boris.csrf, name="x").status_code == 403
    assert board_of(client, path) == mine
    anna.post(f"/b/{mine.id}/1/name", csrf=anna.csrf, name="Sharper")
    anna.post(f"/b/{mine.id}/0/name", csrf=anna.csrf, name="Round 2")
    assert "Sharper" in boris.get(path)
    assert "Round 2" in anna.get("/branches")
    anna.post(f"/b/{mine.id}/1/remove", csrf=anna.csrf)
    assert boris.ask("GET", path).status_code == 404
    anna.post(f"/b/{mine.id}/0/remove", csrf=anna.csrf)
    assert boris.ask("GET", f"/b/{mine.id}/0/0").status_code == 404


def _other(visitor: Visitor, table: LiveTable, at: int) -> int:
    """An answer that the game did not give there."""
    actions = re.findall(r'name="action" value="(\d+)"', visitor.get(f"/t/{table.id}/branches/{at}"))
    return next(n for n, action in enumerate(actions) if int(action) != table.match.entries[at].action)


def test_an_upload_that_is_no_longer_kept_comes_back_with_its_board(client: TestClient, anna: Visitor) -> None:
    app: Any = client.app
    address = upload(client, EXAMPLE.read_bytes())
    match = journal.play(journal.read(EXAMPLE), load_game("13-days"))
    at = next(n for n in range(30, 60) if len(match.game.to_move(match.state_after(n))) == 1)
    page = anna.get(f"{address}/branches/{at}")
    assert 'value="same"' not in page
    answer = anna.post(
        f"{address}/branches/{at}", action=_first(page, match, at), chance="same", csrf=anna.csrf, name="A"
    )
    assert answer.status_code == 422
    path = try_one(anna, f"{address}/branches/{at}", chance="fresh", name="Anna")
    from sqlalchemy import delete

    from brinkmanship.store.schema import uploads

    with app.state.services.engine.begin() as connection:
        connection.execute(delete(uploads))
    app.state.services.uploads.clear()
    assert anna.ask("GET", f"{address}/replay").status_code == 404
    anna.get(path)
    anna.get(f"{address}/replay")


def _first(page: str, match: Match, at: int) -> str:
    return next(one for one in re.findall(r'name="action" value="(\d+)"', page) if int(one) != match.entries[at].action)


def test_a_game_that_goes_on_has_no_board_and_nonsense_is_refused(client: TestClient) -> None:
    anna, boris = Visitor(client), Visitor(client)
    running = invited(anna, boris)
    assert anna.ask("GET", f"{running}/branches/3").status_code == 422
    assert anna.post(f"{running}/branches/3", action=1, csrf=anna.csrf).status_code == 422
    table, carla = finished(client)
    at = middle(table)
    here = f"/t/{table.id}/branches/{at}"
    for wrong in ({"action": 99_999}, {}, {"outcome": 3}, {"action": 1, "chance": "kind"}):
        assert carla.post(here, csrf=carla.csrf, **wrong).status_code in (400, 422)
    assert carla.post(here, action=1).status_code == 403
    for path in (f"/t/{table.id}/branches/99999", "/b/none", "/b/none/1/2", f"{here}/preview?action=99999"):
        assert carla.ask("GET", path).status_code in (404, 422)
    assert Visitor(client).ask("GET", "/branches").headers["location"] == "/account"


def test_nobody_keeps_more_lines_or_boards_than_are_allowed(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    table, anna = finished(client)
    at = middle(table)
    here = f"/t/{table.id}/branches/{at}"
    path = try_one(anna, here, _other(anna, table, at))
    monkeypatch.setattr(studies_boards, "MAX_LINES", 1)
    monkeypatch.setattr(studies_boards, "MAX_BOARDS", 1)
    actions = re.findall(r'name="action" value="(\d+)"', anna.get(here))
    line = board_of(client, path).lines[0].line
    unused = next(one for one in actions if int(one) not in (table.match.entries[at].action, line.actions[0][1]))
    fields = {"action": unused, "csrf": anna.csrf}
    assert anna.post(f"/b/{path.split('/')[2]}/1/{at}", **fields).status_code == 422
    assert anna.post(here, **fields).status_code == 422


def test_a_line_is_played_on_against_somebody(client: TestClient) -> None:
    table, anna = finished(client)
    at = middle(table)
    path = try_one(anna, f"/t/{table.id}/branches/{at}", _other(anna, table, at))
    board_id, number, end = path.split("/")[2:]
    anna.get(f"/b/{board_id}/{number}/play-on/{end}")
    answer = anna.post(f"/b/{board_id}/{number}/play-on/{end}", side=0, against="me", chance="same", csrf=anna.csrf)
    new = live(client, answer.headers["location"])
    position = Position(Perspective(table.match, FULL_INFORMATION), board_of(client, path).lines[0].line)
    assert new.match.entries[: new.given] == position.seen.entries[: new.given]
    assert new.origin
    back = anna.ask("GET", f"{new.origin.address}/replay/{new.given}")
    assert back.headers["location"] == f"/b/{board_id}/{number}/{new.given}"


# ---- In a browser.


def test_lines_are_tried_and_compared_in_a_browser(visit: Visit, server: Server) -> None:
    page = visit("/")
    with open(EXAMPLE, "rb") as file:
        content = file.read()
    page.goto(f"{server.url}/replay/upload")
    page.set_input_files("input[name=file]", {"name": "game.brink", "mimeType": "text/plain", "buffer": content})
    page.click("main form button")
    match = journal.play(journal.read(EXAMPLE), load_game("13-days"))
    at = next(n for n in range(30, 60) if len(match.game.to_move(match.state_after(n))) == 1)
    page.goto(f"{page.url}/replay/{at}")
    page.click("#branches")
    page.fill("input[name=name]", "Anna")
    for _ in range(2):
        page.wait_for_load_state("load")  # its scripts have run
        page.keyboard.press("Escape")
        other = page.locator("#choices button[name=action]").last
        other.evaluate("button => puzzle.selection.choose(button)")
        page.click("#do")
        page.wait_for_url("**/b/*/1/*")
    is_compared = "document.querySelector('[data-value=\"1\"]').textContent.includes('±')"
    wait_for(page, is_compared)
    picture(page, "branches")
    # After steps in quick succession the server refuses at first.
    page.route("**/values", lambda route: route.fulfill(status=429, headers={"Retry-After": "0"}), times=1)
    page.reload()
    wait_for(page, is_compared)
    here = page.url
    page.locator("#prompt").focus()
    page.keyboard.press(",")
    page.wait_for_url(lambda url: url != here)
    page.keyboard.press(".")
    page.wait_for_url(here)


# ---- For programs.


def test_programs_try_lines_and_compare_them(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    table, _ = finished(client)
    at = middle(table)
    anna, boris = Program(client, "Anna"), Program(client, "Boris")
    done = table.match.entries[at].text
    match = table.match.until(at)
    others = [text for text in match.legal_texts(min(match.pending)) if text != done]
    begun = anna.ask(f"/tables/{table.id}/boards", {"at": at, "action": others[0], "chance": "hand"}, 201)
    board = f"/boards/{begun['board']}"
    kept = anna.ask(board)
    assert (kept["game"], kept["table"], kept["is_own"]) == ("13-days", table.id, True)
    (line,) = kept["lines"]
    assert (line["number"], line["base"], line["length"]) == (1, at, begun["at"])
    assert line["steps"][0] == others[0]
    assert anna.ask("/boards") == [
        {"id": begun["board"], "game": "13-days", "table": table.id, "title": "", "lines": 1}
    ]
    here = anna.ask(f"{board}/position?line=1&at={at}")
    assert (here["asked"], here["at"]) == (table.game.sides[table.match.entries[at].actor], at)
    assert set(here["legal"]) == {done, *others}
    assert here["state"]["cards"]  # all of them open
    end = anna.ask(f"{board}/position?line=1")
    assert end["at"] == line["length"]
    grown = _go_on(anna, board, 1, end)
    assert (grown["line"], grown["board"]) == (1, begun["board"])
    assert grown["at"] > line["length"]
    # Before its end a line of its own begins, and what the game did is none.
    assert anna.ask(f"{board}/steps", {"line": 1, "at": at, "action": done, "chance": "hand"})["line"] == 0
    if len(others) > 1:
        assert anna.ask(f"{board}/steps", {"line": 1, "at": at, "action": others[1], "chance": "hand"})["line"] == 2
    # Who goes on from somebody else's has one of his own.
    of_boris = boris.ask(f"{board}/steps", {"line": 1, "at": at, "action": others[0], "chance": "hand"})
    assert of_boris["board"] != begun["board"]
    assert not boris.ask(board)["is_own"]
    number = len(anna.ask(board)["lines"])

    async def as_said(_self: object, _game: Game, side: int, groups: list[list[State]]) -> list[list[ComparedPosition]]:
        assert side == table.match.entries[at].actor
        ends = range(len(groups[0]))
        return [[ComparedPosition(0.5 - 0.1 * end, 0.01, 0.1 * end, 0.02) for end in ends]]

    monkeypatch.setattr(studies_boards.Boards, "compare", as_said)
    values = anna.ask(f"{board}/values")
    assert values["side"] == here["asked"]
    assert [one["line"] for one in values["lines"]] == [*range(1, number + 1), 0]
    assert values["lines"][0] == {
        "line": 1,
        "at": grown["at"],
        "win": 0.5,
        "error": 0.01,
        "behind": 0.0,
        "behind_error": 0.02,
        "is_best": True,
    }


def _go_on(program: Program, board: str, number: int, end: dict[str, Any]) -> Any:
    """One step more at the end of a line: an answer, or what chance may do."""
    legal = end["legal"] or [one["action"] for one in end["outcomes"]]
    return program.ask(f"{board}/steps", {"line": number, "at": end["at"], "action": legal[0], "chance": "hand"}, 200)


def test_what_programs_may_not_try_is_refused(client: TestClient) -> None:
    table, _ = finished(client)
    at, anna = middle(table), Program(client, "Anna")
    begin = f"/tables/{table.id}/boards"
    for body in ({"at": at}, {"at": at, "action": "surrender"}, {"at": at, "action": "", "chance": "hand"}):
        anna.ask(begin, body, 422)
    for body in ({}, {"at": -1}, {"at": at, "chance": "kind"}, {"at": at, "line": 0, "more": 1}):
        anna.ask(begin, body, 400)
    anna.ask(begin, {"at": 99_999, "action": "x"}, 404)
    anna.ask(begin, {"at": at, "line": 3, "action": "x"}, 404)
    for path in ("/boards/none", "/boards/none/position", "/boards/none/values"):
        anna.ask(path, None, 404)
    running = invited(Visitor(client), Visitor(client)).removeprefix("/t/")
    anna.ask(f"/tables/{running}/boards", {"at": 3, "action": "x"}, 422)
