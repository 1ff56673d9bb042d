"""Mutation testing: plant small faults in the source, one at a time, and run the tests that should notice.

    make mutants                                              a sample of each module
    python tools/mutants.py engine/match --sample 0           all mutants of one module

Cosmic Ray provides the mutations. Its own runner starts Python for each mutant; here the libraries are loaded once, and
each mutant is tested in a fork, on a copy of the source, with nothing compiled. A mutant that exceeds its time limit, a
multiple of the time of the tests, counts as noticed.
"""

from __future__ import annotations

import argparse
import ast
import compileall
import difflib
import os
import random
import resource
import shutil
import sys
import tempfile
import time
from importlib import import_module
from itertools import islice
from pathlib import Path
from typing import NamedTuple

import cosmic_ray.plugins
from cosmic_ray.ast import ast_nodes, get_ast
from cosmic_ray.mutating import mutate_code

ROOT = Path(__file__).parents[1]
PACKAGE = Path("src/brinkmanship")
COPIED = ("src", "tests", "examples", "docs", "tools", "pyproject.toml", "Makefile", "README.md", "CHANGELOG.md")

DAYS = "tests/games/thirteen_days"
MINUTES = "tests/games/thirteen_minutes"
CRISIS = "tests/games/ukrainian_crisis"
STEPS = "games/thirteen_minutes/rules/steps"
CRISIS_STEPS = "games/ukrainian_crisis/rules/steps"
STEPS_OF_DAYS = (
    *("agenda_choice", "agenda_scoring", "aftermath", "asking", "escalation", "hands", "round_end", "turn", "war"),
    "world_opinion",
)
OF_DAYS = (
    *(f"{DAYS}/test_rulings.py", f"{DAYS}/test_golden_cases.py", f"{DAYS}/test_playthrough.py"),
    *(f"{DAYS}/test_pitfalls.py", f"{DAYS}/test_cards.py"),
)
OF_MINUTES = (
    *(f"{MINUTES}/test_rulings.py", f"{MINUTES}/test_golden_cases.py", f"{MINUTES}/test_events.py"),
    *(f"{MINUTES}/test_campaign.py", f"--deselect={MINUTES}/test_rulings.py::test_greedy_beats_random"),
)
OF_CRISIS = (
    *(f"{CRISIS}/test_rulings.py", f"{CRISIS}/test_golden_cases.py", f"{CRISIS}/test_events.py"),
    f"{CRISIS}/test_combat.py",
)
RECORDED = "tests/games/test_fingerprints.py::test_interpreted_games_are_the_same"

TARGETS: dict[str, tuple[str, ...]] = {
    "engine/jit/cache": ("tests/engine/jit/test_compile.py",),
    "engine/chance": ("tests/cli/test_simulate.py", RECORDED + "[13-days]"),
    "engine/data_file": ("tests/games/thirteen_days/test_data_file.py", "tests/end_to_end/test_parsing_time.py"),
    "engine/commit_reveal": ("tests/engine/test_commit_reveal.py", "tests/web/tables/test_deal_pledges.py"),
    "engine/game": ("tests/engine/test_match.py", "tests/engine/test_journal.py", "tests/test_template_game.py"),
    "engine/jit/interpret": ("tests/engine/jit/test_interpret.py",),
    "engine/journal": ("tests/engine/test_journal.py", "tests/engine/test_perspective.py"),
    "engine/match": ("tests/engine/test_match.py", "tests/engine/test_journal.py"),
    "engine/message": ("tests/text/test_words.py",),
    "engine/options": ("tests/cli/test_simulate.py", f"{MINUTES}/test_rulings.py"),
    "engine/standing_orders": ("tests/test_python_interface.py", "tests/engine/test_match.py"),
    "engine/perspective": (
        "tests/engine/test_perspective.py",
        "tests/engine/test_match.py",
        "tests/engine/test_journal.py",
    ),
    "engine/playout": ("tests/cli/test_simulate.py", "tests/test_python_interface.py"),
    "engine/action_parser": (
        "tests/engine/test_match.py",
        f"{DAYS}/test_golden_cases.py",
        f"{MINUTES}/test_golden_cases.py",
    ),
    "engine/record": ("tests/engine/test_record.py",),
    "engine/score": ("tests/engine/test_score.py",),
    "engine/series": ("tests/web/tables/test_series.py", f"{MINUTES}/test_campaign.py"),
    "engine/jit/source_fingerprint": ("tests/engine/jit/test_compile.py",),
    "engine/game_log": ("tests/engine/test_perspective.py", f"{CRISIS}/test_log.py"),
    "games/thirteen_days/rules/flow": (*OF_DAYS, RECORDED + "[13-days]"),
    **{f"games/thirteen_days/rules/steps/{step}": (*OF_DAYS, RECORDED + "[13-days]") for step in STEPS_OF_DAYS},
    "games/thirteen_minutes/rules/flow": (*OF_MINUTES, RECORDED + "[13-minutes]"),
    f"{STEPS}/bidding": (*OF_MINUTES, RECORDED + "[13-minutes]"),
    f"{STEPS}/dealing": (*OF_MINUTES, RECORDED + "[13-minutes]"),
    "games/thirteen_minutes/rules/narration/event": (*OF_MINUTES, RECORDED + "[13-minutes]"),
    f"{STEPS}/scoring": (*OF_MINUTES, RECORDED + "[13-minutes]"),
    f"{STEPS}/turn": (*OF_MINUTES, RECORDED + "[13-minutes]"),
    "games/ukrainian_crisis/rules/flow": (*OF_CRISIS, RECORDED + "[ukrainian-crisis]"),
    f"{CRISIS_STEPS}/areas": (*OF_CRISIS, RECORDED + "[ukrainian-crisis]"),
    f"{CRISIS_STEPS}/combat": (*OF_CRISIS, RECORDED + "[ukrainian-crisis]"),
    f"{CRISIS_STEPS}/declaration": (*OF_CRISIS, RECORDED + "[ukrainian-crisis]"),
    f"{CRISIS_STEPS}/placement": (*OF_CRISIS, RECORDED + "[ukrainian-crisis]"),
    "web/tables/live_table": (
        *("tests/web/pages/test_table_model.py", "tests/web/tables/test_tables.py", "tests/web/tables/test_clocks.py"),
        *("tests/web/tables/test_outage.py", "tests/web/tables/test_deal_pledges.py"),
    ),
}
"""Modules, and the few quick tests that should notice faults in them."""

