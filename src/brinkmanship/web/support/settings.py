"""Settings of a server: from the environment (BRINK_*), overridden by the command line."""

from __future__ import annotations

import ipaddress
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

import platformdirs

from brinkmanship.analysis.report import MAX_PLAYOUTS, MIN_PLAYOUTS
from brinkmanship.engine.errors import LocalizedError
from brinkmanship.engine.message import Message

SMTP_SECURITY = ("starttls", "tls", "none")


class SettingError(LocalizedError):
    """A setting that cannot be used."""


JUST_STARTED = ".just-started"
"""A file in the folder of the channel until the first worker has asked for it; whoever starts the workers makes it."""


def sign_of_life(channel: Path, pid: int) -> Path:
    """The file in the folder of the channel by which whoever started a worker sees that it has come up.

    It is not named as the worker's socket is: that one is there before the worker can answer, and whoever finds nobody
    at it takes it away.
    """
    return channel / f".up-{pid}"


MAX_WORKERS = 64
MAX_PACE_MS = 10_000
MAX_PORT = 65_535
MAX_SIMULATED = 1_000_000


@dataclass(frozen=True)
class Settings:
    """How a server runs; the name of each environment variable is BRINK_ and the field's name in capitals."""

    host: str = "127.0.0.1"
    port: int = 8013
    database: str = field(default="", repr=False)
    """URL; "" is an SQLite file in the user's data folder."""
    public_url: str = ""
    """How people reach the server, as https://example.org: for the links in mails, which are sent only where it is
    set, and for invitation links, which are else as the browser says."""
    secure_cookies: bool = False
    """Set cookies only over https; for servers that are reached so."""
    requests_per_minute: int = 600
    """By one person, or by all strangers of one address, in each worker process; more are refused."""
    requests_per_minute_of_address: int = 6000
    """By all who come from one address, known or not."""
    connections_of_address: int = 512
    """That one address may hold open in each worker process; a trusted proxy any number."""
    streams_of_address: int = 256
    """Open tables that are told of news, of one address in each worker process."""
    streams_of_person: int = 32
    """The same of one person."""
    trusted_proxies: tuple[str, ...] = ()
    """Addresses and networks of proxies whose word is taken for where a request comes from (X-Forwarded-For)."""
    workers: int = 1
    """Processes that serve; more than one to use several cores."""
    channel: str = ""
    """The folder that worker processes of one parent share; `brink serve` makes it."""
    smtp_host: str = ""
    """The server that takes mails; "" = no mail is sent. Needs `public_url`."""
    smtp_port: int = 587
    smtp_security: str = "starttls"
    """"starttls", "tls" from the first byte, or "none"."""
    smtp_user: str = ""
    smtp_password: str = field(default="", repr=False)
    smtp_from: str = ""
    """The sender's address; needed with `smtp_host`."""
    webhooks_to_private: bool = False
    """Whether webhooks may be http and go to addresses inside one's own network, at any port."""
    webhook_ports: tuple[int, ...] = (443,)
    """Ports that webhooks may go to."""
    notice_after_seconds: int = 60
    """How long a turn waits before an absent person is told."""
    notice_away_minutes: int = 30
    """After so long without a sign of life a person is absent, though a tab is open."""

    open_table_days: int = 7
    """After so many days an open table is closed to which nobody came; 0 = never."""
    open_tables_per_person: int = 5
    """Open tables of one person that may wait for somebody at once."""
    open_tables_of_address: int = 15
    """Maximum open tables that wait, of all who come from one address; 0: no limit, here and below."""
    tables_of_person: int = 100
    """Maximum unfinished tables of one person."""
    tables_of_address: int = 300
    """Maximum unfinished tables of all who come from one address."""
    jobs_of_address: int = 6
    """Maximum analyses, and as many simulations, under way or waiting of one address, in each worker process."""
    uploads_of_address: int = 50
    """Uploaded journals that are kept of one address; of more its oldest ones go."""
    mails_of_address: int = 20
    """Maximum confirmation mails a day that one address may ask for."""
    chat_lines_per_minute: int = 60
    """Maximum chat lines of one player."""
    onlooker_lines_per_minute: int = 12
    """Maximum chat lines of all onlookers at one address, at all tables, in each worker process."""
    metrics_port: int = 0
    """Where figures for Prometheus are shown; 0: nowhere. Further workers take the ports after it."""
    metrics_host: str = "127.0.0.1"
    """The address for that port."""
    traces: str = ""
    """The address of an OpenTelemetry collector (OTLP over HTTP), as http://localhost:4318; "": no traces are sent."""
    log_requests: bool = False
    """Whether every request is logged."""
    heartbeat_seconds: float = 5
    """How often an open page hears that the line to it holds; one that hears nothing opens another."""
    computer_pace_ms: int = 600
    """So long a computer player takes over a decision at least where somebody looks on; 0: as long as it thinks."""
    analysis_playouts: int = 7000
    """For each step of a finished game that is analysed; 0: none is."""
    simulated_games: int = 10_000
    """Of each simulation of changed cards; 0: there are none."""

    @property
    def sends_mail(self) -> bool:
        """Whether mails are sent: to a server that takes them, with links that no visitor can choose."""
        return bool(self.smtp_host and self.public_url)

    @property
    def database_url(self) -> str:
        """The database's URL, with the default filled in and its folder made."""
        if self.database:
            return self.database
        folder = Path(platformdirs.user_data_path("brinkmanship"))
        folder.mkdir(parents=True, exist_ok=True)
        return f"sqlite:///{folder / 'table.sqlite3'}"


