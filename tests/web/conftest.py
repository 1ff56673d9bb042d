"""Fixture of all tests of the server."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from brinkmanship.web.support.supervisor import TIMEOUT, Supervisor, Work

LEFT_TO_TESTS = {"housekeeping", "results", "statistics", "tournaments", "turn notices"}
"""Periodic tasks that tests run themselves."""


@pytest.fixture(scope="module", autouse=True)
def no_chores() -> Iterator[None]:
    """Servers leave some periodic tasks to the tests, however often these are due.

    The first run, at the start, may take until a test has stored what it is about: it would remove old rows, or count
    and send what the test wants to count and send.
    """
    every = Supervisor.every

    def every_other(self: Supervisor, seconds: float, name: str, work: Work, patience: float = TIMEOUT) -> None:
        if name not in LEFT_TO_TESTS:
            every(self, seconds, name, work, patience)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Supervisor, "every", every_other)
        yield
