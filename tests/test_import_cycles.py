"""No file of the package imports, directly or by way of others, a file that imports it."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from graphlib import TopologicalSorter
from pathlib import Path

SOURCES = Path(__file__).parents[1] / "src"
FILES = {
    ".".join(path.relative_to(SOURCES).with_suffix("").parts).removesuffix(".__init__"): path
    for path in SOURCES.rglob("*.py")
}


def imported_by(path: Path) -> Iterator[str]:
    """The modules of the package that a file imports anywhere, in functions and for types alone as well."""
    for node in ast.walk(ast.parse(path.read_bytes())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert not node.level, f"{path}: imports are absolute"
            for alias in node.names:
                full = f"{node.module}.{alias.name}"
                yield full if full in FILES else node.module or ""


def test_no_file_imports_one_that_imports_it() -> None:
    graph = {name: {other for other in imported_by(path) if other in FILES} for name, path in FILES.items()}
    assert "brinkmanship.engine.game" in graph["brinkmanship.games.registry"]
    TopologicalSorter(graph).prepare()  # raises a CycleError that names the files of a cycle
