"""Games of other packages, as an installer leaves them: a module, and a dist-info with its entry points."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

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
    """The folders on `sys.path`, and the games looked for anew."""
    with pytest.MonkeyPatch.context() as patch:
        for folder in folders:
            patch.syspath_prepend(folder)
        registry.discover.cache_clear()
        registry.discover()  # at once: a thread of an earlier server must not store what it found before
        try:
            yield
        finally:
            registry.discover.cache_clear()
