"""Tournaments as pure functions: schedules, pairings, standings, and the next step of an event; no database."""
