"""Games, one folder each: rules, words, drawing, terminal, players, lessons, puzzles. `registry` finds them by id."""
