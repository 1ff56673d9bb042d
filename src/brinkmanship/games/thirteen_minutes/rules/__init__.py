"""The rules of 13 Minutes. This module imports nothing: importing rules compiles them."""
