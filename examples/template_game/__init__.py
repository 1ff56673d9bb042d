"""Sealed Bids, a game for Brinkmanship; its ``docs/develop/adding-a-game.md`` says how it becomes another one."""
