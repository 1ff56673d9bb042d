"""How far a long work has come: a bar on a terminal, nothing where the output goes elsewhere."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn


@contextmanager
def progress(what: str, total: int, done: int = 0) -> Iterator[Callable[[int], None]]:
    """A bar on standard error, gone at the end; what it gives is called with how many more are done."""
    console = Console(stderr=True)
    if not console.is_terminal:
        yield lambda _: None
        return
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True) as bar:
        task = bar.add_task(what, total=total, completed=done)
        yield lambda count: bar.advance(task, count)
