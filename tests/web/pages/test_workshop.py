"""The workshop: a copy of the cards is changed in the browser, looked at, simulated, played with."""

from __future__ import annotations

import re
from collections.abc import Callable
from concurrent.futures import Future
from itertools import pairwise

import pytest
from sqlalchemy import func, select, update
from starlette.testclient import TestClient

from brinkmanship.engine.data_file import DataFile, differences
from brinkmanship.games.registry import kits, load_game
from brinkmanship.store import repository, schema
from brinkmanship.store.database import open_database
from brinkmanship.text import LANGUAGES
from brinkmanship.web.jobs import background, simulation_job
from brinkmanship.web.jobs.process_pool import JobFailedError
from brinkmanship.web.jobs.simulation_job import Simulation
from brinkmanship.web.presentation.data_files import own_files
from brinkmanship.web.presentation.toml_parts import part_of, parts_of, text_of, with_another, with_part
from brinkmanship.web.studies import simulations
from support.visitors import Visitor, live

GAMES = 40
DAYS = "/workshop/13-days/cards.toml"
HOSTILE = "<b onload=alert(1)>"

OWN = [(game_id, name) for game_id in kits() for name in own_files(game_id)]


def own_text(game_id: str = "13-minutes", name: str = "cards.toml") -> str:
    return own_files(game_id)[name].decode()


# ---- The parts of a file.


@pytest.mark.parametrize(("game_id", "name"), OWN)
def test_a_file_is_its_parts(game_id: str, name: str) -> None:
    text = own_text(game_id, name)
    parts = parts_of(text)
    assert len({part.key for part in parts}) == len(parts)
    assert all(first.end == second.first for first, second in pairwise(parts))
    assert parts[-1].end == len(text.splitlines())
    for part in parts:
        assert not differences(text.encode(), with_part(text, part, text_of(text, part)).encode())


def test_a_part_has_the_remarks_above_it_and_the_tables_below() -> None:
    text = (
        'game = "x"\n\n# one\n[[card]]\nid = "a"\n[card.names]\nen = "A"\n\n[[card]]\nid = \'b\'\n\n[limits]\nfew = 2\n'
    )
    assert [part.key for part in parts_of(text)] == ["card.a", "card.b", "limits"]
    first = part_of(text, "card.a")
    assert first
    assert text_of(text, first) == '# one\n[[card]]\nid = "a"\n[card.names]\nen = "A"\n'
    assert with_part(text, first, "") == "game = \"x\"\n\n[[card]]\nid = 'b'\n\n[limits]\nfew = 2\n"
    again, key = with_another(text, first)
    assert (key, again.count("# one")) == ("card.a_2", 1)
    assert [part.key for part in parts_of(again)] == ["card.a", "card.a_2", "card.b", "limits"]
    assert with_another(again, first)[1] == "card.a_3"


def test_cards_are_added_and_taken_out() -> None:
    text = own_text("13-days")
    part = part_of(text, "card.quarantine")
    assert part
    more, _ = with_another(text, part)
    game = load_game("13-days", DataFile("a.toml", more.encode()))
    assert len(game.data.card) == 40  # type: ignore[attr-defined]
    fewer = load_game("13-days", DataFile("a.toml", with_part(text, part, "").encode()))
    assert len(fewer.data.card) == 38  # type: ignore[attr-defined]


# ---- The page.


def changed(visitor: Visitor, address: str, part: str, old: str, new: str) -> str:
    """Change a part of a version in its form; the address of the new version."""
    page = visitor.get(f"{address}?part={part}")
    text = re.search(r"<textarea.*?>(.*?)</textarea>", page, re.DOTALL)
    assert text
    written = text[1].replace("&#34;", '"').replace("&#39;", "'").replace("&lt;", "<").replace("&gt;", ">")
    assert old in written
    answer = visitor.post(address, text=written.replace(old, new), part=part)
    assert answer.status_code == 303, answer.text
    return str(answer.headers["location"].partition("?")[0])


def kept(client: TestClient) -> int:
    with client.app.state.services.engine.connect() as connection:  # type: ignore[attr-defined]
        return int(connection.execute(select(func.count()).select_from(schema.data_files)).scalar_one())


@pytest.mark.parametrize("game_id", kits())
def test_the_workshop_opens_in_every_language(client: TestClient, game_id: str) -> None:
    stranger = Visitor(client)
    address = stranger.ask("GET", f"/workshop/{game_id}").headers["location"]
    assert f'href="/workshop/{game_id}"' in stranger.get("/library")
    titles = set()
    for language in LANGUAGES:
        stranger.cookies["language"] = language
        page = stranger.get(address)
        assert "workshop." not in page.replace("workshop.js", "")
        titles.add(re.search(r"<h1>(.*?)</h1>", page).group(1))  # type: ignore[union-attr]
    assert len(titles) == len(LANGUAGES)


