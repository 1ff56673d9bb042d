"""Puzzles: positions from games of strong players in which one answer is far better than any other.

`making` finds them, `puzzle` says what one is and reads files of them, `schedule` says when one comes again. Those of
the package lie beside this file, ``<game>.jsonl.gz``.
"""
