"""Settings of a server: from the environment (BRINK_*), overridden by the command line."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import platformdirs

from brinkmanship.engine.errors import BrinkError

SMTP_SECURITY = ("starttls", "tls", "none")


class SettingError(BrinkError, ValueError):
    """A setting that cannot be used."""


MOST_WORKERS = 64


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
    """By one person or address, in each worker process; more are refused."""
    workers: int = 1
    """Processes that serve; more than one to use several cores."""
    channel: str = ""
    """The folder where worker processes find one another; `brink serve` makes it."""
    smtp_host: str = ""
    """The server that takes mails; "" = no turn notices by e-mail."""
    smtp_port: int = 587
    smtp_security: str = "starttls"
    """"starttls", "tls" from the first byte, or "none"."""
    smtp_user: str = ""
    smtp_password: str = field(default="", repr=False)
    smtp_from: str = ""
    """The sender's address; needed with `smtp_host`."""
    webhooks_to_private: bool = False
    """Whether webhooks may be http and go to addresses inside one's own network."""
    notice_after_seconds: int = 60
    """How long a turn waits before an absent person is told."""
    notice_away_minutes: int = 30
    """After so long without a sign of life a person is absent, though a tab is open."""

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
        ("workers", int),
        ("channel", str),
        ("smtp_host", str),
        ("smtp_port", int),
        ("smtp_security", str),
        ("smtp_user", str),
        ("smtp_password", str),
        ("smtp_from", str),
        ("webhooks_to_private", bool),
        ("notice_after_seconds", int),
        ("notice_away_minutes", int),
    ):
        text = environment.get(f"BRINK_{name.upper()}")
        if text is None:
            continue
        given[name] = _read(f"BRINK_{name.upper()}", text, kind)
    settings = Settings(**given)  # type: ignore[arg-type]
    if not 1 <= settings.workers <= MOST_WORKERS:
        raise SettingError(f"BRINK_WORKERS is a number from 1 to {MOST_WORKERS}, not {settings.workers}")
    if settings.smtp_security not in SMTP_SECURITY:
        raise SettingError(f"BRINK_SMTP_SECURITY is {', '.join(SMTP_SECURITY)}, not {settings.smtp_security!r}")
    if settings.smtp_host and "@" not in settings.smtp_from:
        raise SettingError("BRINK_SMTP_HOST needs BRINK_SMTP_FROM, the address mails are sent from")
    return settings


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
