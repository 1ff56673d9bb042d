"""On-disk cache of compiled code: its folders, and whether it is complete. Importing this module loads no Numba."""

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
"""Environment variable: "1" makes the rules ordinary Python. It is read when the first of them is imported."""

KEPT_CACHES = 6
"""Maximum versions of a module's compiled code on disk, newest first."""
ORPHAN_AGE = 24 * 60 * 60
"""Time since the last write after which compiled code of a module that no longer exists is removed (s). Another version
of the package, which has that module, may be writing to a newer folder."""

_PACKAGE = Path(__file__).parents[2]


def is_interpreting() -> bool:
    """Return True if this process runs the rules as ordinary Python."""
    return os.environ.get(INTERPRET, "0") not in ("", "0")


def _base() -> Path:
    return Path(os.environ.get("NUMBA_CACHE_DIR") or platformdirs.user_cache_path("brinkmanship") / "compiled")


def _written(folder: Path) -> float:
    """Return the time of the last write to a folder; 0 if another process has removed it."""
    with suppress(FileNotFoundError):
        return folder.stat().st_mtime
    return 0.0


@cache
def cache_folder(module: str, *others: str) -> Path:
    """Return the folder for the compiled code of a module's current sources, including code of `others` built into it.

    If the folder is new, remove the folders it replaces: old versions, and folders of modules that no longer exist.
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
    """Return True if all code that importing a module compiles is on disk for the current sources."""
    # If the module was never compiled, there is no need to read the sources.
    return is_interpreting() or (any(_base().glob(f"{module}-*")) and _mark(module).exists())


def note_compiled(module: str) -> None:
    """Note that a module has been imported; do nothing if the disk is not writable."""
    if not is_compiled(module):
        with suppress(OSError):
            cache_folder(module).mkdir(parents=True, exist_ok=True)
            _mark(module).touch()


def _mark(module: str) -> Path:
    # An empty marker file: the folder alone proves little, as compilation may be interrupted at any moment.
    return cache_folder(module) / "compiled"
