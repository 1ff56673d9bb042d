"""Compiled functions as arguments of compiled loops, with their addresses looked up once.

Numba takes a compiled function as an argument, but looks up its address at each call, in Python, which takes longer
than a short game; and it does not take one in a named tuple. Its `numba.types.CompileResultWAP` can do both, but then
each call from the loop goes through a wrapper for C, and games take a twentieth longer.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any, TypeVar, cast

from numba import extending, types
from numba.core import cgutils
from numba.core.dispatcher import Dispatcher
from numba.experimental.function_type import FunctionModel

Function = TypeVar("Function", bound=Callable[..., Any])

# Numba has no types of its own.
_extending: Any = extending
_code: Any = cgutils
_FunctionType: Any = types.FunctionType


class AddressType(_FunctionType):  # type: ignore[misc]
    """The compiled type of a `FunctionAddress`: a function of one signature."""


_extending.register_model(AddressType)(FunctionModel)


class FunctionAddress:
    """A compiled function with one signature, and its address. Python may call it as well."""

    def __init__(self, function: Any) -> None:
        (compiled,) = function.overloads.values()
        self.function = function  # which keeps the code in memory
        self.type = AddressType(compiled.signature)
        self.address: int = compiled.library.get_pointer_to_function(compiled.fndesc.llvm_func_name)

    def __call__(self, *arguments: Any) -> Any:
        return self.function(*arguments)


@lru_cache(maxsize=256)
def at_address(function: Function) -> Function:
    """Return a compiled function as an argument for a loop. Any other callable is returned as it is."""
    return cast(Function, FunctionAddress(function)) if isinstance(function, Dispatcher) else function


@_extending.typeof_impl.register(FunctionAddress)  # type: ignore[untyped-decorator]
def _type_of(value: FunctionAddress, _: Any) -> AddressType:
    return value.type


@_extending.unbox(AddressType)  # type: ignore[untyped-decorator]
def _read_address(kind: AddressType, value: Any, at: Any) -> Any:
    found = _code.create_struct_proxy(kind)(at.context, at.builder)
    address = at.pyapi.object_getattr_string(value, "address")
    with at.builder.if_then(_code.is_null(at.builder, address), likely=False):
        at.builder.ret(at.pyapi.get_null_object())  # AttributeError: the caller forgot `at_address`
    found.jit_addr = at.pyapi.long_as_voidptr(address)
    at.pyapi.decref(address)
    return _extending.NativeValue(found._getvalue())
