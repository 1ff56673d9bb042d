"""What is installed and shipped is what is declared: dependencies, licences, locked versions."""

from __future__ import annotations

import ast
import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from functools import cache
from importlib.metadata import packages_distributions
from pathlib import Path
from typing import NamedTuple

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from brinkmanship.engine.jit.cache import INTERPRET
from brinkmanship.extras import EXTRA_OF, advice

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
NEEDED = {canonicalize_name(Requirement(text).name) for text in PROJECT["dependencies"]}
EXTRAS = {
    canonicalize_name(Requirement(text).name) for extra in PROJECT["optional-dependencies"].values() for text in extra
}
OF_EXTRAS = {
    "play": (
        "analysis/page.py",
        "cli/",
        "games/cuban/strategy_cards.py",
        "lab/",
        "reports/",
        "store/",
        "terminal/",
        "training/progress.py",
        "web/",
    ),
    "server": ("cli/commands/server/", "store/", "tournament/", "web/"),
    "research": ("research/",),
    "openspiel": ("research/open_spiel_games.py",),
    "data": ("research/parquet.py",),
}
"""Modules that may import at their head what an extra brings; also the terminals of games (`play`)."""
LOCKS = ("requirements.lock", "requirements-dev.lock")
BUILD_LOCK = "requirements-build.lock"
sys.path.insert(0, str(ROOT / "tools"))

import audit  # noqa: E402


class Import(NamedTuple):
    """What a source imports."""

    file: str
    package: str
    is_at_once: bool
    """Whether it is imported with the module, not within a function or for types alone."""


@cache
def imports_of(folder: str) -> list[Import]:
    """All imports of the sources of a folder."""
    found = []
    for source in sorted((ROOT / folder).rglob("*.py")):
        file = str(source.relative_to(ROOT))
        waiting: list[tuple[ast.AST, bool]] = [(ast.parse(source.read_bytes()), True)]
        while waiting:
            node, is_at_once = waiting.pop()
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            if isinstance(node, ast.ImportFrom) and not node.level:
                names = [node.module or ""]
            found += [Import(file, name.partition(".")[0], is_at_once) for name in names]
            if isinstance(node, ast.stmt | ast.mod | ast.ExceptHandler | ast.match_case):
                is_later = isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) or (
                    isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"
                )
                waiting += [(inner, is_at_once and not is_later) for inner in ast.iter_child_nodes(node)]
    return found


known = cache(packages_distributions)


def undeclared(folder: str, declared: set[str], everywhere: bool, own: set[str]) -> list[str]:
    return [
        f"{each.file} imports {each.package}"
        for each in imports_of(folder)
        if (everywhere or each.is_at_once)
        and each.package not in sys.stdlib_module_names | own
        and not {canonicalize_name(found) for found in known().get(each.package, [each.package])} & declared
    ]


def test_what_the_program_imports_is_declared() -> None:
    assert undeclared("src", NEEDED | EXTRAS, everywhere=True, own={"brinkmanship"}) == []


def test_only_modules_of_an_extra_import_what_it_brings_at_their_head() -> None:
    astray = []
    for each in imports_of("src"):
        module = each.file.removeprefix("src/brinkmanship/")
        extra = EXTRA_OF.get(each.package)
        is_terminal = extra == "play" and re.match(r"games/\w+/terminal\b", module)
        if each.is_at_once and extra and not is_terminal and not module.startswith(OF_EXTRAS.get(extra, ())):
            astray.append(f"{module} imports {each.package}")
    # Traces are optional, but their interface is not: it does nothing without the rest.
    assert [text for text in astray if not text.startswith("web/server/tracing.py")] == []


def test_the_advice_names_the_extra_that_declares_a_module() -> None:
    for module, extra in EXTRA_OF.items():
        declared = {canonicalize_name(Requirement(text).name) for text in PROJECT["optional-dependencies"][extra]}
        assert {canonicalize_name(name) for name in known()[module]} & declared, module
        said = advice(ModuleNotFoundError(name=f"{module}.part"))
        assert said is not None
        assert f"pip install 'brinkmanship[{extra}]'" in said
    assert advice(ModuleNotFoundError(name="brinkmanship.typo")) is None


