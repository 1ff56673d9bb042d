"""What is done once before all tests."""

from __future__ import annotations

import subprocess
import sys

import pytest

from brinkmanship.cli import at_once


def pytest_sessionstart(session: pytest.Session) -> None:
    """Compile the games once, on all cores, before several workers start: each of them would compile all of it."""
    if session.config.getoption("numprocesses", None) and at_once.missing():
        print("Compiling the games, this once ...", flush=True)
        subprocess.run([sys.executable, "-m", at_once.__name__], check=True)
