"""The crisis diary of Ukrainian Crisis: 2014, from the government of 27 February to the end of April."""

from datetime import date

from brinkmanship.text.diary import Diary, Stage

DIARY = Diary(
    (
        Stage(date(2014, 2, 27), date(2014, 3, 7), ("event", "svoboda_shakeup")),
        Stage(date(2014, 3, 8), date(2014, 3, 10), ("event", "flight_370")),
        Stage(date(2014, 3, 11), date(2014, 3, 16), ("event", "unit_not_ready")),
        Stage(date(2014, 3, 17), date(2014, 3, 26), ("event", "economic_sanctions")),
        Stage(date(2014, 3, 27), date(2014, 4, 6), ("event", "united_for_ukraine")),
        Stage(date(2014, 4, 7), date(2014, 4, 30), ("event", "spontaneous_mobilization_clubs")),
    ),
    (
        *("log.play", "log.type.combat", "log.ceasefire.holds"),
        *("change.critical", "change.union", "change.box", "change.gone"),
    ),
    bonus_options=("prestige_ua", "prestige_ru"),
    bonus={4: 2, 5: 4},
)
