"""Moderation: blocks and reports of players, measures of moderators, and their appeals."""
