"""Rules, cards, rulings and data files to read."""
