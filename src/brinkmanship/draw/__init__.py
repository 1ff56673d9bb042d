"""Pictures: what a side may know becomes SVG, for the page, the terminal's export, documents and print.

* `svg`, `lettering`, `style`, `marks`, `geography`: what all pictures share
* `emblems.emblem(game_id)`: a small picture of each game
* a package per game: `thirteen_days.board(game, view, side, words)`, its cards and graphs

A drawing is made from a view, never from a state, and is the same text for the same view.
"""
