"""Pages for rules, cards, rulings and data files."""