def test_it_opens_without_loading_a_player(anna: Visitor, monkeypatch: pytest.MonkeyPatch) -> None:
    """Loading one takes a second, and a minute where nothing is compiled."""
    monkeypatch.delattr(simulations, "load_player")
    simulations._version.cache_clear()
    assert "<textarea" in anna.get(DAYS)


def test_a_card_is_changed_and_stands_beside_the_old_one_in_four_languages(client: TestClient) -> None:
    stranger = Visitor(client)
    address = changed(stranger, DAYS, "card.quarantine", "max = 2, each = 2", "max = 5, each = 4")
    page = stranger.get(f"{address}?part=card.quarantine")
    for language in LANGUAGES:
        assert len(re.findall(rf'<svg[^>]*data-card="quarantine"[^>]*lang="{language}"', page)) == 2
    assert "card · quarantine · effects · 1 · max" in page
    again = changed(stranger, address, "card.quarantine", "max = 5, each = 4", "max = 2, each = 2")
    assert again == DAYS  # what is like the game's own is its own
    assert kept(client) == 1


def test_what_is_typed_is_looked_at_and_not_kept(client: TestClient) -> None:
    stranger, address = Visitor(client), DAYS
    part = part_of(own_text("13-days"), "card.quarantine")
    assert part
    text = text_of(own_text("13-days"), part)
    good = stranger.post(f"{address}/shown", text=text.replace("cubes = 1", "cubes = 3"), part=part.key)
    assert good.status_code == 200
    assert good.text.count('class="before"') == len(LANGUAGES)
    wrong = stranger.post(f"{address}/shown", text=text.replace("cubes =", "cubs ="), part=part.key)
    assert wrong.status_code == 200
    assert "cubs" in wrong.text
    assert "did you mean" in wrong.text
    assert "in line 4" in wrong.text  # of the part that one sees
    refused = stranger.post(address, text=text.replace("cubes =", "cubs ="), part=part.key)
    assert refused.status_code == 422
    assert "cubs = 1" in refused.text  # what was typed is still in the form
    assert stranger.post(address, text="x", part="card.nothing").status_code == 422
    assert kept(client) == 0


def test_a_file_of_ones_own_is_gone_on_with(client: TestClient) -> None:
    stranger = Visitor(client)
    mine = own_text("ukrainian-crisis", "balanced.toml").replace("vp = 20", "vp = 19").encode() + b"# mine\n"
    answer = stranger.send("/workshop/ukrainian-crisis", {"data": ("mine.toml", mine)})
    assert answer.status_code == 303
    assert stranger.ask("GET", answer.headers["location"] + "/file").content == mine
    wrong = stranger.send("/workshop/ukrainian-crisis", {"data": ("mine.toml", b"schema = 1\n[[")})
    assert wrong.status_code == 422
    assert "schema = 1" in wrong.text


def test_there_is_no_other_version(client: TestClient) -> None:
    stranger = Visitor(client)
    address = changed(stranger, DAYS, "limits", "prestige_lead_max = 5", "prestige_lead_max = 4")
    name = address.rpartition("/")[2]
    for path in (
        f"/workshop/13-minutes/{name}",
        "/workshop/13-days/" + "0" * 64,
        "/workshop/chess",
        "/workshop/chess/a",
    ):
        assert stranger.ask("GET", path).status_code == 404, path


def test_names_are_text_and_nothing_else(client: TestClient) -> None:
    stranger = Visitor(client)
    address = changed(stranger, DAYS, "card.quarantine", '"Quarantine"', f'"{HOSTILE}"')
    for path in ("?part=card.quarantine", "/cards", "?part=limits", "?part=file"):
        assert "<b onload" not in stranger.get(address + path)


def test_a_version_is_played_with(client: TestClient, anna: Visitor) -> None:
    address = changed(anna, DAYS, "limits", "prestige_lead_max = 5", "prestige_lead_max = 4")
    assert 'name="data_sha256"' in anna.get(address)
    assert 'name="data_sha256"' not in anna.get(DAYS)
    form = {"game": "13-days", "mode": "same", "name": "Anna", "data_sha256": address.rpartition("/")[2]}
    table = live(client, anna.post("/tables", **form).headers["location"])
    assert table.game.data_sha256 == form["data_sha256"]
    assert table.game.data.limits.prestige_lead_max == 4  # type: ignore[attr-defined]
    assert anna.post("/tables", **{**form, "data_sha256": "0" * 64}).status_code == 404


