"""The commands ``brink game ...`` for game authors."""
