"""Ukrainian Crisis with units of both sides in contact from the start."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from pathlib import Path
from tempfile import TemporaryDirectory

from brinkmanship.games.ukrainian_crisis.rules.game import UkrainianCrisis

WAR = """units_on_map = [
  { side = "RU", type = "ground", zone = "DON", count = 4 }, { side = "RU", type = "militia", zone = "DON", count = 4 },
  { side = "UA", type = "ground", zone = "DON", count = 4 }, { side = "UA", type = "militia", zone = "DON", count = 4 },
  { side = "RU", type = "airborne", zone = "CRI", count = 2 }, { side = "UA", type = "naval", zone = "CRI", count = 1 },
  { side = "UA", type = "militia", zone = "LUH", count = 3 },
  { side = "RU", type = "militia", zone = "LUH", count = 3 },
  { side = "RU", type = "special", zone = "KHA", count = 2 },
  { side = "UA", type = "airborne", zone = "KYC", count = 4 },
]"""
LONG = {"prestige_ua": "99", "prestige_ru": "99"}
"""Random payments spend Prestige fast; with this much most games last all their Turns."""


@cache
def war_file() -> str:
    """The package's scenario with units of both sides in contact."""
    folder = TemporaryDirectory()
    _folders.append(folder)
    text = files("brinkmanship.games.ukrainian_crisis").joinpath("scenario.toml").read_text(encoding="utf-8")
    file = Path(folder.name) / "war.toml"
    file.write_text(text.replace("units_on_map = []", WAR), encoding="utf-8")
    return str(file)


_folders: list[TemporaryDirectory[str]] = []


def at_war(options: dict[str, str | bool] | None = None) -> UkrainianCrisis:
    return UkrainianCrisis.load(war_file(), {**LONG, **(options or {})})
