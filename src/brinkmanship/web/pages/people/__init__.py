"""Profiles of people, histories of their games, and the statistics of the site."""
