"""Puzzles: positions from games of strong players in which one choice is far better than any other.

`generator` finds them, `puzzle` defines and reads them, `spaced_repetition` decides when one is repeated. Each game's
folder has its puzzles, ``puzzles.jsonl.gz``.
"""
