"""At every kind of question of every game the board, the question and all that may be chosen are in the window.

Each kind is looked at where random games have the most answers to it (`kinds.py`), at each size, by one script in the
page (`measure.js`), in the languages in turn.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from support.browsing import Person
from support.kinds import GAMES, RECORDED, at_every_question, check_kinds
from support.serving import Server

SIZES = ((1440, 900), (1366, 768), (1280, 720))
LEAST = 12.5
"""CSS pixels: the smallest text that one reads on a wide screen."""
LANGUAGES = ("de", "ru", "pl")
"""Those with the long words."""
MEASURE = (Path(__file__).parent / "measure.js").read_text("utf-8")


def measured(page: Any, least: float = LEAST) -> dict[str, Any]:
    """What `measure.js` finds on a page as it stands."""
    found: dict[str, Any] = page.evaluate(f"({MEASURE})({least})")
    return found


@pytest.fixture(scope="module")
def anna(chromium: Any, server: Server) -> Iterator[Person]:
    """She plays both sides."""
    context = chromium.new_context(viewport={"width": 1440, "height": 900}, locale="de-DE", reduced_motion="reduce")
    yield Person(context, server, "Anna")
    context.close()


@pytest.mark.parametrize("game_id", GAMES)
def test_the_games_that_are_looked_at_meet_every_kind_of_question(game_id: str) -> None:
    check_kinds(game_id)


@pytest.mark.parametrize(("game_id", "number"), RECORDED)
def test_all_that_may_be_chosen_is_in_the_window_at_every_question(
    game_id: str, number: int, anna: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    faults = []
    for place, kind, table, side in at_every_question(game_id, number, anna, monkeypatch):
        # The cookie stays where a session has its language.
        language = LANGUAGES[place % len(LANGUAGES)]
        anna.context.add_cookies([{"name": "language", "value": language, "url": anna.server.url}])
        page = anna.look(f"/t/{table.id}?seat={side}")
        for width, height in SIZES:
            page.set_viewport_size({"width": width, "height": height})
            found = measured(page)
            if found["cut"] or found["covered"] or found["small"] or found["height"] > height:
                faults.append((kind, language, width, found))
    assert not faults
