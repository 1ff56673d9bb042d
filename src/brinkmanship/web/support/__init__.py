"""Shared utilities of the server: errors, rate limits, caches, names, settings, supervised tasks."""
