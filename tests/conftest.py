"""What is done once before all tests."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from brinkmanship.cli.commands import precompile

NOT_OURS = ("COLUMNS", "LINES", "NO_COLOR", "FORCE_COLOR", "CLICOLOR_FORCE", "TTY_COMPATIBLE", "TTY_INTERACTIVE")
"""What whoever starts the tests may have in the environment: what is tested should not look different for it."""


def pytest_configure() -> None:
    """The same environment for the tests wherever they run."""
    ours = [name for name in os.environ if name.startswith("BRINK_") and not name.startswith("BRINK_TEST_")]
    for name in (*NOT_OURS, *ours):
        os.environ.pop(name, None)


def pytest_sessionstart(session: pytest.Session) -> None:
    """Compile the games once, on all cores, before several workers start: each of them would compile all of it."""
    if session.config.getoption("numprocesses", None) and precompile.missing():
        print("Compiling the games, this once ...", flush=True)
        subprocess.run([sys.executable, "-m", precompile.__name__], check=True)
