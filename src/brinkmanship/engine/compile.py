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
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import numba
import numpy as np
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
    return _compiler(signature, **_NO_WAY_IN)


def _compiler(signature: tuple[Any, ...], **options: bool) -> Callable[[Function], Function]:
    def decorate(function: Function) -> Function:
        if INTERPRETED:
            return function
        _numba_cache(_room_of(function))
        return _njit(  # type: ignore[no-any-return]
            signature[0](*signature[1:]), cache=True, **_OF_RULES, **options
        )(function)

    return decorate


_OF_RULES = {"nogil": True, "error_model": "numpy", "_nrt": False}
"""Rules only look at arrays that their caller owns; without reference counting they run a fifth faster."""
_NO_WAY_IN = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}


def compiled_loop(function: Function, *signature: Any) -> Function:
    """Compile a generic loop for a signature that may contain `pointer` types; see `engine.playout`.

    The dispatcher is frozen afterwards, so that the functions passed in are taken by address and never specialised
    on, which would put them out of reach of the cache. A call from Python costs some 45 us: hand it batches.
    """
    if INTERPRETED:
        return function
    _numba_cache(_room_of(function))
    dispatcher = _njit(signature[0](*signature[1:]), cache=True, nogil=True)(function)
    dispatcher.disable_compile()
    return dispatcher  # type: ignore[no-any-return]


def pointer(*signature: Any) -> Any:
    """The type of a compiled function as an argument, ``pointer(result, argument, ...)``."""
    return types.FunctionType(signature[0](*signature[1:]))


class Records(NamedTuple):
    """The records a game's rules are written over."""

    rules: Any
    """The compiled type of its rules."""
    state: Any
    """The compiled type of its state."""
    dtype: np.dtype[Any]
    """Of its state."""
    room: str
    """Of the game, as in `ROOMS_BELOW`."""


class _Open:
    """Stands in the signature of a template for a record that each game fills in."""

    def __init__(self, name: str) -> None:
        self.name = name


RULES = _Open("rules")
STATE = _Open("state")
"""The two records in the signature of a `template` or `hook`."""

_templates: list[tuple[Any, tuple[Any, ...]]] = []
_hooks: dict[Any, tuple[Any, ...]] = {}


def template(*signature: Any) -> Callable[[Function], Function]:
    """Like `internal`, for rules that games share: `RULES` and `STATE` stand for the records of whoever uses them.

    `instantiate` compiles all of them for one game. Interpreted, a template is the plain function.
    """

    def decorate(function: Function) -> Function:
        if INTERPRETED:
            return function
        dispatcher = _njit(**_OF_RULES, **_NO_WAY_IN)(function)
        _templates.append((dispatcher, signature))
        return dispatcher  # type: ignore[no-any-return]

    return decorate


def hook(*signature: Any) -> Callable[[Function], Function]:
    """A function that templates call and every game writes for itself (`implements`); the body here never runs."""

    def decorate(function: Function) -> Function:
        found: Any = _ByRecord(function.__name__) if INTERPRETED else _njit(**_OF_RULES, **_NO_WAY_IN)(function)
        _hooks[found] = signature
        return found  # type: ignore[no-any-return]

    return decorate


def implements(shared: Any, records: Records) -> Callable[[Function], Function]:
    """The decorated function is what a `hook` does in the game with these records."""
    signature = _filled_in(_hooks[shared], records)

    def decorate(function: Function) -> Function:
        if INTERPRETED:
            shared.add(function, records.dtype)
            return function
        own: Any = internal(*signature)(function)
        shared.add_overload(own.overloads[tuple(signature[1:])])
        shared.disable_compile()
        return own  # type: ignore[no-any-return]

    return decorate


def instantiate(records: Records) -> None:
    """Compile every template for the records of a game, in the order they were written in; its hooks come first."""
    for dispatcher, signature in _templates:
        _numba_cache(records.room)
        dispatcher.enable_caching()
        dispatcher.disable_compile(False)
        result, *arguments = _filled_in(signature, records)
        dispatcher.compile(result(*arguments))
        dispatcher.disable_compile()


def _filled_in(signature: tuple[Any, ...], records: Records) -> tuple[Any, ...]:
    return tuple(getattr(records, part.name) if isinstance(part, _Open) else part for part in signature)


class _ByRecord:
    """An interpreted hook: finds the game by the size of the state record, which no two games have in common."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.games: dict[int, Callable[..., Any]] = {}

    def add(self, function: Callable[..., Any], dtype: np.dtype[Any]) -> None:
        if dtype.itemsize in self.games:
            raise TypeError(f"{self.name} is there already for a state of {dtype.itemsize} bytes")
        self.games[dtype.itemsize] = function

    def __call__(self, rules: Any, state: Any, *arguments: Any) -> Any:
        return self.games[state.nbytes](rules, state, *arguments)


PACKAGE = Path(__file__).parent.parent


def _rooms_below(room: str) -> tuple[str, ...]:
    """The folders whose sources can end up in the compiled code of a room."""
    if room.startswith("games/"):
        return ("engine", "games/events", room)
    return ("engine",) if room == "engine" else ("engine", "games", "players")


def _room_of(function: Any) -> str:
    """The room a function stands in: "engine", "games/thirteen_days", else "players"."""
    match function.__module__.split(".")[1:]:
        case ["engine", *_]:
            return "engine"
        case ["games", folder, *_]:
            return f"games/{folder}"
    return "players"


@cache
def cache_folder(room: str) -> Path:
    """Where the compiled code of a room's present sources is kept; makes way for it when it is new."""
    base = Path(os.environ.get("NUMBA_CACHE_DIR") or platformdirs.user_cache_path("brinkmanship") / "compiled")
    name = room.replace("/", "-")
    folder = base / f"{name}-{_fingerprint(_rooms_below(room))}"
    if not folder.exists() and base.exists():
        old = sorted(base.glob(f"{name}-*"), key=lambda path: path.stat().st_mtime)
        for path in old[: -KEPT_CACHES + 1]:
            shutil.rmtree(path, ignore_errors=True)
    return folder


def _fingerprint(rooms: tuple[str, ...]) -> str:
    # Numba throws away what it compiled of a file in another place or of another time, whatever the file says.
    digest = hashlib.sha256(f"numba {numba.__version__} {PACKAGE}".encode())
    for room in rooms:
        for source in sorted((PACKAGE / room).rglob("*.py")):
            digest.update(f"{source.relative_to(PACKAGE)} {source.stat().st_mtime_ns}".encode())
            digest.update(source.read_bytes())
    return digest.hexdigest()[:16]


def is_compiled(room: str, part: str) -> bool:
    """Whether a part of a room, such as a game by its id, is on the disk, all of it and of the present sources."""
    return INTERPRETED or _mark(room, part).exists()


def note_compiled(room: str, part: str) -> None:
    """Note that a part has been compiled to its end; where nothing can be kept on the disk, nothing is noted."""
    if not is_compiled(room, part):
        with suppress(OSError):
            cache_folder(room).mkdir(parents=True, exist_ok=True)
            _mark(room, part).touch()


def _mark(room: str, part: str) -> Path:
    # An empty file: the folder alone says little, as compiling may be interrupted at any moment.
    return cache_folder(room) / f"{part}.compiled"


def _numba_cache(room: str) -> None:
    """Tell Numba where to keep the next function it compiles."""
    _config.CACHE_DIR = str(cache_folder(room))
