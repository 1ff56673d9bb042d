"""How long a player may think over one decision, and how that is written: ``0.3s``, ``400n``."""

from __future__ import annotations

import re
from typing import NamedTuple

from brinkmanship.engine.errors import LocalizedError
from brinkmanship.engine.message import Message

MAX_SECONDS = 3600.0
MAX_NODES = 1_000_000_000


class BudgetError(LocalizedError):
    """A text that is no budget."""


class Budget(NamedTuple):
    """What a player may spend on one decision: one of the two.

    With a number of nodes a player chooses the same each time it is asked with the same random numbers; with seconds
    it goes as far as it gets.
    """

    seconds: float | None = None
    nodes: int | None = None
    """What the player counts by, as playouts."""

    @classmethod
    def parse(cls, text: str) -> Budget:
        """A budget as it is written: "0.3s" for seconds, "400n" for nodes.

        Raises:
            BudgetError: it is none; the message says how they look.
        """
        if re.fullmatch(r"[0-9]+n", text) and 1 <= int(text[:-1]) <= MAX_NODES:
            return cls(nodes=int(text[:-1]))
        if re.fullmatch(r"([0-9]+(\.[0-9]*)?|\.[0-9]+)s", text) and 0 < float(text[:-1]) <= MAX_SECONDS:
            return cls(seconds=float(text[:-1]))
        most = {"text": text, "seconds": f"{MAX_SECONDS:g}", "nodes": str(MAX_NODES)}
        raise BudgetError(Message("fault.no_budget", most))

    def __str__(self) -> str:
        return f"{self.nodes}n" if self.nodes is not None else f"{self.seconds:g}s"
