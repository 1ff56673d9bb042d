"""Pages of tournaments: lists, one tournament, a new one, calendar and feed."""
