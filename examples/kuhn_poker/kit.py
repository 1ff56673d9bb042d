"""Where the parts of Kuhn poker are: it brings rules, and the package does the rest."""

from brinkmanship.games.registry import Kit

KIT = Kit("kuhn-poker", __package__, zero_sum=True)
