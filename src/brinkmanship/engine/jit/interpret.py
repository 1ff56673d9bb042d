"""Rules as ordinary Python functions, for a debugger or coverage, or while the compiled ones are not ready.

NumPy compares one of its numbers with a member of an `IntEnum` a thousand times as slowly as with an int: it first
makes an array of the member. So members in the rules are replaced by their numbers here, as Numba does it.

A number read from a record of small integers stays small in NumPy, whereas Numba converts it to the integer type of the
signature: ``70 + 2 * side`` overflows an int8. So arguments and results with integer types in the signature are
converted to Python integers.
"""

from __future__ import annotations
import __future__

import ast
import inspect
import textwrap
from collections.abc import Callable, Collection, Mapping
from enum import IntEnum
from typing import Any, TypeVar

Function = TypeVar("Function", bound=Callable[..., Any])


def interpreted(function: Function, integers: Collection[int] = (), is_integer: bool = False) -> Function:
    """Return the same function with each ``Enumeration.MEMBER`` as a number, at the same lines of the same file.

    Args:
        function: the source function. A nested or interactively defined function is returned unchanged.
        integers: positions of the arguments that are converted to Python integers.
        is_integer: True to convert the result as well.
    """
    known = function.__globals__
    has_members = any(_is_enumeration(known.get(name)) for name in function.__code__.co_names)
    if function.__closure__ or not (has_members or integers or is_integer):
        return function
    try:
        lines, first = inspect.getsourcelines(function)
    except OSError:
        return function
    tree = ast.parse(textwrap.dedent("".join(lines)))
    definition: Any = tree.body[0]
    definition.decorator_list = []
    _convert(definition, integers, is_integer)
    ast.increment_lineno(_Numbers(known).visit(tree), first - 1)
    code = compile(tree, function.__code__.co_filename, "exec", __future__.annotations.compiler_flag)
    found: dict[str, Function] = {}
    exec(code, known, found)
    return found[function.__name__]


def _convert(definition: ast.FunctionDef, integers: Collection[int], is_integer: bool) -> None:
    """Make a function convert some of its arguments, and its result, to Python integers."""
    if is_integer:
        for node in ast.walk(definition):
            if isinstance(node, ast.Return) and node.value is not None:
                node.value = _as_integer(node.value)
    start = 1 if ast.get_docstring(definition) is not None else 0
    arguments = [argument.arg for number, argument in enumerate(definition.args.args) if number in integers]
    definition.body[start:start] = [
        ast.fix_missing_locations(
            ast.copy_location(
                ast.Assign([ast.Name(name, ast.Store())], _as_integer(ast.Name(name, ast.Load()))), definition
            )
        )
        for name in arguments
    ]


def _as_integer(value: ast.expr) -> ast.expr:
    call = ast.Call(ast.Name("int", ast.Load()), [value], [])
    return ast.fix_missing_locations(ast.copy_location(call, value))


def _is_enumeration(value: Any) -> bool:
    return isinstance(value, type) and issubclass(value, IntEnum)


class _Numbers(ast.NodeTransformer):
    """Replaces members of enumerations by constants."""

    def __init__(self, known: Mapping[str, Any]) -> None:
        self.known = known

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        """Replace a member by its number."""
        enumeration: Any = self.known.get(node.value.id) if isinstance(node.value, ast.Name) else None
        if _is_enumeration(enumeration):
            return ast.copy_location(ast.Constant(int(enumeration[node.attr])), node)
        return self.generic_visit(node)
