"""Labels of the drawings of 13 Minutes."""

from __future__ import annotations

from brinkmanship.drawing.icons import SIDE_CSS
from brinkmanship.drawing.phrases import Phrases, made_once
from brinkmanship.engine.message import Message
from brinkmanship.games.thirteen_minutes.drawing.position import Battleground, DrawnPosition
from brinkmanship.games.thirteen_minutes.rules.data import GameData
from brinkmanship.text import Words


class Labels(Phrases):
    """Labels in one language for the drawings of one ruleset."""

    def __init__(self, words: Words, data: GameData) -> None:
        super().__init__(words, SIDE_CSS)
        self.data = data

    def area_name(self, area: int) -> str:
        """Return the name of an area of the table."""
        return self.area(self.data.area[area].id)

    def short_area(self, area: int) -> str:
        """Return the short name of an area."""
        return self.words.text(Message(f"short.{self.data.area[area].id}"))

    def letter(self, colour: str) -> str:
        """Return the letter printed beside the shape of a DEFCON type."""
        return self.kind(colour)[:1].upper()

    def place(self, ground: Battleground) -> str:
        """Return the name of a battleground."""
        return self.words.name("battleground", ground.id)

    def control(self, ground: Battleground) -> str:
        """Return a phrase naming the side that controls a battleground."""
        if ground.controller is None:
            return self.say("uncontrolled")
        return self.say("controlled", side=self.sides[ground.controller])

    def describe_place(self, ground: Battleground) -> str:
        """Return the description of a battleground for screen readers."""
        us, ussr = ground.cubes
        return self.say(
            "aria.battleground",
            place=self.place(ground),
            colour=self.kind(ground.colour) if ground.colour else self.say("face_down"),
            area=self.area_name(ground.area),
            us=f"{self.sides[0]} {us}",
            ussr=f"{self.sides[1]} {ussr}",
            control=self.control(ground),
        )

    def tell_place(self, ground: Battleground) -> list[str]:
        """Return the tooltip lines of a battleground."""
        scoring = self.data.scoring
        worth = scoring.cuba if ground.is_cuba else scoring.battleground
        kind = self.kind(ground.colour) if ground.colour else self.say("face_down")
        cubes = [f"{name} {count}" for name, count in zip(self.sides, ground.cubes, strict=True)]
        lines = [self.place(ground), f"{kind}, {self.area_name(ground.area)}", ", ".join(cubes)]
        return [*lines, f"{self.control(ground)}: {self.say('prestige_worth', n=worth)}"]

    def tally(self, position: DrawnPosition, area: int, colour: str) -> str:
        """Return a phrase for how near a sphere is to war by the cards of one DEFCON type."""
        some, war = position.colours(area)[colour], self.data.scoring.war_cards
        key = "tally_war" if some >= war else "tally"
        return self.say(key, kind=self.kind(colour), some=some, war=war)

    def worth(self, position: DrawnPosition, side: int) -> int:
        """Return the Prestige that a side's battlegrounds would give now (section 5.5, step 1)."""
        scoring = self.data.scoring
        return sum(
            scoring.cuba if ground.is_cuba else scoring.battleground
            for ground in position.grounds
            if ground.controller == side
        )


labels_for = made_once(Labels)
