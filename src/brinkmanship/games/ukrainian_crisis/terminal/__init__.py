"""Ukrainian Crisis in the terminal: its table, and lines that stand for several of its small steps."""

from brinkmanship.games.ukrainian_crisis.terminal.table import UkrainianCrisisTable

__all__ = ["UkrainianCrisisTable"]
