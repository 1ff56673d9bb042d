"""Tournaments on the server: entering and leaving, and the ticks that carry out what the arbiter decides."""
