"""The rules that card-driven games share."""