LIBRARIES = (
    *("numba", "numpy", "pytest", "sqlalchemy.dialects.sqlite", "msgspec", "babel", "starlette.testclient"),
    *("alembic.command", "jinja2", "rich.console", "typer.testing", "hypothesis", "argon2"),
)
"""Libraries loaded once, by the process that is forked."""

SECONDS_TO_SPARE, TIMES_AS_LONG = 5, 3
"""Limit of a mutant's processor time: a constant plus a multiple of the time of the tests without a fault."""

OF_NO_INTEREST = {"core/ExceptionReplacer"} | {
    f"core/ReplaceComparisonOperator_{change}" for change in ("Eq_Is", "Is_Eq", "NotEq_IsNot", "IsNot_NotEq")
}
"""Ignored mutations: equal small numbers are identical anyway, and the type of an uncaught exception does not matter.
"""
MEANS_NOTHING = {"compiled", "internal", "template", "override", "cache"}
"""Decorators without effect on results when nothing is compiled."""


class Mutant(NamedTuple):
    """One small fault."""

    module: str
    operator: str
    occurrence: int
    line: int

    def code(self, source: str) -> str:
        """Return the module with the fault."""
        code: str = mutate_code(source, cosmic_ray.plugins.get_operator(self.operator)(), self.occurrence)
        return code


def path_of(module: str) -> Path:
    """Return the file of a target, relative to the root of the repository."""
    return PACKAGE / f"{module}.py"


def mutants_of(module: str) -> list[Mutant]:
    """Return all possible mutants of a module, including equivalent ones."""
    tree = get_ast((ROOT / path_of(module)).read_text("utf-8"))
    found = []
    for name in sorted(cosmic_ray.plugins.operator_names()):
        operator = cosmic_ray.plugins.get_operator(name)
        if not operator.arguments() and name not in OF_NO_INTEREST:
            places = (start for node in ast_nodes(tree) for start, _ in operator().mutation_positions(node))
            found += [Mutant(module, name, number, line) for number, (line, _) in enumerate(places)]
    return found


def chosen(module: str, sample: int, seed: int) -> list[Mutant]:
    """Return a random sample of a module's non-equivalent mutants; all of them if `sample` is 0."""
    source = (ROOT / path_of(module)).read_text("utf-8")
    same, found = meaning(source), mutants_of(module)
    random.Random(f"{seed} {module}").shuffle(found)
    real = (mutant for mutant in found if meaning(mutant.code(source)) not in (same, None))
    return sorted(islice(real, sample or None))


def meaning(source: str) -> str | None:
    """Return the syntax tree of a source without annotations and decorators that have no effect when it runs."""
    try:
        tree = ast.parse(source)
    except SyntaxError:
        return None
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            node.returns = None
            node.decorator_list = [each for each in node.decorator_list if _name(each) not in MEANS_NOTHING]
        elif isinstance(node, ast.arg):
            node.annotation = None
        elif isinstance(node, ast.AnnAssign):
            node.annotation = ast.Constant(0)
    return ast.dump(tree)


def _name(decorator: ast.expr) -> str:
    called = decorator.func if isinstance(decorator, ast.Call) else decorator
    return called.id if isinstance(called, ast.Name) else ""


