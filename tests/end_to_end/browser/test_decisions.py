"""Every decision of 13 Days (section 2.6 of the rules, D1 to D10) is clicked in a browser, each kind of answer to it.

Each test takes a real game with real deals to the first position of its kind, clicks there, and looks at what the
decider, the opponent and the journal make of it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from brinkmanship.engine import journal
from brinkmanship.engine.match import Match
from brinkmanship.games.cuban.frame import EventNode
from brinkmanship.games.thirteen_days.rules.state import Node
from brinkmanship.web.tables.live_table import LiveTable
from support.browsing import CHOICES, Person, confirm, picture, set_up, type_answer, way_to
from support.serving import Server

RULES = Path(__file__).parents[3] / "docs" / "rules" / "13-days.md"


class Pin(NamedTuple):
    """One kind of answer to a decision of the rules."""

    decision: str
    node: int
    kind: str
    by: str = "button"
    """What is clicked: the "button" of the choice, the "board", a "card" in the hand; or its "key" is pressed."""


PINS = [
    Pin("D1", Node.AGENDA, "keep", "card"),
    Pin("D2", Node.FIRST, "first"),
    Pin("D3", Node.PLAY, "event"),
    Pin("D3", Node.PLAY, "command", "card"),
    Pin("D3", Node.PLAY, "command_letter", "key"),
    Pin("D4", Node.TRIGGER, "trigger", "key"),
    Pin("D4", Node.TRIGGER, "decline"),
    Pin("D5", EventNode.PLACE, "place", "board"),
    Pin("D5", EventNode.REMOVE, "remove", "board"),
    Pin("D5", EventNode.TAKE_CUBES, "remove"),
    Pin("D5", EventNode.PUT_CUBES, "place"),
    Pin("D5", Node.SHIFT, "shift", "board"),
    Pin("D5", EventNode.CHOOSE, "choose"),
    Pin("D5", Node.EXCHANGE, "discard", "card"),
    Pin("D6", EventNode.COMMAND, "place", "board"),
    Pin("D6", EventNode.COMMAND, "remove"),
    Pin("D6", EventNode.COMMAND, "done", "key"),
    Pin("D7", Node.TAKEN_CARD, "event"),
    Pin("D7", Node.TAKEN_CARD, "command"),
    Pin("D7", Node.TAKEN_CARD, "discard"),
    Pin("D8", Node.TELEVISION, "shift", "board"),
    Pin("D8", Node.TELEVISION, "done"),
    Pin("D9", Node.ALLIANCES, "draw_top", "board"),
    Pin("D9", Node.ALLIANCES, "decline"),
    Pin("D10", Node.ALLIANCES_CARD, "aftermath", "board"),
    Pin("D10", Node.ALLIANCES_CARD, "discard", "key"),
]


@cache
def there(pin: Pin) -> Callable[[Match], bool]:
    """Whether a game has come to where a pin can be clicked."""

    def is_there(match: Match) -> bool:
        return match.state.node == pin.node and bool(answers(match, min(match.pending), pin.kind))

    return is_there


def answers(match: Match, side: int, kind: str) -> list[int]:
    """The legal actions of a kind."""
    return [each.action for each in match.legal(side) if match.game.action_parts(each.action).kind == kind]


@pytest.fixture(scope="module")
def pair(chromium: Any, server: Server) -> Iterator[tuple[Person, Person]]:
    """Anna and Boris, each with a browser."""
    contexts = [
        chromium.new_context(viewport={"width": 1280, "height": 900}, locale=locale, reduced_motion="reduce")
        for locale in ("en-GB", "ru-RU")
    ]
    yield Person(contexts[0], server, "Anna"), Person(contexts[1], server, "Борис")
    for context in contexts:
        context.close()


def test_every_decision_of_the_rules_is_clicked_here() -> None:
    in_the_rules = re.findall(r"(?m)^\| (D\d+) ", RULES.read_text("utf-8"))
    assert in_the_rules == list(dict.fromkeys(pin.decision for pin in PINS)) == [f"D{n}" for n in range(1, 11)]


@pytest.mark.parametrize("pin", PINS, ids=lambda pin: f"{pin.decision}-{pin.node}-{pin.kind}")
def test_a_decision_is_clicked_and_recorded(
    pin: Pin, pair: tuple[Person, Person], monkeypatch: pytest.MonkeyPatch
) -> None:
    table = set_up(monkeypatch, *pair, way_to(there(pin)))
    side = min(table.match.pending)
    action = answers(table.match, side, pin.kind)[-1]
    decider, opponent = pair[side], pair[1 - side]
    seen, other = decider.look(f"/t/{table.id}"), opponent.look(f"/t/{table.id}")
    assert bool(other.locator(CHOICES).count()) == (1 - side in table.match.pending)
    before, its_before = table.version(side), table.version(1 - side)
    count = len(table.records)
    picture(seen, f"decision-{pin.decision}-{pin.kind}-asked", whole=False)

    click(seen, table, action, pin.by)

    seen.wait_for_selector(f"#state[data-version='{before + 1}']")
    assert [(record.actor, record.value) for record in table.records[count:]] == [(side, action)]
    text = table.game.action_text(action)
    assert last_decision(decider, table) == (table.game.sides[side], text)
    if pin.decision == "D1":  # nobody learns even that she has chosen
        assert table.version(1 - side) == its_before
        assert last_decision(opponent, table) is None
    else:
        other.wait_for_selector(f"#state[data-version='{its_before + 1}']")
        assert last_decision(opponent, table) == (table.game.sides[side], text)
        assert other.inner_text("#log-lines").count("\n") > 0


def click(page: Any, table: LiveTable, action: int, by: str) -> None:
    """Take an action as a person does it."""
    parts = table.game.action_parts(action)
    button = page.locator(f"#choices button[value='{action}']")
    if by == "key":
        type_answer(page, button)
    elif by == "button":
        button.click()
    else:
        page.locator(thing_of(parts, by)).first.click()
        stands = page.locator(f"#menu button[data-stands='{action}']")
        if stands.count():
            stands.click()
        elif by == "card" and not page.locator("#choices button.chosen").count():
            button.click()  # one of several ways to play it, on the card
        step_to(page, action)
    confirm(page)


def step_to(page: Any, action: int) -> None:
    """Count up or down until a number is chosen."""
    chosen = page.locator("#choices button.chosen")
    wanted = int(page.get_attribute(f"#choices button[value='{action}']", "data-count") or 0)
    while chosen.get_attribute("value") != str(action):
        page.locator(f"[data-step='{1 if int(chosen.get_attribute('data-count')) < wanted else -1}']").click()


def thing_of(parts: Any, by: str) -> str:
    """What on the board or in the hand stands for an action."""
    pile = {"draw_top": "deck", "aftermath": "aftermath"}.get(parts.kind)
    if pile:
        return f"#board [data-pile={pile}].can"
    if by == "card":
        return f".cards [data-card='{parts.card}']" if parts.card else f".cards [data-agenda='{parts.agenda}']"
    if parts.place:
        return f"#board [data-place='{parts.place}'].can"
    return f"#board [data-track='{parts.track}'].can"


def last_decision(person: Person, table: LiveTable) -> tuple[str, str] | None:
    """Who decided last and what, by the journal as a person may have it."""
    entries = journal.parse(person.get(f"/t/{table.id}/journal")).entries
    found = [(entry.actor, entry.text) for entry in entries if entry.actor in table.game.sides]
    return found[-1] if found else None
