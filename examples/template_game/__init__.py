"""Sealed Bids, a game for Brinkmanship; its ``docs/adding-a-game.md`` says how it becomes another one."""
