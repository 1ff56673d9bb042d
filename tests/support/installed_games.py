"""Games of other packages, as an installer leaves them: a module, and a dist-info with its entry points."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from brinkmanship.engine.game import Game
from brinkmanship.games import registry

EXAMPLES = Path(__file__).parents[2] / "examples"


def install(folder: Path, package: str, points: str) -> None:
    """Write what tells Python that a package with these lines of entry points (``id = module:KIT``) is installed."""
    info = folder / f"{package}-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.0\n", encoding="utf-8")
    (info / "entry_points.txt").write_text(f"[{registry.ENTRY_POINTS}]\n{points}\n", encoding="utf-8")


@contextmanager
def on_path(*folders: Path) -> Iterator[None]:
    """The folders on `sys.path`, and the games that are found there.

    The cache of `discover` is filled before and never cleared: a thread of the worker's server that was looking just
    then would store what it found on the other path.
    """
    registry.discover()
    with pytest.MonkeyPatch.context() as patch:
        for folder in folders:
            patch.syspath_prepend(folder)
        found = registry.discover.__wrapped__()
        patch.setattr(registry, "discover", lambda: found)
        yield


def silent_in_a_draw(game: Game) -> Game:
    """The same game, with rules that write nothing where nobody wins."""
    written = game.result

    def result(rules: Any, state: Any, utility: Any) -> int:
        outcome = np.zeros(2)
        reason = written(rules, state, outcome)
        if outcome.any():
            utility[:] = outcome
        return int(reason)

    vars(game)["result"] = result
    return game
