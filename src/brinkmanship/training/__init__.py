"""Training of computer players: what is learned from their own games, by commands that anybody can repeat."""
