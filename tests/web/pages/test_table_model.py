"""The page model of a table: templates read its attributes, and nothing else of the table."""

from __future__ import annotations

import ast
import re
from dataclasses import FrozenInstanceError
from pathlib import Path
from typing import get_type_hints

import pytest
from jinja2 import Environment, meta, nodes

import brinkmanship
from brinkmanship.drawing import LayoutName
from brinkmanship.engine.game import OBSERVER
from brinkmanship.web.pages.table.table_context import log_view_of
from brinkmanship.web.pages.table.table_model import TableModel, table_model
from brinkmanship.web.pages.table.viewer import Viewer
from brinkmanship.web.presentation.page_words import game_words
from support.house import House, run

WEB = Path(brinkmanship.__file__).parent / "web"
STATE = WEB / "templates" / "table" / "state.html"
GIVEN = {
    "linked",
    "ratings",
    "outlook",
    "model",
    "hints",
    "series",
    "match",
    "duplicate",
    "occasion",
    "problem",
    "other_waits",
} | {*("rematch", "watch", "t", "phrase", "csrf")}


PARTS = ("viewer", "header", "board", "question", "dock", "log", "agreements", "ending")


def test_the_fragment_reads_the_model_and_nothing_else() -> None:
    parsed = Environment(autoescape=True).parse(STATE.read_text())
    assert meta.find_undeclared_variables(parsed) == GIVEN
    parts = get_type_hints(TableModel)
    read = {(of, node.attr) for node in parsed.find_all(nodes.Getattr) if (of := _part(node.node)) is not None}
    assert {attribute for part, attribute in read if not part} <= set(parts)
    assert all(hasattr(parts[part], attribute) for part, attribute in read if part)
    assert len(read) > 30


def _part(node: nodes.Node) -> str | None:
    """The part of the model that an expression names, "" for the model itself, None for anything else."""
    if isinstance(node, nodes.Name):
        return {"model": "", "question": "question"}.get(node.name)
    is_part = isinstance(node, nodes.Getattr) and _part(node.node) == ""
    return node.attr if is_part and node.attr in PARTS else None


def test_the_model_is_made_for_one_reader(database: str) -> None:
    async def test(house: House) -> None:
        table = await house.table()
        mine = table_model(table, Viewer(0, (0,)), "en", "wide", "http://brink.example")
        watched = table_model(table, Viewer(OBSERVER, ()), "en", "wide", "http://brink.example")
        assert mine.question.groups
        assert mine.question.answers or mine.question.hands
        assert [mine.question.name_of(group) for group in mine.question.groups if group.kind]
        assert (watched.question.groups, watched.question.hands) == ([], [])
        assert (watched.agreements.own_actions, watched.dock.undo_count) == ([], 0)
        with pytest.raises(FrozenInstanceError):
            mine.version = 7  # type: ignore[misc]

    run(database, test)


def test_who_has_lost_is_shown_the_course_of_the_game(database: str) -> None:
    async def test(house: House) -> None:
        table = await house.table()
        seen = (Viewer(0, (0,)), Viewer(1, (1,)), Viewer(0, (0, 1)), Viewer(OBSERVER, ()))

        def proposed() -> list[bool]:
            models = [table_model(table, eyes, "en", "wide", "http://brink.example") for eyes in seen]
            return [model.ending.proposes_course for model in models]

        assert proposed() == [False] * 4
        await house.services.actions.resign(table.id, house.anna.id, 0)
        assert proposed() == [True, False, False, False]

    run(database, test)


def test_what_happens_at_tables_is_written_in_one_place() -> None:
    """Beside the pauses of all tables at once, which the heartbeat writes."""
    found = set()
    for path in WEB.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "insert":
                into = node.args[0]
                if (into.attr if isinstance(into, ast.Attribute) else getattr(into, "id", "")) == "records":
                    found.add(path.name)
    assert found == {"event_log.py", "outage.py"}


@pytest.mark.parametrize("game", ["13-days", "13-minutes", "ukrainian-crisis"])
def test_the_card_played_last_lies_face_up_for_every_viewer(database: str, game: str) -> None:
    viewers = (Viewer(0, (0,)), Viewer(1, (1,)), Viewer(OBSERVER, ()))

    async def test(house: House) -> None:
        table = await house.table(game=game)
        words = game_words(table.game, "en")
        assert log_view_of(table, OBSERVER, words).last_played is None
        await house.play(table, 1, lambda table: log_view_of(table, OBSERVER, words).last_played is not None)
        played = [table_model(table, viewer, "en", "wide", "http://brink.example").log.played for viewer in viewers]
        assert played[0] is not None
        assert played[0].face.text
        assert played == [played[0]] * 3

    run(database, test)


