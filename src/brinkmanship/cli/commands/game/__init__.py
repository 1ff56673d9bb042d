"""The commands ``brink game ...``: for authors of games."""
