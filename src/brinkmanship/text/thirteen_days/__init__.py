"""The words of 13 Days: names from its data file, the texts of its cards, agendas and options."""

from brinkmanship.text.thirteen_days.cards import agenda_text, card_notes, card_text, option_text
from brinkmanship.text.thirteen_days.names import DOMAIN, names, words

__all__ = ["DOMAIN", "agenda_text", "card_notes", "card_text", "names", "option_text", "words"]
