"""Registry entry of Salt and Amber; everything else is found by name."""

from brinkmanship.games.registry import Kit

KIT = Kit("salt-and-amber", __package__, players={"quick": "search.Quick", "search": "search.Search"}, zero_sum=True)
