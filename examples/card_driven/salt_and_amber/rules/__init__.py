"""The rules of Salt and Amber."""
