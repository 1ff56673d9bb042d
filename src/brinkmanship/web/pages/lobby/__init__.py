"""The home page, new games, joining a table, lists of tables, and series of games."""
