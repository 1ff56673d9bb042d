"""The page model of a table: templates read its attributes, and nothing else of the table."""

from __future__ import annotations

import ast
from dataclasses import FrozenInstanceError, fields
from pathlib import Path

import pytest
from jinja2 import Environment, meta, nodes

import brinkmanship
from brinkmanship.engine.game import OBSERVER
from brinkmanship.web.pages.table_model import Eyes, TableModel, table_model

from .test_service import House, database, run

__all__ = ["database"]

WEB = Path(brinkmanship.__file__).parent / "web"
GIVEN = {"model", "hints", "can_analyse", "series", "problem", "t", "csrf"}


def test_the_fragment_reads_the_model_and_nothing_else() -> None:
    parsed = Environment(autoescape=True).parse((WEB / "templates" / "state.html").read_text())
    assert meta.find_undeclared_variables(parsed) == GIVEN
    known = {field.name for field in fields(TableModel)} | {"name_of"}
    read = {
        node.attr
        for node in parsed.find_all(nodes.Getattr)
        if isinstance(node.node, nodes.Name) and node.node.name == "model"
    }
    assert read <= known
    assert len(read) > 30


def test_the_model_is_made_for_one_reader(database: str) -> None:
    async def test(house: House) -> None:
        table = await house.table()
        mine = table_model(table, Eyes(0, (0,)), "en", "wide", "http://brink.example")
        watched = table_model(table, Eyes(OBSERVER, ()), "en", "wide", "http://brink.example")
        assert mine.groups
        assert mine.answers or mine.hands
        assert [mine.name_of(group) for group in mine.groups if group.kind]
        assert (watched.groups, watched.hands, watched.own_deeds, watched.undo_count) == ([], [], [], 0)
        with pytest.raises(FrozenInstanceError):
            mine.version = 7  # type: ignore[misc]

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
    assert found == {"records.py", "heartbeat.py"}
