"""Fitting the weights of the computer players of 13 Days."""
