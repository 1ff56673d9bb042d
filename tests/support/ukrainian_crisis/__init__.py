"""Positions of Ukrainian Crisis for tests, and what is true of every one of them."""
