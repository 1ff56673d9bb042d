"""Fingerprint of the sources that end up in the compiled code of a module: its own and those of all modules it imports.

Compiled code has the bodies of the functions it calls and the values of the constants it reads frozen into it. So it
is out of date as soon as the meaning of any of these modules changes, and only then: a comment, a docstring or a module
that only calls compiled code does not matter. Sources are parsed, never imported.
"""

from __future__ import annotations

import ast
import hashlib
import json
import os
import secrets
import sys
from collections.abc import Iterable, Iterator
from contextlib import suppress
from functools import cache
from importlib.machinery import ModuleSpec
from pathlib import Path
from typing import NamedTuple

PACKAGE = __name__.partition(".")[0]
COMPILER = f"{PACKAGE}.engine.jit.compile"
COMPILING = {"compiled", "compiled_loop", "hook", "implements", "instantiate", "internal", "shared", "template"}
"""A module that imports one of these names from the compiler module, or the module itself, has compiled functions."""


class Source(NamedTuple):
    """Facts about a source file, as stored in JSON."""

    content: str
    """Digest of the file."""
    meaning: str
    """Digest of its syntax tree, without comments, docstrings and line numbers."""
    imports: list[str]
    """The modules it imports, and imported names that may be modules themselves."""
    is_compiled: bool
    """True if it has compiled functions."""
    is_ours: bool
    """True if it mentions this package; libraries do not."""


def fingerprint(roots: Iterable[str], kept: Path) -> str:
    """Return a digest of all sources that the compiled code of these modules, and of those they import, depends on.

    Args:
        roots: names of modules; they need not have been imported.
        kept: a cache file of facts about sources, so that each is parsed once.
    """
    library = _library(kept)
    digest = hashlib.sha256()
    for name, source in sorted(library.dependencies_of(roots).items()):
        # Numba discards compiled code if the path or the time of its source file differs, whatever its content.
        own = f"{library.place(name)} {source.content}" if source.is_compiled else source.meaning
        digest.update(f"{name} {own}\n".encode())
    library.keep()
    return digest.hexdigest()


def dependencies_of(roots: Iterable[str], kept: Path) -> list[str]:
    """Return the modules that a `fingerprint` covers."""
    return sorted(_library(kept).dependencies_of(roots))


class _Library:
    """The sources, by the names of their modules."""

    def __init__(self, kept: Path) -> None:
        self._kept = kept
        self._known = _read(kept)
        self._is_new = False

    def dependencies_of(self, roots: Iterable[str]) -> dict[str, Source]:
        """Return the sources of everything that importing these modules compiles."""
        house = {PACKAGE, *(root.partition(".")[0] for root in roots)}
        compiled = [name for name, source in self._closure(roots, house).items() if source.is_compiled]
        return self._closure(compiled, house)

    def _closure(self, roots: Iterable[str], house: set[str]) -> dict[str, Source]:
        """Return these modules and all their imports; of libraries only the modules imported directly."""
        found: dict[str, Source] = {}
        waiting = list(roots)
        while waiting:
            name = waiting.pop()
            source = None if name in found else self._source(name)
            if source is None:
                continue
            found[name] = source
            if source.is_ours or name.partition(".")[0] in house:
                waiting += source.imports
        return found

    def place(self, name: str) -> str:
        """Return path, time and size of the source of a module; "" if it has none."""
        path = None if name.partition(".")[0] in sys.stdlib_module_names else _file_of(name)
        if path is None:
            return ""
        stat = path.stat()
        return f"{path} {stat.st_mtime_ns} {stat.st_size}"

    def _source(self, name: str) -> Source | None:
        place = self.place(name)
        if not place:
            return None
        key = f"{name} {place}"
        if key not in self._known:
            self._known[key] = _source_of(name, Path(place.rsplit(" ", 2)[0]))
            self._is_new = True
        return self._known[key]

    def keep(self) -> None:
        """Save the facts; do nothing if the disk is not writable."""
        if not self._is_new:
            return
        self._is_new = False
        temporary = self._kept.with_name(f"{self._kept.name}.{secrets.token_hex(4)}")
        with suppress(OSError):
            self._kept.parent.mkdir(parents=True, exist_ok=True)
            temporary.write_text(json.dumps({"python": sys.version, "sources": self._known}), "utf-8")
            os.replace(temporary, self._kept)


