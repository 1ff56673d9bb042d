"""The table in the terminal: line by line or on the full screen."""
