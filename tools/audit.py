"""Check the locked versions for known vulnerabilities, in the advisories of PyPI and of OSV, with `pip-audit`.

    python tools/audit.py requirements.lock requirements-dev.lock

Exit code 1 if there are any, listed on standard output. Packages that cannot be checked, because no source of
advisories can be reached or knows them, are reported but are not a failure: CI must run on a machine without network.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple

SERVICES = ("pypi", "osv")
SECONDS = 300


class Answer(NamedTuple):
    """The result of a service for the packages of one file."""

    checked: set[str]
    found: dict[str, str]
    """Known vulnerabilities of a package, by its name and version."""
    trouble: str
    """Why no package was checked; "" otherwise."""


def ask(service: str, lock: Path) -> Answer:
    """Query one service for all packages of a file."""
    command = [
        *(sys.executable, "-m", "pip_audit", "--vulnerability-service", service, "--requirement", str(lock)),
        *("--require-hashes", "--disable-pip", "--format", "json", "--progress-spinner", "off", "--timeout", "10"),
    ]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS, check=False)
    except subprocess.TimeoutExpired:
        return Answer(set(), {}, f"no answer within {SECONDS} seconds")
    try:
        told = json.loads(done.stdout)["dependencies"]
    except (ValueError, KeyError):
        return Answer(set(), {}, (done.stderr.strip().splitlines() or ["no answer"])[-1])
    return _answer(told)


def _answer(told: list[dict[str, Any]]) -> Answer:
    checked = [package for package in told if "skip_reason" not in package]
    found = {
        f"{package['name']} {package['version']}": ", ".join(one["id"] for one in package["vulns"])
        for package in checked
        if package["vulns"]
    }
    trouble = "" if checked else next((package["skip_reason"] for package in told), "no packages")
    return Answer({package["name"] for package in checked}, found, trouble)


def audit(lock: Path) -> bool:
    """Print the known vulnerabilities of the packages of a file; return True if there are none."""
    names = {line.partition("==")[0] for line in lock.read_text("utf-8").splitlines() if "==" in line.partition("#")[0]}
    checked: set[str] = set()
    found: dict[str, str] = {}
    for service in SERVICES:
        answer = ask(service, lock)
        checked |= answer.checked
        found |= answer.found
        if answer.trouble:
            print(f"{lock.name}: {service} could not be asked: {answer.trouble}")
    for package, known in sorted(found.items()):
        print(f"{lock.name}: {package} has known vulnerabilities: {known}")
    unchecked = len(names - checked)
    if unchecked:
        print(f"{lock.name}: {unchecked} of {len(names)} packages COULD NOT BE CHECKED for known vulnerabilities")
    else:
        print(f"{lock.name}: all {len(names)} packages checked, {len(found)} with known vulnerabilities")
    return not found


if __name__ == "__main__":
    sound = [audit(Path(lock)) for lock in sys.argv[1:]]
    sys.exit(not all(sound))
