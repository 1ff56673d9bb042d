"""Measurements: matches between computer players, balance of the games, calibration of forecasts, diagnostics."""
