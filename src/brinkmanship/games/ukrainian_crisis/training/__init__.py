"""Fitting the weights of the computer players of Ukrainian Crisis."""
