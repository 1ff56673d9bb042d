"""The rules of 13 Days. This module imports nothing: importing rules compiles them."""
