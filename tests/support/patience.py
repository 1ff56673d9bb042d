"""Waiting for what others do: until it has happened, however slow the machine is. Only what hangs is given up."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable

HANGS_SECONDS = 180
"""After so long without what must come it will not come. No test may pass or fail by how long something takes."""
HANGS_MILLISECONDS = 1000 * HANGS_SECONDS
"""The same, for browsers."""


def _pause() -> None:
    time.sleep(0.02)


def wait_until(happened: Callable[[], object], pause: Callable[[], object] = _pause) -> None:
    """Wait for what other threads or processes do.

    Args:
        pause: takes a little time between two looks.

    Raises:
        TimeoutError: it hangs.
    """
    given_up_at = time.monotonic() + HANGS_SECONDS
    while not happened():
        if time.monotonic() > given_up_at:
            raise TimeoutError("it has not come about")
        pause()


async def until(happened: Callable[[], object]) -> None:
    """Wait for what other tasks do.

    Raises:
        TimeoutError: it hangs.
    """
    async with asyncio.timeout(HANGS_SECONDS):
        while not happened():
            await asyncio.sleep(0.01)
