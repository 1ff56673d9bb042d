"""The reliability of win probabilities: the report of ``brink lab calibrate``.

`sampling` plays games of a compiled player against itself and draws random positions of each, `forecasts` estimates the
winning chances of the side to act with the package's forecasting methods, `reliability` compares them with the
outcomes, `page` renders the result.
"""
