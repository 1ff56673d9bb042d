"""Training of computer players from self-play, by reproducible commands."""
