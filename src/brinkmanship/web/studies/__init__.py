"""Analyses, puzzles, simulations and analysis boards that users ask for."""
