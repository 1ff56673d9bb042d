"""What is kept of compiled code on the disk: where, and whether all of it is there. To ask that needs no Numba."""

from __future__ import annotations

import hashlib
import os
import shutil
import time
from contextlib import suppress
from functools import cache
from importlib.metadata import version
from pathlib import Path

import platformdirs

from brinkmanship.engine.jit.source_fingerprint import fingerprint

INTERPRET = "NUMBA_DISABLE_JIT"
"""In the environment, "1" makes the rules ordinary Python. It is read when the first of them is imported."""

KEPT_CACHES = 6
"""How many versions of a module's compiled code stay on disk, newest first."""
ORPHAN_AGE = 24 * 60 * 60
"""Time since the last write after which compiled code of a module that no longer exists is removed (s). Another version
of the package, which has that module, may be writing to a newer folder."""

_PACKAGE = Path(__file__).parents[2]


def is_interpreting() -> bool:
    """Whether this process takes the rules as ordinary Python."""
    return os.environ.get(INTERPRET, "0") not in ("", "0")


def _base() -> Path:
    return Path(os.environ.get("NUMBA_CACHE_DIR") or platformdirs.user_cache_path("brinkmanship") / "compiled")


def _written(folder: Path) -> float:
    """When a folder was last written to; 0 where another process has removed it meanwhile."""
    with suppress(FileNotFoundError):
        return folder.stat().st_mtime
    return 0.0


@cache
def cache_folder(module: str, *others: str) -> Path:
    """Return the folder for compiled code of a module's present sources, into which that of others is built.

    Where the folder is new, remove what it replaces: old versions, and folders of modules that no longer exist.
    """
    base = _base()
    sources = fingerprint((module, *others), base / "sources.json")
    numbers = hashlib.sha256(f"numba {version('numba')} {sources}".encode()).hexdigest()[:16]
    folder = base / f"{module}-{numbers}"
    if not folder.exists() and base.exists():
        old = sorted(base.glob(f"{module}-*"), key=_written)
        for path in [*old[: -KEPT_CACHES + 1], *_orphans(base)]:
            shutil.rmtree(path, ignore_errors=True)
    return folder


def _orphans(base: Path) -> list[Path]:
    """Return the folders of this package's modules that have been moved or removed."""
    before = time.time() - ORPHAN_AGE
    return [path for path in base.glob(f"{_PACKAGE.name}.*-*") if not _exists(path) and 0 < _written(path) < before]


def _exists(folder: Path) -> bool:
    """Return True if the module whose compiled code a folder holds is a file of this package."""
    module = _PACKAGE.parent.joinpath(*folder.name.rpartition("-")[0].split("."))
    return module.with_name(f"{module.name}.py").exists() or (module / "__init__.py").exists()


def is_compiled(module: str) -> bool:
    """Whether all that importing a module compiles is on the disk, of the present sources."""
    # Where nothing was ever compiled, that is known without a look at the sources.
    return is_interpreting() or (any(_base().glob(f"{module}-*")) and _mark(module).exists())


def note_compiled(module: str) -> None:
    """Note that a module has been imported; where nothing can be kept on the disk, nothing is noted."""
    if not is_compiled(module):
        with suppress(OSError):
            cache_folder(module).mkdir(parents=True, exist_ok=True)
            _mark(module).touch()


def _mark(module: str) -> Path:
    # An empty file: the folder alone says little, as compiling may be interrupted at any moment.
    return cache_folder(module) / "compiled"
