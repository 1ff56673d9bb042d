"""Hints that are worked out in the process of the test."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future

import pytest

from brinkmanship.players import Budget
from brinkmanship.web.jobs import player_job
from brinkmanship.web.jobs.player_job import Players
from brinkmanship.web.jobs.process_pool import JobFailedError
from brinkmanship.web.tables import hints
from brinkmanship.web.tables.record_kinds import HINT


class Here:
    """Works hints out in this process, in place of the processes of computer players."""

    def __init__(self) -> None:
        self.players = Players()
        self.meanwhile: Callable[[], object] = lambda: None
        self.asked = 0

    def submit(self, kind: str, question: Callable[[], bytes]) -> Future[bytes]:
        assert kind == HINT
        self.asked += 1
        answer = Future[bytes]()
        try:
            answer.set_result(self.players.hint(question()))
        except JobFailedError as error:
            answer.set_exception(error)
        self.meanwhile()
        return answer


@pytest.fixture
def here(monkeypatch: pytest.MonkeyPatch) -> Here:
    made = Here()
    monkeypatch.setattr(hints, "process_pool", lambda: made)
    monkeypatch.setattr(player_job, "HINT_BUDGET", Budget(nodes=60))
    return made
