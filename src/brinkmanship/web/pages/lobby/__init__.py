"""The home page, and series of games."""
