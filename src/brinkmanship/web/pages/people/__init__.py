"""Profiles of people, histories of their games, leaderboards, and the statistics of the site."""