def test_what_has_changed_stays_marked_until_the_side_acts(database: str) -> None:
    async def test(house: House) -> None:
        table = await house.table()

        def model(layout: LayoutName = "wide") -> TableModel:
            return table_model(table, Viewer(0, (0,)), "en", layout, "http://brink.example")

        await house.play(table, 3, lambda table: table.to_move == [0] and bool(model().board.recent))
        wide, narrow = model(), model("narrow")
        things = re.findall(r'<g class="recent [^>]*data-(?:place|track)="(\w+)"', wide.board.picture)
        assert set(things) == wide.board.recent
        assert wide.board.picture.count("Changed since you last acted") == 2 * len(wide.board.recent)
        assert narrow.board.overview is not None
        rows = [row for tab in narrow.board.overview.tabs for part in tab.parts for row in part.rows]
        assert wide.board.recent <= {row.mark for row in rows}
        assert narrow.log.gist
        length = table.seen_by(0).length
        await house.act(table, 0, table.decisions(0)[0].action)
        if table.seen_by(0).length == length + 1:  # nothing has come of it yet
            assert not model().board.recent

    run(database, test)


def test_the_rules_of_the_step_stand_in_the_dock_where_no_cards_do(database: str) -> None:
    async def test(house: House) -> None:
        table = await house.table(game="ukrainian-crisis")
        watched = table_model(table, Viewer(OBSERVER, ()), "de", "wide", "http://brink.example")
        assert watched.dock.rule
        assert watched.dock.rule.id == watched.question.section
        assert "<svg" not in watched.dock.rule.body
        for side in range(2):
            model = table_model(table, Viewer(side, (side,)), "de", "wide", "http://brink.example")
            held = sum(len(hand.cards) for hand in model.question.hands)
            leave_room = held <= (0 if model.question.groups else 1)  # one Event Card does while one waits
            leave_room = leave_room and not model.question.answers[1:] and not model.dock.aside
            assert (model.dock.rule is not None) == leave_room
        assert table_model(table, Viewer(OBSERVER, ()), "de", "narrow", "http://brink.example").dock.rule is None
        days = await house.table()
        assert table_model(days, Viewer(0, (0,)), "de", "wide", "http://brink.example").dock.rule is None

    run(database, test)


ON_KEYBOARDS = {"Escape": "Esc", "Enter": "↵", " ": "keys.space", "Home": "keys.home", "End": "keys.end"}
ON_KEYBOARDS |= {"ArrowLeft": "←", "ArrowRight": "→", "ArrowDown": "↓", "p": "P", "u": "U", "U": "⇧U", "H": "⇧H"}
OF_ANSWERS_AND_PIECES = {"A", "2", "↑", "⇧", "⇧↵", "Ctrl"}


def test_the_list_of_keys_names_every_key_of_the_scripts_and_no_other() -> None:
    scripts = "".join(path.read_text("utf-8") for path in (WEB / "static" / "js").glob("*.js"))
    used = set(re.findall(r'\b(?:keys?|event\.key(?:\.toLowerCase\(\))?) === "([^"]+)"', scripts))
    for some in re.findall(r"\[([^\[\]]*)\]\.includes\(event\.key\)", scripts):
        used |= set(re.findall('"([^"]+)"', some))
    for some in re.findall(r"\{([^{}]*)\}\[event\.key\]", scripts):
        used |= set(re.findall(r"(\w+): ", some))
    used |= set(re.findall(r'id="(?:undo|restart|hint)".* data-key="(\w)"', STATE.read_text("utf-8")))
    used |= {f"⇧{key}" for key in re.findall(r'\blatin === "(\w)"', scripts)}
    listing = (STATE.parent / "keys.html").read_text("utf-8")
    shown = re.findall(r'<kbd>(?:\{\{ t\("([\w.]+)"\) \}\}|([^<]+))</kbd>', listing)
    assert {key for both in shown for key in both if key} == {ON_KEYBOARDS.get(key, key) for key in used} | (
        OF_ANSWERS_AND_PIECES
    )
