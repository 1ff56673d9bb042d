"""The site as an app: its manifest in four languages, its icons, its service worker, and the offline page."""

from __future__ import annotations

import json
import re
import struct

import pytest
from starlette.testclient import TestClient

from brinkmanship.games.registry import kits
from brinkmanship.text import LANGUAGES
from brinkmanship.web.pages.site.site_files import BOOKS


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_manifest_names_the_site_and_its_games_in_the_readers_language(client: TestClient, language: str) -> None:
    page = client.get("/", headers={"accept": "text/html", "accept-language": language})
    address = re.search(r'<link rel="manifest" href="([^"]+)">', page.text)
    assert address
    answer = client.get(address[1])
    assert answer.headers["content-type"].startswith("application/manifest+json")
    manifest = answer.json()
    said = {"en": "Three two-player", "ru": "Три игры", "de": "Drei Krisenspiele", "pl": "Trzy dwuosobowe"}
    assert manifest["description"].startswith(said[language])
    assert manifest["lang"] == language
    assert [shortcut["url"] for shortcut in manifest["shortcuts"]] == [f"/new/{game_id}" for game_id in kits()]
    for path in (*(shortcut["url"] for shortcut in manifest["shortcuts"]), manifest["start_url"]):
        assert client.get(path).status_code == 200


def test_icons_have_the_size_that_the_manifest_says(client: TestClient) -> None:
    for icon in client.get("/manifest.webmanifest?lang=xx").json()["icons"]:
        answer = client.get(icon["src"])
        assert answer.headers["content-type"] == icon["type"]
        if icon["type"] == "image/png":
            width, height = struct.unpack(">II", answer.content[16:24])
            assert icon["sizes"] == f"{width}x{height}"


def test_the_service_worker_keeps_only_what_is_the_same_for_all(client: TestClient) -> None:
    answer = client.get("/sw.js")
    assert answer.headers["content-type"].startswith("text/javascript")
    assert answer.headers["cache-control"] == "no-store"
    constants = dict(re.findall(r"^const (\w+) = (.+);$", answer.text, re.MULTILINE))
    shell, books = json.loads(constants["SHELL"]), json.loads(constants["BOOKS"])
    assert all(path == "/offline" or path.startswith("/static/") for path in shell)
    assert all("immutable" in client.get(path).headers["cache-control"] for path in shell if path != "/offline")
    assert tuple(books) == BOOKS == ("/library", "/rules", "/cards", "/rulings", "/learn")


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_offline_page_leads_to_what_can_be_read(client: TestClient, language: str) -> None:
    page = client.get("/offline", headers={"accept": "text/html", "accept-language": language}).text
    said = {"en": "No connection", "ru": "Нет связи", "de": "Keine Verbindung", "pl": "Brak połączenia"}
    assert f"<h1>{said[language]}</h1>" in page
    assert all(f'href="/rules/{game_id}"' in page for game_id in kits())
