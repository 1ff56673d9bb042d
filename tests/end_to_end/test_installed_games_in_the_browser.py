"""Games of other packages that bring rules alone are played in the browser, from the home page to the replay."""

from __future__ import annotations

from collections.abc import Iterator
from urllib.parse import urlencode

import pytest
from markupsafe import escape
from starlette.testclient import TestClient

from brinkmanship.text import LANGUAGES
from brinkmanship.web.pages.shared.results import result_of
from brinkmanship.web.server.app import create_app
from brinkmanship.web.support.settings import Settings
from support.installed_games import EXAMPLES, install, on_path
from support.visitors import Visitor, form, live

PREVIEWED = {"kuhn-poker": 0, "sealed-bids": 1}
"""Lines of the board that change with the first choice: a check changes none."""
GAMES = {"kuhn-poker": "Kuhn Poker", "sealed-bids": "Sealed Bids"}


@pytest.fixture
def anna(settings: Settings, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Visitor]:
    """At a server with both games."""
    folder = tmp_path_factory.mktemp("installed")
    install(folder, "kuhn-poker", "kuhn-poker = kuhn_poker.kit:KIT")
    install(folder, "sealed-bids", "sealed-bids = template_game.kit:KIT")
    with on_path(folder, EXAMPLES), TestClient(create_app(settings)) as client:
        yield Visitor(client)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game_id", GAMES)
def test_a_game_is_played_in_the_browser_to_its_end(anna: Visitor, game_id: str, language: str) -> None:
    anna.cookies["language"] = language
    assert GAMES[game_id] in anna.get("/")
    path = anna.begin("same", 0, game_id)
    table = live(anna.client, path)
    for _ in range(20):
        side = next((side for side in range(2) if table.decisions(side)), 0)
        page = anna.get(f"{path}?seat={side}")
        assert 'class="brink board' in page
        if table.result:
            break
        fields = form(page)
        asks = {"action": fields["action"], "version": fields["version"], "seat": side}
        assert anna.get(f"{path}/preview?" + urlencode(asks)).count("<text") == PREVIEWED[game_id], fields
        answer = anna.post(f"{path}/act", **fields)
        assert answer.status_code < 400, (fields, side)
    assert table.result
    for more in ("/finished", "/replay", "/journal"):
        assert anna.ask("GET", path + more).status_code in (200, 303), more
    assert escape(result_of(table, language)) in anna.get(path + "/finished")
    for book in ("rules", "cards", "rulings"):
        assert anna.ask("GET", f"/{book}/{game_id}").status_code == 404
        assert f"/{book}/{game_id}" not in anna.get("/")
    assert GAMES[game_id] in anna.get("/library")


@pytest.mark.parametrize(
    ("game_id", "language", "name"), [("kuhn-poker", "de", ""), ("sealed-bids", "de", "Gerechter Anteil")]
)
def test_a_new_game_names_computer_players_and_links_to_no_rules_that_are_missing(
    anna: Visitor, game_id: str, language: str, name: str
) -> None:
    anna.cookies["language"] = language
    choices = anna.get(f"/new/{game_id}")
    assert name in choices
    assert f"/rules/{game_id}" not in choices
    assert "/rules/13-minutes" in anna.get("/new/13-minutes")


def test_only_options_with_a_ruling_are_called_rulings(anna: Visitor) -> None:
    own, ours = anna.get("/new/sealed-bids"), anna.get("/new/13-minutes")
    assert "ruling" not in own
    assert "· Default" in own
    assert "· Our ruling" in ours


def test_a_card_is_its_name(anna: Visitor) -> None:
    path = anna.begin("same", 0, "kuhn-poker")
    assert "King" in anna.get(f"{path}/card/king", x_fragment="1")
    assert anna.ask("GET", f"{path}/card/ace").status_code == 404
