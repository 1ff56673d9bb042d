"""Measurements: matches between computer players."""
