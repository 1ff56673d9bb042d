"""Kuhn poker, the smallest poker: three cards, one of them in each hand, one bet. A game of rules alone."""
