"""Diagnostics of computer players: audits, exploitability, avoidable wars, card values."""
