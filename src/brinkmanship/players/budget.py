"""Budgets: time or playouts that a player may spend on one decision, written ``0.3s`` or ``400n``."""

from __future__ import annotations

import re
from typing import NamedTuple

from brinkmanship.engine.errors import LocalizedError
from brinkmanship.engine.message import Message

MAX_SECONDS = 3600.0
MAX_NODES = 1_000_000_000


class BudgetError(LocalizedError):
    """A text that is not a budget."""


class Budget(NamedTuple):
    """The budget of a player for one decision: exactly one of the two fields.

    With a number of nodes a player makes the same choice each time for the same random numbers; with seconds the amount
    of search depends on the machine.
    """

    seconds: float | None = None
    nodes: int | None = None
    """The player's unit of work, such as playouts."""

    @classmethod
    def parse(cls, text: str) -> Budget:
        """Parse a budget: "0.3s" for seconds, "400n" for nodes.

        Raises:
            BudgetError: not a budget; the message describes the format.
        """
        if re.fullmatch(r"[0-9]+n", text) and 1 <= int(text[:-1]) <= MAX_NODES:
            return cls(nodes=int(text[:-1]))
        if re.fullmatch(r"([0-9]+(\.[0-9]*)?|\.[0-9]+)s", text) and 0 < float(text[:-1]) <= MAX_SECONDS:
            return cls(seconds=float(text[:-1]))
        most = {"text": text, "seconds": f"{MAX_SECONDS:g}", "nodes": str(MAX_NODES)}
        raise BudgetError(Message("fault.no_budget", most))

    def __str__(self) -> str:
        return f"{self.nodes}n" if self.nodes is not None else f"{self.seconds:g}s"
