"""Players of an earlier version of this project, so that a match can show what the changes since then are worth.

The sources of a commit are extracted from the project's git repository, and the player decides in a process of its own,
which imports them (`earlier_program`). It gets what the side has seen as it is, so the states and actions of the game
must be laid out as they were then; the process checks that.
"""

from __future__ import annotations

import io
import os
import shlex
import shutil
import subprocess
import sys
import tarfile
import tempfile
from base64 import b64encode
from pathlib import Path
from typing import Any

import platformdirs

from brinkmanship.engine.errors import BrinkError
from brinkmanship.engine.game import Game
from brinkmanship.engine.observation import Observation
from brinkmanship.players import earlier_program
from brinkmanship.players.program import ProgramPlayer

REPOSITORY = Path(__file__).parents[3]
COMPILING = 15 * 60.0
"""Maximum time for an answer (s): before its first one, a version compiles its rules and players."""


class EarlierVersionError(BrinkError, ValueError):
    """There is no repository, no such commit in it, or the game has another data file."""


class EarlierVersionPlayer(ProgramPlayer):
    """A player of an earlier version; see `load_earlier_version`."""

    name = "earlier"

    def start_message(self) -> dict[str, Any]:
        """Return the first message to a process, with the layout of states."""
        return {**super().start_message(), "layout": str(self.game.dtype.descr)}

    def question(self, seen: Observation, legal: list[int], seed: int) -> dict[str, Any]:
        """Return the message that asks for a decision, with all that the side has seen."""
        return {
            **super().question(seen, legal, seed),
            "actions": [(each.actor, each.action) for each in seen.actions],
            "views": [b64encode(view).decode("ascii") for view in seen.views],
        }


def load_earlier_version(game: Game, commit: str, player: str, seed: int | None = None) -> EarlierVersionPlayer:
    """Load a player as it was at a commit of this project.

    Args:
        game: the ruleset, with the package's own data file.
        commit: a commit of the repository that this package runs from, in any form that git knows.
        player: name of the player in that version.
        seed: seed of the numbers that the player gets with each decision.

    Raises:
        EarlierVersionError: the game has another data file, this package does not run from a git repository, or it has
            no such commit.
        ProgramError: that version cannot be started, does not know the player, or had other states or actions.
    """
    if game.source is not None:
        raise EarlierVersionError("players of earlier versions play with a game's own cards or scenario only")
    folder = sources_of(commit, REPOSITORY)
    program = [sys.executable, "-P", earlier_program.__file__, str(folder), player]
    return EarlierVersionPlayer(game, shlex.join(program), seed, COMPILING)


def sources_of(commit: str, repository: Path) -> Path:
    """Return the folder with the sources of a commit, extracted to the user's cache when first asked for.

    Raises:
        EarlierVersionError: there is no git repository, or no such commit in it.
    """
    found = _git(repository, commit, "rev-parse", "--verify", "--quiet", "--end-of-options", f"{commit}^{{commit}}")
    number = found.decode().strip()
    folder = platformdirs.user_cache_path("brinkmanship") / "commits" / number
    if not folder.exists():
        folder.parent.mkdir(parents=True, exist_ok=True)
        fresh = tempfile.mkdtemp(dir=folder.parent)
        try:
            with tarfile.open(fileobj=io.BytesIO(_git(repository, commit, "archive", number, "src"))) as archive:
                archive.extractall(fresh, filter="data")
            os.rename(fresh, folder)
        except OSError:
            shutil.rmtree(fresh, ignore_errors=True)
            if not folder.exists():  # otherwise another process was faster
                raise
    return folder


def _git(repository: Path, commit: str, *arguments: str) -> bytes:
    """Return the output of a git command about a commit."""
    try:
        return subprocess.run(["git", "-C", repository, *arguments], check=True, capture_output=True).stdout
    except FileNotFoundError as error:
        raise EarlierVersionError("players of earlier versions need git, which is not installed") from error
    except subprocess.CalledProcessError as error:
        why = error.stderr.decode("utf-8", "replace").strip()
        raise EarlierVersionError(
            ": ".join([f"no commit {commit!r} in {repository}", *([why] if why else [])])
        ) from error
