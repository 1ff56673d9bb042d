"""Players of 13 Days."""
