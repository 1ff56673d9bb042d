"""Ratings of users: finished games are rated, and prospects before a game are computed."""
