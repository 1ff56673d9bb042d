"""Analysis of a finished game: what of its result was luck, what was guessed, what was played, and which decisions were
dear. ``docs/develop/analysis.md`` says what the figures are.

* `report`: the analysis as data, with its JSON
* `steps`: a game cut into what chance did, what was decided, and what nobody could change
* `value`: how likely a side wins from full states, by one fixed way to play on
* `decisions`: a decision judged from what its side could know, by playouts in common worlds
* `pipeline`: all of it together: `analyse`
* `page`, `curve`: a page to look at, which needs nothing from elsewhere
"""
