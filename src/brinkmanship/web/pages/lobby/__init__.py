"""The home page, the lobby, new games, joining a table, and lists of tables."""
