"""Ukrainian Crisis in the terminal: its table, and lines that stand for several of its small steps."""
