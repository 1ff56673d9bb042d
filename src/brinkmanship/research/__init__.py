"""Interfaces for research: the games as environments of common libraries.

* `observation`: the knowledge of one viewer as a row of small integers, column by column
* `vector`: thousands of games stepped by one call, over the compiled rules
* `gymnasium_env`, `pettingzoo_env`: environments of those libraries (extra ``research``)
* `open_spiel_games`: the games in OpenSpiel (extra ``openspiel``)
* `pictures`: rendering of environments

docs/research/interfaces.md is a tour, docs/research/observations.md lists every column.
"""
