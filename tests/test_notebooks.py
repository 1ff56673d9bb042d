"""The worked notebooks, cells in plain Python (``# %%``), run and come to what they say."""

from __future__ import annotations

import runpy
import sys
from pathlib import Path
from typing import Any

import pytest

EXAMPLES = Path(__file__).parents[1] / "examples"
sys.path.insert(0, str(EXAMPLES))


def result(name: str) -> dict[str, Any]:
    return runpy.run_path(str(EXAMPLES / "notebooks" / f"{name}.py"))


def test_every_notebook_is_run_here() -> None:
    assert {path.stem for path in (EXAMPLES / "notebooks").glob("*.py")} == {
        "agent",
        "best_response",
        "balance_question",
    }


def test_the_agent_learns() -> None:
    found = result("agent")
    assert found["before"] < 0.1 < found["after"]


def test_bidding_by_a_rule_is_punished_more_than_bidding_at_random() -> None:
    exploited = result("best_response")["exploited"]
    assert 0 < exploited["at_random"] < exploited["half"] <= 1


def test_most_of_what_the_us_is_ahead_is_bid(capsys: pytest.CaptureFixture[str]) -> None:
    found = result("balance_question")
    assert abs(found["even"] - 50) < (found["played"] - 50) / 2
    assert "if a coin decides" in capsys.readouterr().out
