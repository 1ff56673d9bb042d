"""Benchmarks of the server, run from a checkout: ``python -m benchmarks --help``; see docs/benchmarks.md."""
