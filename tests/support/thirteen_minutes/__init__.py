"""Positions of 13 Minutes for tests, and what is true of every one of them."""
