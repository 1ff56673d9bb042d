"""The balance of a game and the value of its parts: the report of ``brink lab balance``.

`measures` play games and count results in pieces that depend only on the ruleset, a player, a seed and the numbers of
the games; `plan` lists the pieces of a report, `store` saves each finished piece, and `runner` spreads them over the
cores. `results` computes figures from the counts, `page` renders them.

The value of something is always measured by exchange: the same players continue the same deal two or more times, with
the same random numbers for chance, and only that one thing differs.
"""