_Value = str | int | bool | tuple[str, ...] | tuple[int, ...]


def from_environment(environment: Mapping[str, str] = os.environ) -> Settings:
    """Settings as the environment gives them.

    Raises:
        SettingError: a value is not of its kind.
    """
    given: dict[str, _Value] = {}
    for name, kind in (
        ("host", str),
        ("port", int),
        ("database", str),
        ("public_url", str),
        ("secure_cookies", bool),
        ("requests_per_minute", int),
        ("requests_per_minute_of_address", int),
        ("connections_of_address", int),
        ("streams_of_address", int),
        ("streams_of_person", int),
        ("trusted_proxies", tuple),
        ("workers", int),
        ("channel", str),
        ("smtp_host", str),
        ("smtp_port", int),
        ("smtp_security", str),
        ("smtp_user", str),
        ("smtp_password", str),
        ("smtp_from", str),
        ("webhooks_to_private", bool),
        ("webhook_ports", list),
        ("notice_after_seconds", int),
        ("notice_away_minutes", int),
        ("open_table_days", int),
        ("open_tables_per_person", int),
        ("open_tables_of_address", int),
        ("tables_of_person", int),
        ("tables_of_address", int),
        ("jobs_of_address", int),
        ("uploads_of_address", int),
        ("mails_of_address", int),
        ("chat_lines_per_minute", int),
        ("onlooker_lines_per_minute", int),
        ("heartbeat_seconds", int),
        ("metrics_port", int),
        ("metrics_host", str),
        ("traces", str),
        ("log_requests", bool),
        ("computer_pace_ms", int),
        ("analysis_playouts", int),
        ("simulated_games", int),
    ):
        text = environment.get(f"BRINK_{name.upper()}")
        if text is None:
            continue
        given[name] = _read(f"BRINK_{name.upper()}", text, kind)
    for name, example in (("public_url", "https://example.org"), ("traces", "http://localhost:4318")):
        if name in given:
            given[name] = _site(f"BRINK_{name.upper()}", str(given[name]), example)
    settings = Settings(**given)  # type: ignore[arg-type]
    _within("BRINK_WORKERS", settings.workers, 1, MAX_WORKERS)
    _within("BRINK_METRICS_PORT", settings.metrics_port, 0, MAX_PORT)
    if settings.heartbeat_seconds < 1:
        raise SettingError(Message("fault.setting.least", {"name": "BRINK_HEARTBEAT_SECONDS", "least": 1}))
    _within("BRINK_COMPUTER_PACE_MS", settings.computer_pace_ms, 0, MAX_PACE_MS)
    if settings.analysis_playouts:
        _within("BRINK_ANALYSIS_PLAYOUTS", settings.analysis_playouts, MIN_PLAYOUTS, MAX_PLAYOUTS)
    _within("BRINK_SIMULATED_GAMES", settings.simulated_games, 0, MAX_SIMULATED)
    if settings.smtp_security not in SMTP_SECURITY:
        known = {"known": ", ".join(SMTP_SECURITY), "value": settings.smtp_security}
        raise SettingError(Message("fault.setting.choice", {"name": "BRINK_SMTP_SECURITY", **known}))
    if settings.smtp_host and "@" not in settings.smtp_from:
        raise SettingError(Message("fault.setting.sender"))
    return settings


def _within(name: str, value: int, least: int, most: int) -> None:
    if not least <= value <= most:
        bounds = {"least": least, "most": most, "value": value}
        raise SettingError(Message("fault.setting.range", {"name": name, **bounds}))


def _site(name: str, text: str, example: str) -> str:
    site = text.rstrip("/")
    try:
        split = urlsplit(site)
        is_site = split.scheme in ("http", "https") and bool(split.hostname) and not (split.query or split.fragment)
    except ValueError:
        is_site = False
    if site and not (is_site and site.isascii() and site.isprintable() and " " not in site):
        raise SettingError(Message("fault.setting.address", {"name": name, "example": example, "value": text}))
    return site


def _read(variable: str, text: str, kind: type) -> _Value:
    if kind is tuple:
        return _networks(variable, text)
    if kind is list:
        return _ports(variable, text)
    if kind is bool:
        if text.lower() not in ("0", "1", "false", "true", "no", "yes"):
            raise SettingError(Message("fault.setting.truth", {"name": variable, "value": text}))
        return text.lower() in ("1", "true", "yes")
    if kind is int:
        if not text.isdecimal():
            raise SettingError(Message("fault.setting.number", {"name": variable, "value": text}))
        return int(text)
    return text


def _ports(variable: str, text: str) -> tuple[int, ...]:
    found = []
    for part in filter(None, (part.strip() for part in text.split(","))):
        if not (part.isascii() and part.isdecimal() and len(part) <= len(str(MAX_PORT))):
            raise SettingError(Message("fault.setting.number", {"name": variable, "value": part}))
        found.append(int(part))
        _within(variable, found[-1], 1, MAX_PORT)
    return tuple(found)


def _networks(variable: str, text: str) -> tuple[str, ...]:
    found = tuple(part.strip() for part in text.split(",") if part.strip())
    for part in found:
        try:
            ipaddress.ip_network(part)
        except ValueError:
            raise SettingError(Message("fault.setting.networks", {"name": variable, "value": part})) from None
    return found
