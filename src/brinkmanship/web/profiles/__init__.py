"""Profiles of people and statistics of the site: results of finished games, counted once and then only read."""
