"""The rules of 13 Days, tested against the specification; the numbers (G, R, S, T) are its own."""
