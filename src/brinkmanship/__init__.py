"""Brinkmanship: three two-player crisis games, played to the letter of their rules."""

__version__ = "0.1.0"
