"""Sealed Bids, a game for Brinkmanship; its ``docs/develop/adding-a-game.md`` explains how to change it."""
