"""Players of Ukrainian Crisis."""
