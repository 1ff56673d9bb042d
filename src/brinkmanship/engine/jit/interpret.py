"""Rules as ordinary Python functions, for a debugger or coverage, or while the compiled ones are not ready.

NumPy compares a number of its own with a member of an `IntEnum` a thousand times as slowly as with an int: it makes an
array of the member first. So here members are put into the rules as the numbers they are, as Numba does it.
"""

from __future__ import annotations
import __future__

import ast
import inspect
import textwrap
from collections.abc import Callable, Mapping
from enum import IntEnum
from typing import Any, TypeVar

Function = TypeVar("Function", bound=Callable[..., Any])


def interpreted(function: Function) -> Function:
    """The same function with each ``Enumeration.MEMBER`` as a number, at the same lines of the same file."""
    known = function.__globals__
    if function.__closure__ or not any(_is_enumeration(known.get(name)) for name in function.__code__.co_names):
        return function
    lines, first = inspect.getsourcelines(function)
    tree = ast.parse(textwrap.dedent("".join(lines)))
    definition: Any = tree.body[0]
    definition.decorator_list = []
    ast.increment_lineno(_Numbers(known).visit(tree), first - 1)
    code = compile(tree, function.__code__.co_filename, "exec", __future__.annotations.compiler_flag)
    found: dict[str, Function] = {}
    exec(code, known, found)
    return found[function.__name__]


def _is_enumeration(value: Any) -> bool:
    return isinstance(value, type) and issubclass(value, IntEnum)


class _Numbers(ast.NodeTransformer):
    """Members of enumerations become constants."""

    def __init__(self, known: Mapping[str, Any]) -> None:
        self.known = known

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        """Put in a member's number."""
        enumeration: Any = self.known.get(node.value.id) if isinstance(node.value, ast.Name) else None
        if _is_enumeration(enumeration):
            return ast.copy_location(ast.Constant(int(enumeration[node.attr])), node)
        return self.generic_visit(node)
