"""Registry entry of Sealed Bids: the game defines its rules, the package provides everything else."""

from brinkmanship.games.registry import Kit

KIT = Kit("sealed-bids", __package__)
