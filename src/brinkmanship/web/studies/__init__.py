"""User-requested analyses, puzzles, simulations and analysis boards."""
