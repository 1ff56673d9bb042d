"""Benchmarks of the server, run from a checkout: ``python -m benchmarks --help``; see docs/develop/measurements.md."""
