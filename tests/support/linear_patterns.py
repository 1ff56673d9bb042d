"""Whether a regular expression takes linear time, told from the expression alone.

Python's `re` tries one possibility after the other. It takes linear time where it never has a choice: nothing that may
repeat without end begins as that which comes after it does. Where a text is searched, an attempt at one place must also
not read again what the attempt before it has read.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

ANCHORED = frozenset({"match", "fullmatch"})
SEARCHING = frozenset({"search", "findall", "finditer", "sub", "subn", "split"})
UNKNOWN = "(.*.*)*"
MANY = 300
"""A repetition that may be longer counts as one without end."""

_parser: Any = re._parser  # type: ignore[attr-defined] # no public name
_ALPHABET = frozenset([*map(chr, range(256)), "ё", "中", "\u2028", "\u2003"])
_CATEGORIES = {
    "CATEGORY_DIGIT": str.isdecimal,
    "CATEGORY_SPACE": str.isspace,
    "CATEGORY_WORD": lambda char: char.isalnum() or char == "_",
}
_REPEATS = ("MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT")

Chars = frozenset[str]
NONE: Chars = frozenset()


class _Rest(NamedTuple):
    """All that comes after a place in an expression."""

    first: Chars
    may_be_empty: bool
    repeats: bool = False
    """Whether something in it may repeat without end."""


class _Reader:
    """Finds the repetitions of an expression that are not simple."""

    def __init__(self) -> None:
        self.choices = 0
        """Repetitions that begin as what comes after them does."""
        self.loops = 0
        """The same of repetitions inside others."""
        self.scanned: Chars = NONE
        """Characters of repetitions after which the attempt may still fail."""

    def read(self, nodes: Any, rest: _Rest, is_in_loop: bool = False) -> _Rest:
        for operation, argument in reversed(list(nodes)):
            rest = self._node(str(operation), argument, rest, is_in_loop)
        return rest

    def _node(self, operation: str, argument: Any, rest: _Rest, is_in_loop: bool) -> _Rest:
        if operation in _REPEATS:
            return self._repeat(operation, *argument, rest, is_in_loop)
        if operation == "SUBPATTERN":
            return self.read(argument[-1], rest, is_in_loop)
        if operation == "ATOMIC_GROUP":
            return self.read(argument, rest, is_in_loop)
        if operation == "BRANCH":
            return self._branch(argument[1], rest, is_in_loop)
        if operation in ("ASSERT", "ASSERT_NOT"):
            self.read(argument[1], _Rest(NONE, True), is_in_loop)
            return rest._replace(may_be_empty=False)
        if operation == "AT":
            return rest._replace(may_be_empty=False)
        return _Rest(_chars(operation, argument), False, rest.repeats)

    def _repeat(self, operation: str, least: int, most: Any, body: Any, rest: _Rest, is_in_loop: bool) -> _Rest:
        if int(most) <= MANY:
            inner = self.read(body, rest, is_in_loop)
            return inner if least else inner._replace(first=inner.first | rest.first)
        begins = _Reader().read(body, _Rest(NONE, False)).first
        if begins & rest.first and operation != "POSSESSIVE_REPEAT":
            self.choices += 2 if rest.repeats else 1
            self.loops += is_in_loop
        if not rest.may_be_empty:
            self.scanned |= _all_chars(body)
        self.read(body, _Rest(begins | rest.first, False), True)
        return _Rest(begins if least else begins | rest.first, rest.may_be_empty and not least, True)

    def _branch(self, ways: Any, rest: _Rest, is_in_loop: bool) -> _Rest:
        found, before, most = [], self.choices, self.choices
        for way in ways:  # one of them only: what they have to choose does not add up
            self.choices = before
            found.append(self.read(way, rest, is_in_loop))
            most = max(most, self.choices)
        self.choices = most
        first = NONE
        for each in found:
            if is_in_loop and each.first & first:
                self.loops += 1
            first |= each.first
        return _Rest(first, any(each.may_be_empty for each in found), any(each.repeats for each in found))


def _chars(operation: str, argument: Any) -> Chars:
    if operation == "LITERAL":
        return frozenset(chr(argument))
    if operation == "NOT_LITERAL":
        return _ALPHABET - {chr(argument)}
    if operation == "RANGE":
        least, most = argument
        return frozenset(char for char in _ALPHABET if least <= ord(char) <= most) | {chr(least), chr(most)}
    if operation == "CATEGORY":
        name = str(argument).replace("_NOT_", "_")
        among = frozenset(filter(_CATEGORIES[name], _ALPHABET))
        return _ALPHABET - among if "_NOT_" in str(argument) else among
    if operation == "IN":
        items = [(str(kind), value) for kind, value in argument]
        found = frozenset[str]().union(*(_chars(kind, value) for kind, value in items if kind != "NEGATE"))
        return _ALPHABET - found if items[0][0] == "NEGATE" else found
    # An expression for texts of several lines says so (re.DOTALL); there this is more than it says.
    return _ALPHABET - {"\n"} if operation == "ANY" else _ALPHABET


def _all_chars(nodes: Any) -> Chars:
    found = NONE
    for operation, argument in nodes:
        if str(operation) in _REPEATS or str(operation) == "SUBPATTERN":
            found |= _all_chars(argument[-1])
        elif str(operation) == "BRANCH":
            found = found.union(*map(_all_chars, argument[1]))
        elif str(operation) not in ("AT", "ASSERT", "ASSERT_NOT"):
            found |= _chars(str(operation), argument)
    return found


def is_linear(pattern: str | bytes, method: str, flags: int = 0) -> bool:
    """Return True if a method of `re` takes linear time with a pattern, whatever the text."""
    text = pattern.decode("latin-1") if isinstance(pattern, bytes) else pattern
    parsed = _parser.parse(text, flags)
    reader = _Reader()
    begins = reader.read(parsed, _Rest(NONE, True))
    if reader.loops:
        return False
    if method in ANCHORED:
        return reader.choices <= 1  # to give back one repetition, character by character, is linear still
    starts = frozenset("\n") if _is_at_line(parsed) else begins.first
    return not reader.choices and not reader.scanned & starts


def _is_at_line(nodes: Any) -> bool:
    operation, argument = nodes[0]
    return str(operation) == "AT" and "BEGINNING" in str(argument)


class Use(NamedTuple):
    """A regular expression in the source, and how it is used."""

    place: str
    pattern: str | bytes
    method: str
    flags: int


def uses_in(path: Path) -> Iterator[Use]:
    """Yield every regular expression of a module; one that is compiled counts as each of its uses there."""
    source = path.read_text(encoding="utf-8")
    if "import re\n" not in source:  # most modules; reading the others takes seconds in every worker
        return
    tree = ast.parse(source)
    compiled: dict[str, ast.Call] = {}
    named: dict[str, str | bytes] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            if _called(node.value) == ("re", "compile"):
                compiled[node.targets[0].id] = node.value  # type: ignore[assignment]
            elif isinstance(node.value, ast.Constant) and isinstance(node.value.value, str | bytes):
                named[node.targets[0].id] = node.value.value
    calls = [node for node in ast.walk(tree) if _called(node) == ("re", "compile")]
    assert len(calls) == len(compiled), f"{path.name}: a pattern that is compiled has a name of its own"
    used: set[str] = set()
    for node in ast.walk(tree):
        of, method = _called(node)
        if method not in ANCHORED | SEARCHING:
            continue
        assert isinstance(node, ast.Call)
        if of in compiled:
            used.add(of)
            yield _use(path, compiled[of], method, named)
        elif of == "re":
            yield _use(path, node, method, named)
    for name in compiled.keys() - used:
        yield _use(path, compiled[name], "search", named)


def _called(node: ast.AST | None) -> tuple[str, str]:
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and isinstance(node.func.value, ast.Name):
        return node.func.value.id, node.func.attr
    return "", ""


def _use(path: Path, call: ast.Call, method: str, named: Mapping[str, str | bytes]) -> Use:
    flags = re.NOFLAG
    for name in re.findall(r"re\.([A-Z]+)\b", ast.unparse(call)):
        flags |= re.RegexFlag[name]
    return Use(f"{path.name}:{call.lineno}", _constant(call.args[0], named), method, int(flags))


def _constant(node: ast.expr, named: Mapping[str, str | bytes]) -> str | bytes:
    """Return a pattern as it is written; one that cannot be read counts as one that is not simple."""
    if isinstance(node, ast.Constant):
        assert isinstance(node.value, str | bytes)
        return node.value
    if isinstance(node, ast.BinOp):
        left, right = _constant(node.left, named), _constant(node.right, named)
        return left + right  # type: ignore[operator]
    return named.get(node.id, UNKNOWN) if isinstance(node, ast.Name) else UNKNOWN
