"""Analysis of a finished game: its result split into luck, guesses and play, and its costly decisions.

``docs/develop/players.md`` explains the figures.

* `report`: the analysis as data, with its JSON
* `steps`: a game split into chance events, decisions, and steps without a choice
* `value`: win probabilities of full states, by one fixed reference player
* `decisions`: evaluation of a decision from its side's knowledge, by playouts in common sampled deals
* `pipeline`: all of it together: `analyse`
* `explained`: choices in a table with facts as reasons, also for hints and puzzles
* `page`, `curve`: the report, as a standalone page or as the content of a page of the server
"""
