"""Compiling rules with Numba, running them interpreted, and the cache of compiled code."""
