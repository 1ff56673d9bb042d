"""Benchmarks: engine, server under load, pages in a browser, failure tests."""
