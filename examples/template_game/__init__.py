"""A template of a game: copy this folder to ``src/brinkmanship/games/`` and follow ``docs/adding-a-game.md``."""
