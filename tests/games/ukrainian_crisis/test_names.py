"""Numbers of the rules have names: members of enumerations and fields of records, compiled and interpreted."""

from __future__ import annotations

import ast
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from brinkmanship.games.ukrainian_crisis import rules as ukrainian_crisis_rules
from brinkmanship.games.ukrainian_crisis.rules import names
from brinkmanship.games.ukrainian_crisis.rules.action_numbers import RULES_STEPS, Action
from brinkmanship.games.ukrainian_crisis.rules.data import EVENTS
from brinkmanship.games.ukrainian_crisis.rules.state import DTYPE, LAST_STEP_OF_RULES, Node, Task
from brinkmanship.games.ukrainian_crisis.rules.tables import PLAY_OPTIONS, RULES_DTYPE
from support.ukrainian_crisis.builders import MEDIUM, Position, game

SOURCES = sorted(Path(ukrainian_crisis_rules.__path__[0]).glob("*.py"))


def records_in(dtype: np.dtype[Any]) -> list[np.dtype[Any]]:
    """A structured dtype with those of its fields."""
    inner = [field[0].base for field in (dtype.fields or {}).values()]
    return [dtype, *(each for kind in inner if kind.fields for each in records_in(kind))]


@pytest.mark.parametrize("record", [*records_in(DTYPE), *records_in(RULES_DTYPE)], ids=lambda dtype: dtype.names[0])
def test_no_field_is_called_like_an_attribute_of_numpys_records(record: np.dtype[Any]) -> None:
    assert [name for name in record.names or () if hasattr(np.void, name)] == []


def test_a_task_in_progress_is_read_by_the_names_of_its_fields() -> None:
    p = Position().open_area("diplomatic", ua=MEDIUM).play("roll 6", "roll 1", "first ua", "up GB", "rp 3")
    frame = p.state.stack[p.state.depth - 1]
    assert (frame.task, frame.country, frame.box, frame.rp) == (Task.DIPLOMATIC, names.Country.GB, names.Box.SUPPORT, 3)
    assert not any(p.state.stack[p.state.depth :].tobytes())


def test_tables_are_read_by_the_names_of_their_fields() -> None:
    rules = game({"rally_mode": "per_unit"}).rules
    index = [unit.id for unit in game().data.unit].index("ru_militia")
    militia = game().data.unit[index]
    row = rules.types[index]
    assert (row.side, row.kind, row.cv.tolist()) == (
        names.RU,
        names.Kind.IRREGULAR,
        [militia.cv, militia.cv_neutralised],
    )
    assert row.end - row.first == militia.count
    assert [flag for flag in rules.options.dtype.names if rules.options[flag]] == ["rally_per_unit"]
    assert len(rules.options.dtype.names) == len(PLAY_OPTIONS)


def test_each_event_card_stands_at_its_number() -> None:
    assert [card.event for card in EVENTS] == list(names.Event)


def test_steps_of_the_rules_are_the_first_nodes_and_the_first_actions() -> None:
    assert [node.name.lower() for node in Node if node <= LAST_STEP_OF_RULES] == list(RULES_STEPS)
    assert Action.RULES_STEP + LAST_STEP_OF_RULES == Action.DRAW_EVENT - 1


@pytest.mark.parametrize("source", SOURCES, ids=lambda path: path.stem)
def test_numbers_that_are_counted_up_by_hand_are_an_enumeration(source: Path) -> None:
    found = constants(ast.parse(source.read_text()))
    rows = [(one, two, three) for (one, two), (_, three) in pairwise(pairwise(found))]
    counted = [row for row in rows if row[1][1] - row[0][1] == row[2][1] - row[1][1] == 1]
    assert counted == []


def constants(module: ast.Module) -> list[tuple[str, int]]:
    """The whole numbers that a module gives a name to, in their order."""
    found = []
    for line in module.body:
        match line:
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Constant(value=int(value))):
                found.append((name, value))
    return found