CORE = """
import sys
from importlib.abc import MetaPathFinder

class Missing(MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {missing!r}:
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)

sys.meta_path.insert(0, Missing())
"""
"""Makes extras look as if they were not installed."""
USE = """
import random
import brinkmanship as brink
choose = random.Random(1).choice
game = brink.load("13-minutes")
position = brink.Position(game, seed=1)
while not position.is_over:
    position.play(choose(position.legal))
assert brink.Position.from_json(position.to_json()).outcome == position.outcome
assert "<svg" in position.view("us").svg("pl")
assert len(list(brink.play_games(game, 2, us=lambda view: choose(view.legal)))) == 2
try:
    brink.load("13-minutes", options={"no_such_option": "x"})
except brink.OptionError as error:
    print(error)
"""
COMMAND = """
import sys
from brinkmanship.__main__ import main
sys.argv = {arguments!r}
main()
"""


def run_without(extras: set[str], script: str) -> subprocess.CompletedProcess[str]:
    """Run a script where some extras are missing."""
    missing = {module for module, extra in EXTRA_OF.items() if extra in extras}
    if "play" not in extras:
        missing.discard("markdown_it")  # rich, which is in that extra, brings it
    return subprocess.run(
        [sys.executable, "-c", CORE.format(missing=missing) + script],
        env={**os.environ, INTERPRET: "1"},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.process
def test_rules_views_boards_and_simulations_need_no_extra() -> None:
    done = run_without(set(EXTRA_OF.values()), USE)
    assert done.returncode == 0, done.stderr
    assert "no_such_option" in done.stdout


@pytest.mark.process
@pytest.mark.parametrize(
    ("extras", "arguments", "extra"),
    [
        ({"play", "server"}, ["brink", "games"], "play"),
        ({"server"}, ["brink", "server", "run"], "server"),
        ({"server"}, ["brink", "server", "admin", "tables"], "server"),
    ],
)
def test_a_command_says_which_extra_it_needs(extras: set[str], arguments: list[str], extra: str) -> None:
    done = run_without(extras, COMMAND.format(arguments=arguments))
    assert done.returncode == 2, done.stderr
    assert done.stderr.startswith("brink: ")
    assert done.stderr.endswith(f"pip install 'brinkmanship[{extra}]'\n")
    assert done.stderr.count("\n") == 1


@pytest.mark.process
@pytest.mark.parametrize("arguments", [["--help"], ["server", "worker", "--help"], ["cards", "13-minutes"]])
def test_help_and_commands_of_players_need_only_the_extra_play(arguments: list[str]) -> None:
    others = set(EXTRA_OF.values()) - {"play"}
    done = run_without(others, COMMAND.format(arguments=["brink", *arguments]))
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("folder", ["tests", "examples", "benchmarks"])
def test_what_tests_examples_and_benchmarks_import_is_declared(folder: str) -> None:
    # Two examples say in their first lines which of these large libraries they need.
    learning = {"torch", "sb3-contrib"}
    rooms = ("tests", "tools", "examples", "examples/card_driven")
    ours = {path.stem for room in rooms for path in (ROOT / room).iterdir()}
    assert (
        undeclared(folder, NEEDED | EXTRAS | learning, everywhere=True, own={"brinkmanship", "benchmarks", *ours}) == []
    )


def test_every_licence_of_others_is_shipped_as_a_licence() -> None:
    shipped = {path for pattern in PROJECT["license-files"] for path in ROOT.glob(pattern)}
    found = {
        path
        for path in (ROOT / "src").rglob("*")
        if re.search(r"(^|\.)(OFL|LICEN[CS]E|COPYING)", path.name, re.IGNORECASE) and path.is_file()
    }
    assert found
    assert found <= shipped
    assert all((ROOT / name).is_file() for name in PROJECT["license-files"])
    assert "OFL-1.1" in PROJECT["license"]


def test_pages_load_no_script_that_nothing_uses() -> None:
    static = ROOT / "src/brinkmanship/web/static"
    templates = "".join(path.read_text("utf-8") for path in (static.parent / "templates").rglob("*.html"))
    scripts = "".join(path.read_text("utf-8") for path in static.rglob("*.js"))
    for script in static.rglob("*.js"):
        is_listed = f'"{script.stem}"' in templates  # where a page loads one script after the other
        assert f"js/{script.name}" in templates or is_listed or script.name in scripts, f"nothing loads {script.name}"
    assert "htmx" not in templates + scripts


def locked(name: str) -> dict[str, list[tuple[str, str, int]]]:
    """The versions of each package of a lock file: version, marker, number of hashes."""
    found: dict[str, list[tuple[str, str, int]]] = {}
    text = (ROOT / name).read_text("utf-8").replace("\\\n", "")
    for line in text.splitlines():
        pinned = re.fullmatch(r"([a-z0-9._-]+)==([^ ;]+)(?: ; ([^-]*?))?((?:\s+--hash=sha256:[0-9a-f]{64})+)", line)
        assert pinned, f"{name}: {line[:80]}"
        found.setdefault(canonicalize_name(pinned[1]), []).append(
            (pinned[2], pinned[3] or "", pinned[4].count("sha256"))
        )
    return found


@pytest.mark.parametrize("name", LOCKS)
def test_the_lock_has_a_version_with_hashes_of_all_that_is_declared(name: str) -> None:
    text = (ROOT / name).read_text("utf-8")
    assert not re.search(r"://|--index|--find-links|--trusted|/work|file:", text)
    pins = locked(name)
    groups = {extra: PROJECT["optional-dependencies"][extra] for extra in ("play", "server", "postgresql")}
    if "dev" in name:
        # `make docs` alone uses the extra `docs`; nothing that is tested or served does.
        groups = {key: group for key, group in PROJECT["optional-dependencies"].items() if key != "docs"}
    for declared in [*PROJECT["dependencies"], *(text for group in groups.values() for text in group)]:
        requirement = Requirement(declared)
        if requirement.name == PROJECT["name"]:
            continue
        versions = pins[canonicalize_name(requirement.name)]
        assert all(requirement.specifier.contains(version) for version, _, _ in versions), (
            f"run: make lock ({declared})"
        )


def test_what_builds_the_package_is_locked_too() -> None:
    pins = locked(BUILD_LOCK)
    wanted = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["build-system"]["requires"]
    for requirement in map(Requirement, wanted):
        assert requirement.specifier.contains(pins[canonicalize_name(requirement.name)][0][0]), "run: make lock"
    image = (ROOT / "Containerfile").read_text("utf-8")
    installs = re.findall(r"RUN pip (?:install|wheel) (.*)", image)
    assert len(installs) == 4
    # What comes from outside has a hash; nothing else is fetched.
    assert all("--require-hashes" in each or "--no-deps" in each for each in installs)
    assert all("--no-build-isolation" in each or "--no-index" in each for each in installs if "--no-deps" in each)


def test_images_are_named_by_their_digest() -> None:
    image = (ROOT / "Containerfile").read_text("utf-8")
    assert re.findall(r"^FROM (\S+)", image, re.MULTILINE) == ["${PYTHON_IMAGE}"] * 2
    (base,) = re.findall(r"^ARG PYTHON_IMAGE=(\S+@sha256:[0-9a-f]{64})$", image, re.MULTILINE)
    compose = (ROOT / "deploy" / "compose.yaml").read_text("utf-8")
    named = re.findall(r"^ +(?:image|PYTHON_IMAGE): (?!brinkmanship)(\S+)", compose, re.MULTILINE)
    assert len(named) == 4
    assert all(re.fullmatch(r"\$\{[A-Z]+_IMAGE:-\S+@sha256:[0-9a-f]{64}\}", name) for name in named)
    assert f"${{PYTHON_IMAGE:-{base}}}" in named


def test_the_unit_gives_the_server_no_more_than_it_needs() -> None:
    unit = (ROOT / "deploy" / "brinkmanship.service").read_text("utf-8")
    told = re.findall(r"^([A-Za-z]+)=(.*)$", unit, re.MULTILINE)
    yes = {name for name, value in told if value == "yes"}
    assert yes >= {"NoNewPrivileges", "ProtectHome", "PrivateTmp", "PrivateDevices", "LockPersonality"}
    assert yes >= {"ProtectKernelTunables", "ProtectControlGroups", "RestrictSUIDSGID", "RestrictNamespaces"}
    wanted = {("UMask", "0077"), ("ProtectSystem", "strict"), ("CapabilityBoundingSet", ""), ("MemoryMax", "3G")}
    assert {*told} >= wanted | {("SystemCallFilter", "@system-service"), ("SystemCallFilter", "~@privileged")}
    # Numba writes code and runs it.
    assert "MemoryDenyWriteExecute" not in {name for name, _ in told}
    assert "deploy/brinkmanship.service" in (ROOT / "docs" / "operate" / "server.md").read_text("utf-8")


def test_both_locks_agree() -> None:
    small, large = (locked(name) for name in LOCKS)
    for name, pins in small.items():
        assert {version for version, _, _ in pins} == {version for version, _, _ in large[name]}


PACKAGES = [
    {"name": "alembic", "version": "1.20.1", "vulns": []},
    {"name": "numba", "version": "0.68.1", "vulns": [{"id": "PYSEC-1"}]},
    {"name": "numpy", "skip_reason": "not found"},
]


@pytest.mark.parametrize(
    ("told", "said", "code"),
    [
        (json.dumps({"dependencies": PACKAGES}), "numba 0.68.1 has known vulnerabilities: PYSEC-1", False),
        (json.dumps({"dependencies": PACKAGES[:1]}), "2 of 3 packages COULD NOT BE CHECKED", True),
        (json.dumps({"dependencies": PACKAGES[2:]}), "pypi could not be asked: not found", True),
        ("", "osv could not be asked: no route", True),
    ],
)
def test_the_audit_says_what_it_could_not_check(
    told: str,
    said: str,
    code: bool,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    lock = tmp_path / "requirements.lock"
    lock.write_text("alembic==1.20.1\nnumba==0.68.1\nnumpy==2.4.6\n")
    answer = subprocess.CompletedProcess([], 0, told, "no route\n")
    monkeypatch.setattr(subprocess, "run", lambda *_, **__: answer)
    assert audit.audit(lock) is code
    assert said in capsys.readouterr().out


PYTHON = """
case "$*" in
    -c*|*--version) exit 0 ;;
    "-m venv .venv") mkdir -p .venv/bin; cat "$0" > .venv/bin/python; chmod +x .venv/bin/python; echo "made .venv" ;;
    *) echo "$*" ;;
esac >> "{log}"
"""
"""A Python that notes what it is asked to do."""


@pytest.fixture
def bare(tmp_path: Path) -> Path:
    """A copy of the installer on a machine with a shell and nothing else; its commands are in ``bin``."""
    (tmp_path / "tools").mkdir()
    shutil.copy(ROOT / "tools/install.sh", tmp_path / "tools")
    (tmp_path / "bin").mkdir()
    for command in ("sh", "cat", "chmod", "dirname", "rm", "mkdir"):
        (tmp_path / "bin" / command).symlink_to(shutil.which(command) or "")
    return tmp_path


def install(folder: Path, *extras: str) -> subprocess.CompletedProcess[str]:
    command = [str(folder / "bin/sh"), str(folder / "tools/install.sh"), *extras]
    return subprocess.run(command, env={"PATH": str(folder / "bin")}, capture_output=True, text=True, check=False)


def add_command(folder: Path, name: str, script: str) -> None:
    (folder / "bin" / name).write_text(f"#!/bin/sh\n{script}\n", "utf-8")
    (folder / "bin" / name).chmod(0o755)


@pytest.mark.process
def test_without_a_python_that_fits_the_installer_says_what_is_needed(bare: Path) -> None:
    add_command(bare, "python3", "exit 1")  # too old
    done = install(bare)
    assert done.returncode == 2
    assert "needs Python 3.11 to 3.14" in done.stderr
    assert "PYTHON=/path/to/python" in done.stderr


@pytest.mark.process
def test_any_python_that_fits_is_taken_and_only_what_was_asked_for_is_installed(bare: Path) -> None:
    add_command(bare, "python3", "exit 1")
    add_command(bare, "python3.12", PYTHON.format(log=bare / "log"))
    assert install(bare).returncode == 0
    assert install(bare, "dev").returncode == 0
    assert (bare / "log").read_text().splitlines() == [
        "made .venv",
        "-m pip install --quiet --disable-pip-version-check --editable .[server]",
        "-m pip install --quiet --disable-pip-version-check --editable .[dev]",
    ]


@pytest.mark.process
def test_uv_is_used_where_it_is(bare: Path) -> None:
    add_command(bare, "uv", f'echo "$*" >> "{bare / "log"}"')
    assert install(bare).returncode == 0
    made, installed = (bare / "log").read_text().splitlines()
    assert made.startswith("venv ")
    assert installed.startswith("pip install ")
    assert installed.endswith("--editable .[server]")
