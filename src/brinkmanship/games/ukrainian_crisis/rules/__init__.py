"""The rules of Ukrainian Crisis. This module imports nothing: importing rules compiles them."""
