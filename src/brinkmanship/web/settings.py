"""Settings of a server: from the environment (BRINK_*), overridden by the command line."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import platformdirs

from brinkmanship.engine.errors import BrinkError


class SettingError(BrinkError, ValueError):
    """A setting that cannot be used."""


@dataclass(frozen=True)
class Settings:
    """How a server runs; the name of each environment variable is BRINK_ and the field's name in capitals."""

    host: str = "127.0.0.1"
    port: int = 8013
    database: str = ""
    """URL; "" is an SQLite file in the user's data folder."""
    public_url: str = ""
    """How people reach the server, for invitation links behind a proxy; "" = as the browser says."""
    secure_cookies: bool = False
    """Set cookies only over https; for servers that are reached so."""
    requests_per_minute: int = 600
    """By one person or address; more are refused."""

    @property
    def database_url(self) -> str:
        """The database's URL, with the default filled in and its folder made."""
        if self.database:
            return self.database
        folder = Path(platformdirs.user_data_path("brinkmanship"))
        folder.mkdir(parents=True, exist_ok=True)
        return f"sqlite:///{folder / 'table.sqlite3'}"


def from_environment(environment: Mapping[str, str] = os.environ) -> Settings:
    """Settings as the environment gives them.

    Raises:
        SettingError: a value is not of its kind.
    """
    given: dict[str, str | int | bool] = {}
    for name, kind in (
        ("host", str),
        ("port", int),
        ("database", str),
        ("public_url", str),
        ("secure_cookies", bool),
        ("requests_per_minute", int),
    ):
        text = environment.get(f"BRINK_{name.upper()}")
        if text is None:
            continue
        given[name] = _read(f"BRINK_{name.upper()}", text, kind)
    return Settings(**given)  # type: ignore[arg-type]


def _read(variable: str, text: str, kind: type) -> str | int | bool:
    if kind is bool:
        if text.lower() not in ("0", "1", "false", "true", "no", "yes"):
            raise SettingError(f"{variable} is yes or no, not {text!r}")
        return text.lower() in ("1", "true", "yes")
    if kind is int:
        if not text.isdecimal():
            raise SettingError(f"{variable} is a number, not {text!r}")
        return int(text)
    return text
