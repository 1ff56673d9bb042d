"""Players of 13 Minutes."""
