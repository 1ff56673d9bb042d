"""Running a coroutine to its end where another loop may be running: Playwright leaves one in the main thread."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

Result = TypeVar("Result")


def run_in_thread(work: Coroutine[Any, Any, Result]) -> Result:
    """The result of a coroutine, run in a loop and a thread of its own."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, work).result()
