"""Positions of 13 Days for tests, and what is true of every one of them."""
