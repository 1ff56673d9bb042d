"""Game-independent engine: the contract of a game, matches, perspectives, journals, chance and messages."""
