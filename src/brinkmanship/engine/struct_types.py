"""Types of decoded data, made ready for several threads.

msgspec (0.22) reads the fields of a class when data is first decoded to it, and stores the list before it is complete.
A second thread that decodes to the class meanwhile follows a null pointer: the process ends with a segmentation fault.
Decoders built when a module is imported are safe; other types are prepared.
"""

from __future__ import annotations

from threading import Lock
from typing import Any

import msgspec

_one_at_a_time = Lock()


def prepare(*types: Any) -> None:
    """Let msgspec read the fields of types, in one thread at a time; do nothing where it has."""
    with _one_at_a_time:
        for each in types:
            msgspec.msgpack.Decoder(each)
