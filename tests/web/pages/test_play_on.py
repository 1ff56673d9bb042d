"""Playing on from a position of a finished game: what is given, what chance does then, who may do it, what is told."""

from __future__ import annotations

import re
import runpy
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from brinkmanship.engine import commit_reveal, journal
from brinkmanship.engine.continuation import PlayOnError, given
from brinkmanship.engine.errors import JournalError
from brinkmanship.engine.game import CHANCE, FULL_INFORMATION
from brinkmanship.engine.match import Match
from brinkmanship.engine.perspective import Perspective
from brinkmanship.games.registry import BUILT_IN, load_game
from brinkmanship.web.tables.live_table import LiveTable
from brinkmanship.web.tables.statuses import RUNNING
from support.browsing import Visit
from support.cli_runner import run
from support.finished_games import EXAMPLE, finished, middle, play_on, upload
from support.program import Program
from support.serving import Server
from support.visitors import Visitor, invited, live

verify_deal = runpy.run_path(str(Path(__file__).parents[3] / "examples" / "verify_deal.py"))["verify"]


def on(anna: Visitor, table: LiveTable, step: int, **fields: object) -> LiveTable:
    """The table that comes of playing on."""
    asked = {"side": 0, "against": "me", "csrf": anna.csrf, **fields}
    answer = anna.post(f"/t/{table.id}/play-on/{step}", **asked)
    assert answer.status_code == 303, answer.text
    return live(anna.client, answer.headers["location"])


def follow(new: LiveTable, old: LiveTable) -> None:
    """Decide as the other game did, as long as that is possible."""
    for entry in old.match.entries[new.length :]:
        if entry.actor != CHANCE and new.status == RUNNING:
            new.match.push(entry.action, side=entry.actor)
            commit_reveal.advance(new.match, new.state.chance_key or b"")


@pytest.mark.parametrize("game_id", BUILT_IN)
def test_the_same_chance_brings_the_same_game_and_a_new_one_another(client: TestClient, game_id: str) -> None:
    old, anna = finished(client, game_id)
    at = middle(old)
    same = on(anna, old, at, chance="same")
    assert same.match.entries[:at] == old.match.entries[:at]
    follow(same, old)
    assert same.match.entries == old.match.entries
    fresh = on(anna, old, at, chance="fresh")
    assert fresh.match.entries[:at] == old.match.entries[:at]
    assert fresh.commitment not in (old.commitment, same.commitment)
    play_on(fresh, 8)
    drawn = [entry.text for entry in fresh.match.entries[at:] if entry.actor == CHANCE and not entry.by_rules]
    assert drawn != [entry.text for entry in old.match.entries[at:] if entry.actor == CHANCE and not entry.by_rules]


@pytest.mark.parametrize("game_id", BUILT_IN)
def test_its_journal_is_whole_and_its_own_deals_can_be_verified(
    client: TestClient, game_id: str, tmp_path: Path
) -> None:
    old, anna = finished(client, game_id)
    at = middle(old)
    for chance in ("same", "fresh"):
        new = on(anna, old, at, chance=chance)
        play_on(new, 8)
        record = journal.parse(anna.get(f"/t/{new.id}/journal"))
        assert (record.headers["given"], record.headers["given-from"]) == (str(at), f"/t/{old.id}")
        assert journal.play(record, new.game).entries == new.match.entries
        own = [entry for entry in new.match.entries[at:] if entry.actor == CHANCE and not entry.by_rules]
        assert commit_reveal.verify(record, new.game) == verify_deal(record.text()) == len(own)
        page = anna.get(f"/verify?table={new.id}")
        assert "from another game, which was continued here" in page
    assert "another game" in run("verify", write(tmp_path, record)).out
    for wrong, fault, error in (
        ("0", "by the revealed secret", commit_reveal.UnfairDealError),
        ("9" * 6, "given", JournalError),
    ):
        record.headers["given"] = wrong
        with pytest.raises(error, match=fault):
            commit_reveal.verify(record, new.game)


