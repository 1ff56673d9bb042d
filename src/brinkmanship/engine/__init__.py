"""Games in general: the contract of a game, matches, perspectives, journals, chance and messages. Knows no game."""
