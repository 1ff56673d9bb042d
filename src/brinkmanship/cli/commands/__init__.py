"""The commands of `brink`, one module each."""
