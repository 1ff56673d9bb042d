"""Texts of events, for both Cuban games: sentences from the effects of `games.cuban.data`."""
