"""A layer for card-driven games: hands, cards as event or operations, influence on places, tracks, decks.

A game of this kind brings its data file, a few hooks (`rules.hooks`) and, if it likes, a board of its own; see
``docs/develop/adding-a-game.md`` and ``examples/card_driven``.
"""
