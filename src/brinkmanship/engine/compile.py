"""Compiling rules with Numba, once per version of the source.

The same Python source runs compiled or, with ``NUMBA_DISABLE_JIT=1``, interpreted. Compiled code is kept on disk in a
folder named after a fingerprint of all sources that can end up in it: Numba itself only watches the file a function
stands in, not the files of the functions it calls.
"""

from __future__ import annotations

import hashlib
import os
import shutil
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

import numba
import platformdirs
from numba import types

Function = TypeVar("Function", bound=Callable[..., Any])

_config: Any = numba.config
_njit: Any = numba.njit

INTERPRETED: bool = bool(_config.DISABLE_JIT)
"""True where the rules run as ordinary Python, for a debugger or coverage."""

KEPT_CACHES = 6
"""How many versions of a room's compiled code stay on disk, newest first."""


def compiled(*signature: Any) -> Callable[[Function], Function]:
    """Compile a function for one signature, ``compiled(result, argument, ...)``, without holding the GIL.

    The explicit signature is what lets a generic loop take the function by address (`pointer`) and still find that
    loop's compiled code on disk. It also means that a compiled function must stand below those it calls.
    """
    return _compiler(signature)


def internal(*signature: Any) -> Callable[[Function], Function]:
    """Like `compiled`, for a function only other compiled functions call: it compiles in two thirds of the time.

    Python must not call it: there is no way in, and Numba does not check. A test calls its ``py_func``.
    """
    return _compiler(signature, no_cpython_wrapper=True, no_cfunc_wrapper=True)


def _compiler(signature: tuple[Any, ...], **options: bool) -> Callable[[Function], Function]:
    def decorate(function: Function) -> Function:
        if INTERPRETED:
            return function
        _numba_cache(function)
        # Rules only look at arrays that their caller owns; without reference counting they run a fifth faster.
        return _njit(  # type: ignore[no-any-return]
            signature[0](*signature[1:]), cache=True, nogil=True, error_model="numpy", _nrt=False, **options
        )(function)

    return decorate


def compiled_loop(function: Function, *signature: Any) -> Function:
    """Compile a generic loop for a signature that may contain `pointer` types; see `engine.playout`.

    The dispatcher is frozen afterwards, so that the functions passed in are taken by address and never specialised
    on, which would put them out of reach of the cache. A call from Python costs some 45 us: hand it batches.
    """
    if INTERPRETED:
        return function
    _numba_cache(function)
    dispatcher = _njit(signature[0](*signature[1:]), cache=True, nogil=True)(function)
    dispatcher.disable_compile()
    return dispatcher  # type: ignore[no-any-return]


def pointer(*signature: Any) -> Any:
    """The type of a compiled function as an argument, ``pointer(result, argument, ...)``."""
    return types.FunctionType(signature[0](*signature[1:]))


PACKAGE = Path(__file__).parent.parent
ROOMS_BELOW = {"engine": ("engine", "games"), "games": ("engine", "games"), "players": ("engine", "games", "players")}
"""The folders whose sources can end up in the compiled code of a room."""


@cache
def cache_folder(room: str) -> Path:
    """Where the compiled code of a room's present sources is kept; makes way for it when it is new."""
    base = Path(os.environ.get("NUMBA_CACHE_DIR") or platformdirs.user_cache_path("brinkmanship") / "compiled")
    folder = base / f"{room}-{_fingerprint(ROOMS_BELOW[room])}"
    if not folder.exists() and base.exists():
        old = sorted(base.glob(f"{room}-*"), key=lambda path: path.stat().st_mtime)
        for path in old[: -KEPT_CACHES + 1]:
            shutil.rmtree(path, ignore_errors=True)
    return folder


def _fingerprint(rooms: tuple[str, ...]) -> str:
    digest = hashlib.sha256(f"numba {numba.__version__}".encode())
    for room in rooms:
        for source in sorted((PACKAGE / room).rglob("*.py")):
            digest.update(str(source.relative_to(PACKAGE)).encode())
            digest.update(source.read_bytes())
    return digest.hexdigest()[:16]


def _numba_cache(function: Function) -> None:
    """Tell Numba where to keep the next function it compiles."""
    room = function.__module__.removeprefix("brinkmanship.").split(".")[0]
    _config.CACHE_DIR = str(cache_folder(room if room in ROOMS_BELOW else "players"))
