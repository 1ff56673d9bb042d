"""Sealed Bids in the registry: it brings rules, and the package does the rest."""

from brinkmanship.games.registry import Kit

KIT = Kit("sealed-bids", __package__)
