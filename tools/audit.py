"""Are there known vulnerabilities in the locked versions? Asks the advisories of PyPI and of OSV, by `pip-audit`.

    python tools/audit.py requirements.lock requirements-dev.lock

Exit code 1: there are some, listed on standard output. What could not be checked, because no source of advisories can
be reached or does not know a package, is said and is no failure: a machine without network must be able to run CI.
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
    """What a service says of the packages of one file."""

    checked: set[str]
    found: dict[str, str]
    """What is known against a package, by its name and version."""
    trouble: str
    """Why nothing was checked, if so."""


def ask(service: str, lock: Path) -> Answer:
    """Ask one service of all packages of a file."""
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
    """Say what is known of the packages of a file; whether nothing is known against them."""
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
        print(f"{lock.name}: {unchecked} of {len(names)} packages COULD NOT BE CHECKED for known vulnerabilities here")
    else:
        print(f"{lock.name}: all {len(names)} packages checked, {len(found)} with known vulnerabilities")
    return not found


if __name__ == "__main__":
    sound = [audit(Path(lock)) for lock in sys.argv[1:]]
    sys.exit(not all(sound))
