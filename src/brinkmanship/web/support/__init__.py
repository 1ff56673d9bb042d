"""What every part of the server uses: errors, limits, caches, names, settings."""
