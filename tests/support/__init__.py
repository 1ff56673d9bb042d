"""Helpers of the tests: builders of games and positions, visitors, browsers, servers, waiting."""
