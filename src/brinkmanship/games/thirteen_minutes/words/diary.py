"""The crisis diary of 13 Minutes."""

from brinkmanship.games.cuban.words.diary import STAGES
from brinkmanship.text.diary import Diary

DIARY = Diary(STAGES, ("log.play", "log.score.military", "log.war"))
