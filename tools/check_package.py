"""Build the wheel and the source distribution, and use the wheel in bare environments, one for each extra.

    python tools/check_package.py               # what CI runs: the core, play, server and research
    python tools/check_package.py play openspiel

Packages come from the index that pip uses. Nothing is compiled: the rules run interpreted.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[1]
DEFAULT = ("", "play", "server", "research")

PLAY_A_GAME = """
import random
import brinkmanship as brink

position = brink.Position(brink.load("13-minutes"), seed=1)
choose = random.Random(1).choice
while not position.is_over:
    position.play(choose(position.legal))
assert "<svg" in position.svg()
print(position)
"""
SERVE_A_PAGE = """
from starlette.applications import Starlette
from brinkmanship.web.server.app import create_app
from brinkmanship.web.support.settings import Settings

assert isinstance(create_app(Settings(database="sqlite:///served.sqlite3")), Starlette)
"""
PLAY_A_GYM_GAME = """
import gymnasium
import brinkmanship.research.gymnasium_env

env = gymnasium.make("brinkmanship/13-minutes-v0")
env.reset(seed=1)
"""
PLAY_AN_OPENSPIEL_GAME = """
import pyspiel
import brinkmanship.research.open_spiel_games

assert [name for name in pyspiel.registered_names() if "13_minutes" in name]
"""
USES: dict[str, list[list[str]]] = {
    "": [["python", "-c", PLAY_A_GAME], ["brink", "--version"]],
    "play": [["brink", "--help"], ["brink", "cards", "13-minutes"], ["brink", "game", "new", "cold-front"]],
    "server": [["python", "-c", SERVE_A_PAGE], ["brink", "server", "run", "--help"]],
    "research": [["python", "-c", PLAY_A_GYM_GAME]],
    "openspiel": [["python", "-c", PLAY_AN_OPENSPIEL_GAME]],
    "data": [["brink", "lab", "export", "--help"]],
}
"""Commands that must end with exit code 0 where an extra is installed."""


def main(extras: tuple[str, ...]) -> int:
    """Check the extras; return an exit code."""
    if unknown := [extra for extra in extras if extra not in USES]:
        print(f"no such extra: {unknown[0]}; there are {', '.join(filter(None, USES))}", file=sys.stderr)
        return 2
    with tempfile.TemporaryDirectory() as folder:
        wheel = _build(Path(folder))
        for extra in extras:
            _use(wheel, extra, Path(folder) / (extra or "core"))
    return 0


def _build(folder: Path) -> Path:
    """Build the source distribution, and the wheel from it, as an index would receive them."""
    tools = folder / "tools"
    subprocess.run([sys.executable, "-m", "venv", tools], check=True)
    subprocess.run([tools / "bin/pip", "install", "--quiet", "build"], check=True)
    command = [tools / "bin/python", "-m", "build", "--outdir", folder, ROOT]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    (wheel,) = folder.glob("*.whl")
    (source,) = folder.glob("*.tar.gz")
    print(f"{wheel.name} {wheel.stat().st_size / 1e6:.1f} MB, {source.name} {source.stat().st_size / 1e6:.1f} MB")
    return wheel


def _use(wheel: Path, extra: str, folder: Path) -> None:
    subprocess.run([sys.executable, "-m", "venv", folder], check=True)
    wanted = f"{wheel}[{extra}]" if extra else str(wheel)
    subprocess.run([folder / "bin/pip", "install", "--quiet", wanted], check=True)
    listed = subprocess.run([folder / "bin/pip", "list", "--format=freeze"], check=True, capture_output=True, text=True)
    others = [line for line in listed.stdout.splitlines() if not re.match("pip|setuptools|brinkmanship", line)]
    print(f"{extra or 'core'}: {len(others)} packages besides ours", flush=True)
    for program, *arguments in USES[extra]:
        command = [folder / "bin" / program, *arguments]
        environment = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
        subprocess.run(command, cwd=folder, env=environment, check=True, stdout=subprocess.DEVNULL)


if __name__ == "__main__":
    sys.exit(main(tuple(sys.argv[1:]) or DEFAULT))
