"""Historical background of the cards, agendas and events of the games: the catalogue ``history``, by kind and id.

Cards of different games with the same id are about the same thing and share their text. Comments in ``history.en.po``
name two public sources for every text.
"""

from __future__ import annotations

from datetime import date
from typing import Literal

from brinkmanship.engine.message import Message
from brinkmanship.text.words import Words

DOMAIN = "history"

Kind = Literal["card", "agenda", "event"]


DAYS = {
    "card.containment": date(1946, 2, 22),
    "card.berlin_blockade": date(1948, 6, 24),
    "agenda.cuba_political": date(1961, 1, 3),
    "card.national_liberation": date(1961, 1, 6),
    "card.bay_of_pigs": date(1961, 4, 17),
    "card.summit_meeting": date(1961, 6, 3),
    "agenda.berlin": date(1961, 8, 13),
    "card.operation_mongoose": date(1961, 11, 30),
    "card.defensive_missiles": date(1962, 8, 29),
    "card.offensive_missiles": date(1962, 9, 4),
    "card.u2_photographs": date(1962, 10, 14),
    "card.excomm": date(1962, 10, 16),
    "card.air_strike": date(1962, 10, 16),
    "card.lessons_of_munich": date(1962, 10, 19),
    "card.wave_and_smile": date(1962, 10, 20),
    "card.quarantine": date(1962, 10, 22),
    "card.moscow_is_our_brain": date(1962, 10, 22),
    "card.speech_to_the_nation": date(1962, 10, 22),
    "card.close_allies": date(1962, 10, 22),
    "card.intelligence_reports": date(1962, 10, 22),
    "agenda.military_track": date(1962, 10, 22),
    "card.turn_back_the_ships": date(1962, 10, 23),
    "agenda.world_opinion_track": date(1962, 10, 23),
    "card.u_thant": date(1962, 10, 24),
    "card.to_the_brink": date(1962, 10, 24),
    "card.eyeball_to_eyeball": date(1962, 10, 24),
    "agenda.atlantic": date(1962, 10, 26),
    "agenda.personal_letter": date(1962, 10, 26),
    "card.nuclear_submarines": date(1962, 10, 27),
    "card.scramble": date(1962, 10, 27),
    "card.fidel_castro": date(1962, 10, 27),
    "card.u2_downed": date(1962, 10, 27),
    "card.a_face_saver": date(1962, 10, 27),
    "card.non_invasion_pledge": date(1962, 10, 27),
    "card.missile_trade": date(1962, 10, 27),
    "agenda.political_track": date(1963, 6, 20),
    "event.f_eu": date(2014, 2, 4),
    "event.svoboda_shakeup": date(2014, 2, 27),
    "event.flight_370": date(2014, 3, 8),
    "event.unit_not_ready": date(2014, 3, 11),
    "event.spontaneous_mobilization_spades": date(2014, 3, 13),
    "event.economic_sanctions": date(2014, 3, 17),
    "event.rally_for_the_motherland": date(2014, 3, 18),
    "event.united_for_ukraine": date(2014, 3, 27),
    "event.belarus": date(2014, 3, 27),
    "event.spontaneous_mobilization_clubs": date(2014, 4, 7),
    "event.screwed_thumbs": date(2014, 6, 8),
    "event.isis_crisis": date(2014, 6, 10),
    "event.a_terrible_resolve": date(2014, 6, 20),
    "event.moldova": date(2014, 6, 27),
}
"""The day that a text is about; if it names several, the first. Not every text has one."""


def day_of(kind: Kind, id: str) -> date | None:
    """Return the day that the history of a card, agenda or event is about; None if there is none."""
    return DAYS.get(f"{kind}.{id}")


def history_of(kind: Kind, id: str, language: str) -> str:
    """Return one to three sentences with a date; "" if there is no text, as for things a designer has added."""
    return Words(language, (DOMAIN,)).sentence_if_any(Message(f"history.{kind}.{id}"))
