"""Numba compilation of the rules, interpreted runs, and the cache of compiled code."""