def test_of_versions_that_nobody_plays_with_the_latest_are_kept(database: str) -> None:
    engine = open_database(database)  # without a server, which would do its own housekeeping
    for number in range(4):
        repository.keep_data_file(engine, str(number) * 64, b"", float(number))
    repository.remove_data_files(engine, 1.0, most=2)
    with engine.connect() as connection:
        left = [sha256[0] for (sha256,) in connection.execute(select(schema.data_files.c.sha256))]
    engine.dispose()
    assert sorted(left) == ["2", "3"]


# ---- Simulations.


class Here:
    """Simulates in this process, in place of the one beside it."""

    def __init__(self) -> None:
        self.asked = 0
        self.fault: JobFailedError | None = None

    def submit(self, _: str, question: Callable[[], bytes], tell: Callable[[bytes], None]) -> Future[bytes]:
        self.asked += 1
        answer = Future[bytes]()
        if self.fault:
            answer.set_exception(self.fault)
        else:
            answer.set_result(simulation_job.run(question(), tell))
        return answer


@pytest.fixture
def here(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> Here:
    made = Here()
    monkeypatch.setattr(background, "background_pool", lambda: made)
    monkeypatch.setattr(background, "is_interpreting", lambda: False)
    client.app.state.services.simulations.games = GAMES  # type: ignore[attr-defined]
    return made


def waited_for(visitor: Visitor, address: str) -> str:
    while 'data-stage="at_work"' in (page := visitor.get(f"{address}/simulation")):
        pass
    return page


def test_a_version_is_simulated_beside_the_game_as_it_is(client: TestClient, here: Here) -> None:
    stranger = Visitor(client)
    address = changed(stranger, DAYS, "limits", "rounds = 3", "rounds = 1")
    asked = stranger.post(f"{address}/simulation", player="greedy", part="limits")
    assert asked.headers["location"] == f"{address}?part=limits#simulation"
    page = waited_for(stranger, address)
    assert here.asked == 2
    assert '<h3 id="by-greedy">' in page
    rows = re.findall(r"<th scope=\"row\">(.*?)</th><td>(.*?)</td><td>(.*?)</td>", page)
    wins = [row for row in rows if row[0] in ("US", "USSR", "Nobody wins")]
    assert len(wins) >= 2
    for column in (1, 2):
        assert sum(float(row[column].removesuffix("\xa0%")) for row in wins) == pytest.approx(100, abs=0.2)
    before, after = (float(number) for number in rows[-1][1:])
    assert after < before / 2  # decisions in a game
    stranger.post(f"{address}/simulation", player="greedy")
    assert here.asked == 2
    own = waited_for(stranger, DAYS)  # it was played with, too
    assert "Difference" not in own
    assert rows[-1][1] in own


def test_the_same_games_are_always_the_same() -> None:
    question = simulation_job.encode(load_game("13-minutes"), "greedy", 20)
    told: list[bytes] = []
    found = Simulation.from_bytes(simulation_job.run(question, told.append))
    assert found == Simulation.from_bytes(simulation_job.run(question, told.append))
    assert found.games == sum(games for _, _, games in found.results) == 20
    assert told


def test_nothing_comes_of_it_and_it_may_be_asked_again(client: TestClient, here: Here) -> None:
    stranger, address = Visitor(client), "/workshop/13-minutes/cards.toml"
    here.fault = JobFailedError("no idea")
    stranger.post(f"{address}/simulation", player="greedy")
    assert "The simulation failed" in waited_for(stranger, address)
    here.fault = None
    stranger.post(f"{address}/simulation", player="greedy")
    assert 'class="outcomes"' in waited_for(stranger, address)


def test_others_are_not_played_by_here(client: TestClient, here: Here) -> None:
    stranger, address = Visitor(client), DAYS
    assert stranger.post(f"{address}/simulation", player="search").status_code == 422
    client.app.state.services.simulations.games = 0  # type: ignore[attr-defined]
    assert stranger.post(f"{address}/simulation", player="greedy").status_code == 422
    assert "/simulation" not in stranger.get(address)
    assert here.asked == 0


def test_old_simulations_are_put_away(client: TestClient, here: Here) -> None:
    stranger, address = Visitor(client), "/workshop/13-minutes/cards.toml"
    stranger.post(f"{address}/simulation", player="greedy")
    waited_for(stranger, address)
    engine = client.app.state.services.engine  # type: ignore[attr-defined]
    with engine.begin() as connection:
        connection.execute(update(schema.simulations).values(begun_at=5.0))
    repository.remove_simulations(engine, 6.0)
    assert 'class="outcomes"' not in stranger.get(f"{address}/simulation")
    assert here.asked == 1
