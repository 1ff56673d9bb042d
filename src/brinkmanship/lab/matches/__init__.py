"""Matches between computer players: paired deals, SPRT, ladders, clusters of machines."""
