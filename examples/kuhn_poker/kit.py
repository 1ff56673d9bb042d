"""Registry entry of Kuhn poker: the game defines its rules, the package provides everything else."""

from brinkmanship.games.registry import Kit

KIT = Kit("kuhn-poker", __package__, zero_sum=True)
