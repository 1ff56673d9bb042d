"""The balance of a game and the worth of its parts: the report of ``brink lab balance``.

`measures` play games and count what came of them, in pieces that depend on nothing but the ruleset, a player, a seed
and the numbers of the games; `plan` says which pieces make a report, `store` keeps each as soon as it is done, and
`runner` spreads them over the cores. `results` makes figures of what was counted, `page` a page of the figures.

What something is worth is always measured by exchange: the same deal is played on twice or more by the same players,
with the same numbers for chance, and differs in that one thing.
"""
