"""Puzzles: positions from games of strong players in which one answer is far better than any other.

`generator` finds them, `puzzle` defines and reads them, `schedule` says when one comes again. Each game's folder has
its puzzles, ``puzzles.jsonl.gz``.
"""