class Bench:
    """A copy of the repository in which one mutant at a time is tested."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        for name in COPIED:
            if (ROOT / name).is_dir():
                shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
            else:
                shutil.copy(ROOT / name, folder / name)
        compileall.compile_dir(folder, quiet=1)

    def begin(self, module: str, code: str, seconds: int, is_mutant: bool) -> int:
        """Start the tests of a module with this source; return the process id."""
        pid = os.fork()
        if pid:
            return pid
        try:
            resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
            os.chdir(self.folder)
            path = path_of(module)
            path.write_text(code, "utf-8")
            for kept in (path.parent / "__pycache__").glob(f"{path.stem}.*"):
                kept.unlink()
            with (self.folder / "said").open("w") as said:
                os.dup2(said.fileno(), 1)
                os.dup2(said.fileno(), 2)
            sys.dont_write_bytecode = is_mutant  # the run without a fault keeps the bytecode of the tests
            sys.path.insert(0, str(self.folder / "src"))
            os.environ["PYTHONPATH"] = str(self.folder / "src")
            pytest = import_module("pytest")
            options = ("-x", "-q", "-p", "no:cacheprovider", "-m", "not long", "--rootdir", str(self.folder))
            os._exit(int(pytest.main([*options, *TARGETS[module]])))
        finally:
            os._exit(70)

    def restore(self, module: str) -> None:
        """Restore the original module."""
        shutil.copy(ROOT / path_of(module), self.folder / path_of(module))


def try_all(wanted: list[tuple[str, Mutant | None]], benches: list[Bench]) -> dict[tuple[str, Mutant | None], int]:
    """Run the tests of each module, with a mutant or unchanged; return their exit codes."""
    waiting, free = list(reversed(wanted)), list(benches)
    running: dict[int, tuple[Bench, tuple[str, Mutant | None]]] = {}
    codes: dict[tuple[str, Mutant | None], int] = {}
    seconds: dict[str, int] = {}
    while waiting or running:
        while waiting and free and (waiting[-1][1] is None or waiting[-1][0] in seconds):
            job = waiting.pop()
            module, mutant = job
            source = (ROOT / path_of(module)).read_text("utf-8")
            bench = free.pop()
            code = mutant.code(source) if mutant else source
            pid = bench.begin(module, code, seconds.get(module, 3600), mutant is not None)
            running[pid] = bench, job
        pid, status, used = os.wait4(-1, 0)
        if pid not in running:
            continue
        bench, (module, mutant) = running.pop(pid)
        bench.restore(module)
        free.append(bench)
        codes[module, mutant] = os.waitstatus_to_exitcode(status)
        if mutant is None:
            took = used.ru_utime + used.ru_stime
            seconds[module] = SECONDS_TO_SPARE + int(TIMES_AS_LONG * took)
            print(f"{module}: its tests take {took:.1f} s", file=sys.stderr)
            if codes[module, None]:
                sys.exit(f"the tests of {module} fail without a mutant:\n{(bench.folder / 'said').read_text()[-2000:]}")
        else:
            print("." if codes[module, mutant] else "S", end="", flush=True, file=sys.stderr)
    return codes


def show(mutant: Mutant) -> str:
    """Return the changed lines of a mutant."""
    source = (ROOT / path_of(mutant.module)).read_text("utf-8")
    lines = difflib.unified_diff(source.splitlines(), mutant.code(source).splitlines(), lineterm="", n=0)
    changed = [line for line in lines if line[:1] in "+-" and line[:3] not in ("+++", "---")]
    return "\n".join(f"    {line[0]} {line[1:].strip()}" for line in changed)


def main() -> None:
    """Run the command."""
    given = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    given.add_argument("modules", nargs="*", metavar="MODULE", help=f"one of {', '.join(TARGETS)}; default: all")
    given.add_argument("--sample", type=int, default=20, help="random mutants of each module; 0: all [20]")
    given.add_argument("--seed", type=int, default=1, help="seed of the sample [1]")
    given.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="mutants tested in parallel")
    asked = given.parse_args()
    if unknown := set(asked.modules) - set(TARGETS):
        given.error(f"no such module: {', '.join(sorted(unknown))}")
    os.environ["NUMBA_DISABLE_JIT"] = "1"
    for library in LIBRARIES:
        import_module(library)
    began = time.monotonic()
    modules = asked.modules or list(TARGETS)
    wanted: list[tuple[str, Mutant | None]] = []
    for module in modules:
        wanted += [(module, None), *((module, mutant) for mutant in chosen(module, asked.sample, asked.seed))]
    with tempfile.TemporaryDirectory(prefix="mutants-") as folder:
        benches = [Bench(Path(folder) / str(number)) for number in range(asked.jobs)]
        codes = try_all(wanted, benches)
    print(file=sys.stderr)
    tried = noticed = 0
    for module in modules:
        own = [(mutant, code) for (of, mutant), code in codes.items() if of == module and mutant is not None]
        survivors = sorted(mutant for mutant, code in own if code == 0)
        tried, noticed = tried + len(own), noticed + len(own) - len(survivors)
        print(f"{module}: {len(own) - len(survivors)} of {len(own)} noticed")
        for mutant in survivors:
            print(f"  line {mutant.line}\n{show(mutant)}")
    share = f", {100 * noticed / tried:.0f} %" if tried else ""
    print(f"{noticed} of {tried} noticed{share}, seed {asked.seed}, in {time.monotonic() - began:.0f} s")


if __name__ == "__main__":
    main()
