"""TOML parser in a child process with time and memory limits, for untrusted text.

This file is also the program of the child, and therefore imports only the standard library: it starts in a few
hundredths of a second and needs little memory.
"""

from __future__ import annotations

import pickle
import subprocess
import sys
import tomllib
from typing import Any, NamedTuple

MAX_CPU_SECONDS = 5
"""Maximum processor time of the child (s); the largest text that the server accepts takes 0.2 s."""
MAX_BYTES = 512_000_000
"""Maximum memory of the child."""
MAX_SECONDS = 60.0
"""Maximum wall-clock time (s): a busy machine may need a multiple of the processor time."""


class ParseResult(NamedTuple):
    """Result of parsing: exactly one of the first two is set, unless the text cannot be parsed within the limits."""

    data: dict[str, Any] | None = None
    fault: str | None = None
    """Message of `tomllib.TOMLDecodeError`."""
    is_nested: bool = False
    """True if brackets are nested too deeply for the parser."""
    is_too_large: bool = False
    """True if the text contains a number that is too large."""


COSTLY = ParseResult()
"""Parsing exceeds the limits."""


def parse(text: str) -> ParseResult:
    """Parse TOML in this process, without limits."""
    try:
        return ParseResult(tomllib.loads(text))
    except tomllib.TOMLDecodeError as error:
        return ParseResult(fault=str(error))
    except RecursionError:
        return ParseResult(is_nested=True)
    except ValueError:  # Python limits how many digits of an integer it converts
        return ParseResult(is_too_large=True)


def parse_apart(text: str) -> ParseResult:
    """Parse TOML in a child process; return `COSTLY` if it exceeds the limits."""
    if not sys.executable:  # an embedded interpreter cannot start another one
        return parse(text)
    command = [sys.executable, "-I", "-S", __file__, str(MAX_CPU_SECONDS), str(MAX_BYTES)]
    try:
        done = subprocess.run(command, input=text.encode(), capture_output=True, timeout=MAX_SECONDS, check=False)
    except subprocess.TimeoutExpired:
        return COSTLY
    if done.returncode:
        return COSTLY
    return ParseResult(*pickle.loads(done.stdout))


def _limit(cpu_seconds: int, most_bytes: int) -> None:
    try:
        import resource
    except ImportError:  # Windows has no such limits; the parent's timeout remains
        return
    resource.setrlimit(resource.RLIMIT_CPU, (cpu_seconds, cpu_seconds))
    resource.setrlimit(resource.RLIMIT_AS, (most_bytes, most_bytes))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def _main(cpu_seconds: str, most_bytes: str) -> None:
    _limit(int(cpu_seconds), int(most_bytes))
    found = parse(sys.stdin.buffer.read().decode())
    # A plain tuple: the parent imports the class under another module name, so it could not unpickle `Parsed`.
    sys.stdout.buffer.write(pickle.dumps(tuple(found)))


if __name__ == "__main__":
    _main(*sys.argv[1:])