def write(folder: Path, record: journal.Journal) -> str:
    record.write(folder / "game.brink")
    return str(folder / "game.brink")


def test_the_table_is_the_same_from_its_records_and_nobody_takes_the_given_back(client: TestClient) -> None:
    old, anna = finished(client)
    entries = old.match.entries
    at = next(n for n in range(old.length // 2, old.length) if entries[n].actor == entries[n - 1].actor == 0)
    new = on(anna, old, at, side=0)
    assert old.match.undo_count(0) == 0  # it is over; but in that position the step before could be taken back
    assert new.undo_count(0) == 0
    action = new.match.legal(0)[0].action
    fields = {"side": 0, "csrf": anna.csrf, "action": action, "version": new.version(0)}
    assert anna.post(f"/t/{new.id}/act", **fields).status_code == 303
    app: Any = client.app
    again = app.state.services.tables.loader.read(new.id)
    assert (again.match.entries, again.origin, again.given) == (new.match.entries, new.origin, at)
    assert anna.get(f"/t/{new.id}").count(f"/t/{old.id}/replay/{at}") == 1
    assert "played on" in anna.get("/")


def test_a_friend_may_be_asked_but_nothing_is_taken_back_to_before_the_position(client: TestClient) -> None:
    old, anna = finished(client)
    new = on(anna, old, middle(old), side=1, against="friend")
    assert new.status == "waiting"
    link = re.search(r'value="https?://[^"]+?(/join/[^"]+)"', anna.get(f"/t/{new.id}"))
    assert link
    boris = Visitor(client)
    assert "anyone can see all cards" in boris.get(link[1])
    assert boris.post(link[1], name="Boris").status_code == 303
    assert new.match.entries[: new.given] == old.match.entries[: new.given]
    side = new.to_move[0]
    asks = (boris, anna)[side]
    before = next(n for n in range(new.given, 0, -1) if new.match.entries[n - 1].actor == side) - 1
    fields = {"side": side, "csrf": asks.csrf, "version": new.version(side), "keep": before}
    assert asks.post(f"/t/{new.id}/ask-back", **fields).status_code == 422


def test_only_what_is_open_to_all_is_played_on(client: TestClient) -> None:
    anna, boris = Visitor(client), Visitor(client)
    running = invited(anna, boris)
    fields = {"side": 0, "against": "me", "csrf": anna.csrf}
    for answer in (anna.ask("GET", f"{running}/play-on/3"), anna.post(f"{running}/play-on/3", **fields)):
        assert (answer.status_code, "play on only from a finished game" in answer.text) == (422, True)
    assert "play-on" not in anna.get(f"{running}/replay")
    table, clara = finished(client)
    fields["csrf"] = clara.csrf
    for change in ({"against": "open"}, {"against": "computer:nobody"}, {"side": 7}, {"chance": "mine"}):
        assert clara.post(f"/t/{table.id}/play-on/9", **{**fields, **change}).status_code in (400, 422)
    for step in (table.length, table.length + 1, -1):
        assert clara.ask("GET", f"/t/{table.id}/play-on/{step}").status_code == 422
    strange = Visitor(client)
    assert strange.post(f"/t/{table.id}/play-on/9", side=0, against="me", name="Dora").status_code == 303


def test_a_journal_from_elsewhere_is_played_on_and_leads_back(client: TestClient) -> None:
    address = upload(client, EXAMPLE.read_bytes())
    anna = Visitor(client)
    anna.begin("same")
    page = anna.get(f"{address}/play-on/30")
    assert 'value="same"' not in page  # nobody knows what decided its chance
    answer = anna.post(f"{address}/play-on/30", side=0, against="me", chance="same", csrf=anna.csrf)
    assert answer.status_code == 422
    answer = anna.post(f"{address}/play-on/30", side=0, against="me", csrf=anna.csrf)
    new = live(client, answer.headers["location"])
    assert new.match.entries[:30] == journal.play(journal.read(EXAMPLE), new.game).entries[:30]
    play_on(new, 1)
    once_more = upload(client, new.journal(FULL_INFORMATION).text())
    assert f'href="{address}/replay/30"' in anna.get(once_more)
    assert 'value="same"' in anna.get(f"{once_more}/play-on/40")  # a table's journal tells it


def test_programs_play_on_too(client: TestClient) -> None:
    old, _ = finished(client, "13-minutes")
    program = Program(client, "Anna")
    body = {"step": middle(old), "side": "ussr", "against": "friend", "same_chance": True}
    made = program.ask(f"/tables/{old.id}/play_on", body, 201)
    assert made["origin"] == {"address": f"/t/{old.id}", "step": body["step"], "same_chance": True}
    assert (made["you"], list(made["invitations"])) == (["ussr"], ["us"])
    program.ask(f"/tables/{old.id}/play_on", {**body, "step": old.length}, 422)
    program.ask(f"/tables/{made['id']}/play_on", body, 422)


def halves(match: Match) -> list[int]:
    return [count for count in range(1, len(match.entries)) if match.is_first_answer(count)]


@pytest.mark.parametrize("game_id", ["13-days", "13-minutes"])
def test_half_of_a_secret_choice_is_not_given(client: TestClient, game_id: str) -> None:
    old, _ = finished(client, game_id)
    seen = Perspective(old.match, FULL_INFORMATION)
    found = halves(old.match)
    assert found
    for count in found:
        assert len(given(seen, count)) == count - 1
    with pytest.raises(ValueError, match="full information"):
        given(Perspective(old.match, 0), 3)
    with pytest.raises(PlayOnError):
        given(seen, old.length)


def test_what_was_given_is_no_part_of_the_analysis() -> None:
    from brinkmanship.analysis.pipeline import analyse

    record = journal.read(EXAMPLE)
    match = journal.play(record, load_game(record.game_id, options=record.options))
    at = 3 * len(match.entries) // 4
    result = record.result if " by " in record.result else "us by resignation"
    found = analyse(match, playouts=8, result=result, given=at)
    assert found.steps[0].first >= at
    assert found.steps[0].before == found.initial
    assert found.bars(0).luck + found.bars(0).guess + found.bars(0).play == pytest.approx(found.final - found.initial)


def test_from_a_replay_in_the_browser_with_one_key(visit: Visit, server: Server) -> None:
    page = visit("/replay/upload")
    page.set_input_files("input[name=file]", EXAMPLE)
    page.locator("form:has(input[name=file]) button").click()
    address = page.url
    page.goto(f"{address}/replay/29")
    page.keyboard.press("ArrowRight")
    page.wait_for_selector("#step[data-n='30']")
    page.keyboard.press("p")
    page.fill("input[name=name]", "Anna")
    page.select_option("select[name=against]", "me")
    page.locator(".play-on-form button").click()
    page.wait_for_selector("#state")
    table = server.app.state.services.tables._live[page.url.rpartition("/")[2]]
    assert table.length == 30
    back = page.locator("#story a[href$='/replay/30']")
    back.dispatch_event("click")
    page.wait_for_selector("#step[data-n='30']")


def test_from_the_terminal(tmp_path: Path) -> None:
    saved = tmp_path / "again.brink"
    told = ["play", "13-days", "--load", str(EXAMPLE), "--at", "30", "--side", "both", "--plain"]
    answers = iter(("", "undo", f"save {saved}", "quit"))
    result = run(*told, answer=lambda _: next(answers, "quit"))
    assert result.code == 0, result.err
    record = journal.read(saved)
    assert (record.headers["given"], record.headers["given-from"]) == ("30", EXAMPLE.name)
    texts = [entry.text for entry in record.entries]
    assert texts == [entry.text for entry in journal.read(EXAMPLE).entries[:30]]
    assert run("play", "13-days", "--at", "30").code == run(*told, "--save", str(saved)).code == 2
    assert run("play", "13-days", "--load", str(saved), "--at", "30", "--same-chance").code == 2
