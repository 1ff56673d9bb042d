"""Ukrainian Crisis in the terminal: its table, and input lines for several of its small steps at once."""

from brinkmanship.games.ukrainian_crisis.terminal.table import UkrainianCrisisTable

__all__ = ["UkrainianCrisisTable"]
