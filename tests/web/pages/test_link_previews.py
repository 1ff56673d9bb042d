"""Links shared in chats show a picture there: a PNG, since chats draw no SVG."""

from __future__ import annotations

import re
import struct

from starlette.testclient import TestClient

from brinkmanship.drawing.link_preview import HEIGHT, WIDTH, link_preview
from brinkmanship.drawing.png import png
from support.finished_games import EXAMPLE, upload
from support.visitors import Visitor


def test_pages_that_are_shared_have_a_picture(anna: Visitor, client: TestClient) -> None:
    uploaded = upload(client, EXAMPLE.read_bytes())
    for path in ("/", anna.begin("same"), uploaded, f"{uploaded}/replay/40", "/puzzles/ukrainian-crisis/1"):
        page = anna.get(path)
        address = re.findall(r'property="og:image" content="http://[^/]+([^"]+)"', page)[0]
        picture = client.get(address)
        assert picture.headers["content-type"] == "image/png"
        assert picture.content.startswith(b"\x89PNG")
        assert struct.unpack(">II", picture.content[16:24]) == (WIDTH, HEIGHT)


def test_a_preview_has_letters_of_every_language() -> None:
    drawn = {png(link_preview(letter, "", ["<svg />"])) for letter in (" ", "W", "Ł", "ß", "Ж", "Я")}
    assert len(drawn) == 6
