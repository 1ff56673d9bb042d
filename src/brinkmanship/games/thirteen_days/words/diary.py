"""The crisis diary of 13 Days."""

from brinkmanship.games.cuban.words.diary import STAGES
from brinkmanship.text.diary import Diary

DIARY = Diary(STAGES, ("log.play.event", "log.decide.trigger", "log.agenda.lead", "log.agenda.letter", "log.war"))
