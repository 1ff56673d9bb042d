"""Every kind of question of every game on a phone, upright and lying: read, seen and answered without searching."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

from brinkmanship.engine import fair

from .browsing import Person, picture, table_of
from .conftest import Server

UPRIGHT = ((390, 844), (360, 640))
LYING = ((844, 390),)
MOST_OF_DOCK = 0.401

MEASURE = (Path(__file__).parent / "screen_phone.js").read_text("utf-8")


@pytest.mark.parametrize(
    ("game", "seeds", "kinds", "languages"),
    [
        ("13-days", (9, 0, 1, 5), 16, ("en-GB", "ru-RU", "de-DE", "pl-PL")),
        ("13-minutes", (1, 3), 11, ("ru-RU", "pl-PL")),
        ("ukrainian-crisis", (2, 6), 21, ("de-DE", "pl-PL")),
    ],
)
def test_every_question_fits_a_phone(
    chromium: Any,
    server: Server,
    monkeypatch: pytest.MonkeyPatch,
    game: str,
    seeds: tuple[int, ...],
    kinds: int,
    languages: tuple[str, ...],
) -> None:
    met: set[int] = set()
    faults: list[str] = []
    for seed, language in zip(seeds, languages, strict=False):
        dice = random.Random(seed)
        secret = dice.randbytes(fair.SECRET_BYTES)
        monkeypatch.setattr(fair, "new_secret", lambda secret=secret: secret)
        size = {"width": 390, "height": 844}
        context = chromium.new_context(
            viewport=size, is_mobile=True, has_touch=True, reduced_motion="reduce", locale=language
        )
        context.add_cookies([{"name": "language", "value": language[:2], "url": server.url}])
        anna = Person(context, server, "Anna")
        table = table_of(server, anna.set_table("same", game=game))
        for _ in range(220):
            if table.match.is_over:
                break
            side = dice.choice(sorted(table.match.pending))
            legal, node = table.match.legal(side), int(table.match.state.node)
            if len(legal) > 1 and node not in met:
                met.add(node)
                faults += _faults(anna.look(f"/t/{table.id}?seat={side}"), f"{game}-{node}-{language[:2]}")
            action = dice.choice(legal).action
            anna.post(f"/t/{table.id}/act", side=side, version=table.version(side), action=action)
        context.close()
    assert faults == [], "\n".join(faults)
    assert len(met) >= kinds, sorted(met)


def _faults(page: Any, what: str) -> list[str]:
    """What does not fit, at any of the sizes."""
    faults = []
    for width, height in (*UPRIGHT, *LYING):
        page.set_viewport_size({"width": width, "height": height})
        page.wait_for_selector("#tabs [aria-selected=true]")
        picture(page, f"phone-{what}-{width}", whole=False)
        found = page.evaluate(MEASURE)
        if (width, height) in UPRIGHT and found["dock"] > MOST_OF_DOCK:
            found["faults"].append(f"the dock takes {found['dock']:.2f} of the height")
        faults += [f"{what} at {width}x{height}: {fault}" for fault in found["faults"]]
    return faults
