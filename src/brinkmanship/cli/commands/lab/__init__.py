"""The commands ``brink lab ...``: experiments with many games, for designers and authors of computer players."""
