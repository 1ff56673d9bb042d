"""The computer players of Salt and Amber."""
