"""Types that several threads decode to for the first time at once: without `prepare` the process ends in most runs."""

from __future__ import annotations

import subprocess
import sys

SCRIPT = '''
import sys
from threading import Barrier, Thread
from types import ModuleType

import msgspec

from brinkmanship.engine.struct_types import prepare

SOURCE = """
from __future__ import annotations
import msgspec
class Inner(msgspec.Struct):
    numbers: list[int]
    names: dict[str, int] | None
class Outer(msgspec.Struct):
    many: list[Inner]
    one: Inner
"""
INNER = {"numbers": [1], "names": None}
sys.setswitchinterval(1e-6)
for number in range(100):
    module = sys.modules[f"module{number}"] = ModuleType(f"module{number}")
    exec(SOURCE, module.__dict__)
    ready = Barrier(4)

    def decode():
        ready.wait()
        prepare(module.Outer)
        msgspec.convert({"many": [INNER], "one": INNER}, module.Outer)

    threads = [Thread(target=decode) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
'''


def test_threads_that_decode_to_a_type_for_the_first_time_at_once_end_well() -> None:
    done = subprocess.run([sys.executable, "-c", SCRIPT], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
