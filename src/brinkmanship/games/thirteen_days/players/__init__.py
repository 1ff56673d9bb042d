"""Computer players of 13 Days."""
