"""Ukrainian Crisis."""
