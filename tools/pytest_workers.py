"""Print the number of test workers for ``make test``: one more than cores, where there is memory for them.

Tests wait for browsers and servers a good part of their time. Each worker with its browser and its servers takes up to
2.5 GB; where memory ends, the system kills one of them in the middle of a test.
"""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

BYTES_EACH = 3 << 30
CGROUP_LIMITS = Path("/sys/fs/cgroup/memory.max"), Path("/sys/fs/cgroup/memory/memory.limit_in_bytes")
"""Memory limit of a container, in versions 2 and 1; "max" if there is none."""


def memory() -> int:
    """Return the memory that this machine or container has (bytes)."""
    found = [os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")]
    for file in CGROUP_LIMITS:
        with suppress(OSError, ValueError):
            found.append(int(file.read_text("ascii")))
    return min(found)


if __name__ == "__main__":
    print(max(1, min((os.cpu_count() or 1) + 1, memory() // BYTES_EACH)))
