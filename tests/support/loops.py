"""Work that needs an event loop of its own where another may be running: Playwright leaves one in the main thread."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any, TypeVar

Result = TypeVar("Result")


def in_thread(work: Callable[[], Result]) -> Result:
    """The result of a function that starts a loop itself, called in a thread of its own."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(work).result()


def run_in_thread(work: Coroutine[Any, Any, Result]) -> Result:
    """The result of a coroutine, run in a loop and a thread of its own."""
    return in_thread(partial(asyncio.run, work))
