"""Matches of two games, and duplicate rounds: several tables that play the same deal."""
