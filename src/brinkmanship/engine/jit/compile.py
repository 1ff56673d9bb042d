"""Compile rules with Numba, once per version of the source.

The same Python source runs compiled or, with ``NUMBA_DISABLE_JIT=1``, interpreted. Compiled code is kept on disk in a
folder named after a fingerprint of all sources that can end up in it (`cache`, `source_fingerprint`). Numba itself only
watches the file of a function, not the files of the functions it calls.
"""

from __future__ import annotations

from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from types import FunctionType, SimpleNamespace
from typing import Any, NamedTuple, TypeVar, cast

import numba
import numpy as np
from numba import types

from brinkmanship.engine.jit.cache import cache_folder
from brinkmanship.engine.jit.function_address import AddressType
from brinkmanship.engine.jit.interpret import interpreted

Function = TypeVar("Function", bound=Callable[..., Any])

_config: Any = numba.config
_njit: Any = numba.njit
_types: Any = types

INTERPRETED: bool = bool(_config.DISABLE_JIT)
"""True if the rules run as ordinary Python, for a debugger or coverage."""


def compiled(*signature: Any) -> Callable[[Function], Function]:
    """Compile a function for one signature, ``compiled(result, argument, ...)``, without holding the GIL.

    The explicit signature lets a generic loop take the function by address (`pointer`) and still load that loop's
    compiled code from disk. It also means that a compiled function must be defined below those it calls.
    """
    return _compiler(signature)


def internal(*signature: Any) -> Callable[[Function], Function]:
    """Compile a function that only other compiled functions call, in two thirds of the time of `compiled`.

    Python must not call it: it has no Python wrapper, and Numba does not check this. A test calls its ``py_func``.
    """
    return _compiler(signature, **_NO_WAY_IN)


def _compiler(signature: tuple[Any, ...], **options: bool) -> Callable[[Function], Function]:
    def decorate(function: Function) -> Function:
        if INTERPRETED:
            return _plain(function, signature)
        _numba_cache(_module_of(function))
        return _njit(  # type: ignore[no-any-return]
            signature[0](*signature[1:]), cache=True, **_OF_RULES, **options
        )(function)

    return decorate


def _plain(function: Function, signature: tuple[Any, ...]) -> Function:
    """Return the function for an interpreted run, with the integers of its signature converted."""
    whole = [isinstance(part, types.Integer) for part in signature]
    return interpreted(function, [number for number, is_whole in enumerate(whole[1:]) if is_whole], whole[0])


_OF_RULES = {"nogil": True, "error_model": "numpy", "_nrt": False}
"""Rules only read arrays that their caller owns; without reference counting they run a fifth faster."""
_NO_WAY_IN = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}


def compiled_loop(function: Function, *signature: Any) -> Function:
    """Compile a generic loop for a signature that may contain `pointer` types; see `engine.playout`.

    The dispatcher is frozen afterwards, so that Numba takes the functions passed in by address and never specialises on
    them, which would prevent caching. A call from Python costs some 45 us: pass it batches.
    """
    if INTERPRETED:
        return _plain(function, signature)
    # Each signature apart: games are compiled side by side, and two processes that add to one index mix up its entries.
    _config.CACHE_DIR = str(cache_folder(_module_of(function)) / sha256(str(signature).encode()).hexdigest()[:16])
    is_in_a_file = Path(cast(FunctionType, function).__code__.co_filename).exists()  # not typed into a notebook
    dispatcher = _njit(signature[0](*signature[1:]), cache=is_in_a_file, nogil=True)(function)
    dispatcher.disable_compile()
    return dispatcher  # type: ignore[no-any-return]


def fused(function: Function, *signature: Any) -> Function:
    """Compile a nested function together with the compiled functions of its closure.

    A call costs half a microsecond, as for any compiled function. Every process compiles it again, within a second.
    """
    if INTERPRETED:
        return _plain(function, signature)
    return _njit(signature[0](*signature[1:]), **_OF_RULES)(function)  # type: ignore[no-any-return]


def pointer(*signature: Any) -> Any:
    """Return the type of a compiled function as an argument, ``pointer(result, argument, ...)``; see `at_address`."""
    return AddressType(signature[0](*signature[1:]))


def named_tuple(cls: type[tuple[Any, ...]], *fields: Any) -> Any:
    """Return the compiled type of a named tuple as an argument, which keeps the names of its fields.

    Args:
        cls: the class of the tuple.
        fields: the compiled types of its fields.
    """
    return _types.BaseTuple.from_types(fields, cls)


class Records(NamedTuple):
    """The record types of a game's rules."""

    rules: Any
    """The compiled type of its rules."""
    state: Any
    """The compiled type of its state."""
    dtype: np.dtype[Any]
    """The dtype of its state."""
    module: str
    """The module that calls `instantiate` with them, as ``__name__``."""


class _Open:
    """A placeholder in a signature for a record that each game fills in."""


