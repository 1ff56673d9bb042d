"""The reliability of win probabilities: the report of ``brink lab calibrate``.

`sampling` plays games of a compiled player against itself and draws positions of each by chance, `forecasts` says how
likely the side that is asked wins each, in the ways in which the package says so elsewhere, `reliability` compares
that with what happened, `page` shows it.
"""
