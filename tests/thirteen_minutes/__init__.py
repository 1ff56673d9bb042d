"""The rules of 13 Minutes, tested against the specification; the numbers (G, F, Q) are its own."""