RULES = _Open()
STATE = _Open()
"""The two records in the signature of a `template`, a `hook`, or a function of any game (`engine.signatures`)."""

_templates: list[tuple[Any, tuple[Any, ...]]] = []
_shared: list[tuple[Any, tuple[Any, ...]]] = []
_hooks: dict[Any, tuple[Any, ...]] = {}
_implementing: dict[str, set[str]] = {}
"""The modules with the hooks of a game, by the module of its records."""


def template(*signature: Any) -> Callable[[Function], Function]:
    """Declare a function like `internal` for rules that games share; `RULES` and `STATE` are placeholders for records.

    `instantiate` compiles all templates for one game. Interpreted, a template is the plain function.
    """

    def decorate(function: Function) -> Function:
        if INTERPRETED:
            return _plain(function, signature)
        dispatcher = _njit(**_OF_RULES, **_NO_WAY_IN)(function)
        _templates.append((dispatcher, signature))
        return dispatcher  # type: ignore[no-any-return]

    return decorate


def shared(*signature: Any) -> Callable[[Function], Function]:
    """Declare a function like `compiled` for rules that games share: `instantiate` returns one for each game.

    Python and generic loops call those; the declared function itself only lists what each game gets.
    """

    def decorate(function: Function) -> Function:
        _shared.append((_plain(function, signature) if INTERPRETED else function, signature))
        return function

    return decorate


def hook(*signature: Any) -> Callable[[Function], Function]:
    """Declare a function that templates call and every game implements (`implements`); the body here never runs."""

    def decorate(function: Function) -> Function:
        found: Any = _ByRecord(function.__name__) if INTERPRETED else _njit(**_OF_RULES, **_NO_WAY_IN)(function)
        _hooks[found] = signature
        return found  # type: ignore[no-any-return]

    return decorate


def implements(shared: Any, records: Records) -> Callable[[Function], Function]:
    """Make the decorated function the implementation of a `hook` for the game with these records."""
    signature = filled_in(_hooks[shared], records.rules, records.state)

    def decorate(function: Function) -> Function:
        if INTERPRETED:
            plain = _plain(function, signature)
            shared.add(plain, records.dtype)
            return plain
        own: Any = internal(*signature)(function)
        _implementing.setdefault(records.module, set()).add(_module_of(function))
        shared.add_overload(own.overloads[tuple(signature[1:])])
        shared.disable_compile()
        return own  # type: ignore[no-any-return]

    return decorate


def instantiate(records: Records, library: str) -> SimpleNamespace:
    """Compile every template of a library for the records of a game, in the order of definition, after its hooks.

    Args:
        records: the records of the game.
        library: the package that holds the templates, as ``__package__``.

    Returns:
        The `shared` functions of the library for this game, by name.
    """
    templates = [(one, signature) for one, signature in _templates if _is_in(one, library)]
    others = ({_module_of(one) for one, _ in templates} | _implementing.get(records.module, set())) - {records.module}
    for dispatcher, signature in templates:
        _numba_cache(records.module, *sorted(others))
        dispatcher.enable_caching()
        dispatcher.disable_compile(False)
        result, *arguments = filled_in(signature, records.rules, records.state)
        dispatcher.compile(result(*arguments))
        dispatcher.disable_compile()
    found = [one for one in _shared if _is_in(one[0], library)]
    _numba_cache(records.module, *sorted(others | {_module_of(one[0]) for one in found}))
    return SimpleNamespace(**{one[0].__name__: _own_copy(records, *one) for one in found})


def _own_copy(records: Records, function: Any, signature: tuple[Any, ...]) -> Any:
    if INTERPRETED:
        return function
    result, *arguments = filled_in(signature, records.rules, records.state)
    return _njit(result(*arguments), cache=True, **_OF_RULES)(function)


def _is_in(function: Any, library: str) -> bool:
    return _module_of(function).startswith(f"{library}.")


def filled_in(signature: tuple[Any, ...], rules: Any, state: Any) -> tuple[Any, ...]:
    """Return a signature with `RULES` and `STATE` replaced by the compiled record types of a game."""
    records = {RULES: rules, STATE: state}
    return tuple(records[part] if isinstance(part, _Open) else part for part in signature)


class _ByRecord:
    """An interpreted hook: finds the game by the fields of the state record, which are unique to each game."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.games: dict[tuple[str, ...] | None, Callable[..., Any]] = {}

    def add(self, function: Callable[..., Any], dtype: np.dtype[Any]) -> None:
        if dtype.names in self.games:
            raise TypeError(f"{self.name} already exists for a state with the fields {dtype.names}")
        self.games[dtype.names] = function

    def __call__(self, rules: Any, state: Any, *arguments: Any) -> Any:
        return self.games[state.dtype.names](rules, state, *arguments)


def _module_of(function: Any) -> str:
    return str(function.__module__)


def _numba_cache(module: str, *others: str) -> None:
    """Set the folder in which Numba caches the next function it compiles."""
    _config.CACHE_DIR = str(cache_folder(module, *others))
