"""Ratings: the strength of players from their results, with an advantage for the side that a ruleset favours."""