_library = cache(_Library)


def _read(kept: Path) -> dict[str, Source]:
    with suppress(OSError, ValueError, TypeError, KeyError):
        text = json.loads(kept.read_text("utf-8"))
        if text["python"] == sys.version:
            return {key: Source(*source) for key, source in text["sources"].items() if _is_there(key)}
    return {}


def _is_there(key: str) -> bool:
    """Return True if a key of the cache file matches the current file; other keys are dropped."""
    path, changed, size = key.split(" ", 1)[1].rsplit(" ", 2)
    with suppress(OSError):
        stat = os.stat(path)
        return (stat.st_mtime_ns, stat.st_size) == (int(changed), int(size))
    return False


@cache
def _file_of(name: str) -> Path | None:
    """Find a module as `import` would, without running the packages around it."""
    loaded = sys.modules.get(name)
    if loaded is not None:
        origin = getattr(loaded, "__file__", None)
    else:
        package = name.rpartition(".")[0]
        folders = _folders(package) if package else None
        if package and folders is None:
            return None
        spec = _spec(name, folders)
        origin = spec.origin if spec else None
    return Path(origin) if origin and origin.endswith(".py") and os.path.isfile(origin) else None


def _folders(package: str) -> list[str] | None:
    if package in sys.modules:
        path = getattr(sys.modules[package], "__path__", None)
        return None if path is None else list(path)
    above = package.rpartition(".")[0]
    folders = _folders(above) if above else None
    if above and folders is None:
        return None
    spec = _spec(package, folders)
    return None if spec is None or spec.submodule_search_locations is None else list(spec.submodule_search_locations)


def _spec(name: str, folders: list[str] | None) -> ModuleSpec | None:
    for finder in sys.meta_path:
        find = getattr(finder, "find_spec", None)
        spec: ModuleSpec | None = find(name, folders) if find else None
        if spec is not None:
            return spec
    return None


def _source_of(name: str, path: Path) -> Source:
    content = path.read_bytes()
    try:
        tree = ast.parse(content)
    except SyntaxError:  # importing the module will report it
        tree = ast.Module([], [])
    package = name if path.name == "__init__.py" else name.rpartition(".")[0]
    imports = set(_imports(tree.body, package))
    _strip(tree)
    return Source(
        content=hashlib.sha256(content).hexdigest(),
        meaning=hashlib.sha256(ast.dump(tree).encode()).hexdigest(),
        imports=sorted(imports),
        is_compiled=not imports.isdisjoint({COMPILER, *(f"{COMPILER}.{one}" for one in COMPILING)}),
        is_ours=PACKAGE.encode() in content,
    )


def _imports(body: list[ast.stmt], package: str) -> Iterator[str]:
    for statement in body:
        match statement:
            case ast.Import():
                yield from (alias.name for alias in statement.names)
            case ast.ImportFrom():
                around = package.split(".")
                above = around[: len(around) + 1 - statement.level] if statement.level else []
                module = ".".join([*above, *([statement.module] if statement.module else [])])
                names = [f"{module}.{alias.name}" for alias in statement.names]
                # For the compiler module only the imported names show whether anything is compiled.
                yield from names if module == COMPILER else (module, *names)
            case ast.If(test=ast.Name(id="TYPE_CHECKING")):
                yield from _imports(statement.orelse, package)
            case _:
                for part in ("body", "orelse", "finalbody"):
                    yield from _imports(getattr(statement, part, []), package)
                for inner in (*getattr(statement, "handlers", ()), *getattr(statement, "cases", ())):
                    yield from _imports(inner.body, package)


def _strip(tree: ast.Module) -> None:
    """Remove the docstrings, including texts below a name that document it."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            node.body = [one for one in node.body if not _is_text(one)]


def _is_text(statement: ast.stmt) -> bool:
    value = statement.value if isinstance(statement, ast.Expr) else None
    return isinstance(value, ast.Constant) and isinstance(value.value, str)
