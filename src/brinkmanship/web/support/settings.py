"""Settings of a server: environment variables (BRINK_*), overridden by the command line."""

from __future__ import annotations

import ipaddress
import os
import re
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
    """An invalid setting."""


_PUSH_KEY = re.compile(r"[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]")
"""32 bytes in base64url."""

JUST_STARTED = ".just-started"
"""Marker file in the channel folder: the starting process creates it, the first worker removes it."""


def sign_of_life(channel: Path, pid: int) -> Path:
    """Return the path of the file by which a worker reports to the process that started it that it is up.

    Its name differs from the worker's socket: the socket exists before the worker can respond, and a process that finds
    nothing listening on it removes it.
    """
    return channel / f".up-{pid}"


MAX_WORKERS = 64
MAX_PACE_MS = 10_000
MAX_PORT = 65_535
MAX_SIMULATED = 1_000_000
MAX_ANIMATIONS = 100_000


@dataclass(frozen=True)
class Settings:
    """Settings of a server; each environment variable is BRINK_ and the field's name in capitals."""

    host: str = "127.0.0.1"
    port: int = 8013
    database: str = field(default="", repr=False)
    """Database URL; "" means an SQLite file in the user's data folder."""
    public_url: str = ""
    """Public URL of the server, e.g. https://example.org.

    E-mails are sent only if it is set, because they contain links. Without it, invitation links use the address in the
    browser's request.
    """
    secure_cookies: bool = False
    """Set cookies only over https; for servers reached over https."""
    requests_per_minute: int = 600
    """Maximum requests of one user, or of all anonymous clients of one address, in each worker process."""
    requests_per_minute_of_address: int = 6000
    """Maximum requests of all clients of one address, authenticated or not."""
    connections_of_address: int = 512
    """Maximum open connections of one address in each worker process; unlimited for a trusted proxy."""
    streams_of_address: int = 256
    """Maximum open event streams of one address in each worker process."""
    streams_of_person: int = 32
    """Maximum open event streams of one user in each worker process."""
    trusted_proxies: tuple[str, ...] = ()
    """Addresses and networks of proxies whose X-Forwarded-For header is trusted."""
    workers: int = 1
    """Number of server processes; more than one uses several cores."""
    channel: str = ""
    """Folder shared by the worker processes of one parent; `brink serve` creates it."""
    smtp_host: str = ""
    """SMTP server for outgoing mail; "" disables mail. Needs `public_url`."""
    smtp_port: int = 587
    smtp_security: str = "starttls"
    """Encryption: "starttls", "tls" from the first byte, or "none"."""
    smtp_user: str = ""
    smtp_password: str = field(default="", repr=False)
    smtp_from: str = ""
    """Sender address; required with `smtp_host`."""
    webhooks_to_private: bool = False
    """Allow webhooks over http and to private addresses, on any port."""
    webhook_ports: tuple[int, ...] = (443,)
    """Ports that webhooks may use."""
    push_contact: str = ""
    """Address of the operator for push services, "mailto:..." or "https://..."; "": the public URL if it is https."""
    push_key: str = field(default="", repr=False)
    """Private key for web push in base64url (32 bytes of P-256); "": one is created and stored in the database."""
    push_hosts: tuple[str, ...] = ()
    """Host names of further push services that browsers may use; "*.example.org" means all below it."""
    notice_after_seconds: int = 60
    """Seconds a turn waits before an absent player is notified."""
    notice_away_minutes: int = 30
    """Minutes without activity after which a user counts as absent, even with a tab open."""

    oidc_issuer: str = ""
    """Issuer of a sign-in provider (OpenID Connect); "": none. Needs `public_url` and the next two."""
    oidc_client_id: str = ""
    oidc_secret_file: str = ""
    """File with the client secret for the provider."""
    oidc_name: str = ""
    """Name of the provider on pages; "": the host of the issuer."""

    seeks_webhook: str = ""
    """URL of a Discord or Slack webhook that is told of open seeks; "": none. Links need `public_url`."""

    open_table_days: int = 7
    """Days after which an open table that no one has joined is closed; 0 = never."""
    moderation_days: int = 730
    """Days for which closed reports and ended measures are stored; 0 = always."""
    open_tables_per_person: int = 5
    """Maximum open tables of one user waiting for an opponent."""
    open_tables_of_address: int = 15
    """Maximum open tables of all clients of one address waiting for an opponent; 0: no limit, here and below."""
    tables_of_person: int = 100
    """Maximum unfinished tables of one user."""
    tables_of_address: int = 300
    """Maximum unfinished tables of all clients of one address."""
    jobs_of_address: int = 6
    """Maximum running or waiting analyses of one address in each worker process; the same for simulations."""
    jobs_of_person: int = 3
    """The same limit per user, at all their addresses."""
    uploads_of_address: int = 50
    """Maximum stored uploaded journals of one address; beyond it the oldest are removed."""
    uploads_of_person: int = 50
    """The same limit per user, at all their addresses."""
    mails_of_address: int = 20
    """Maximum confirmation mails a day requested from one address."""
    chat_lines_per_minute: int = 60
    """Maximum chat lines of one player."""
    onlooker_lines_per_minute: int = 12
    """Maximum chat lines of all spectators at one address, at all tables, in each worker process."""
    metrics_port: int = 0
    """Port for Prometheus metrics; 0: none. Further workers use the following ports."""
    metrics_host: str = "127.0.0.1"
    """Host address for the metrics port."""
    traces: str = ""
    """URL of an OpenTelemetry collector (OTLP over HTTP), e.g. http://localhost:4318; "": no traces are sent."""
    log_requests: bool = False
    """Log every request."""
    heartbeat_seconds: float = 5
    """Heartbeat interval of event streams; a page that receives none reconnects."""
    computer_pace_ms: int = 600
    """Minimum delay before a bot move while someone is watching; 0: no delay."""
    analysis_playouts: int = 7000
    """Simulated games per step of an analysed game; 0 disables analyses."""
    simulated_games: int = 10_000
    """Games per simulation of changed cards; 0 disables simulations."""
    animations: int = 200
    """Maximum stored animated replays, the newest; one takes about a megabyte. 0 disables animations."""

    @property
    def sends_mail(self) -> bool:
        """True if mails can be sent: an SMTP server is set, and links use a fixed URL that no client can choose."""
        return bool(self.smtp_host and self.public_url)

    @property
    def push_subject(self) -> str:
        """Address at which push services reach the operator; "" disables web push."""
        is_public = self.public_url.startswith("https://") and not _is_local(urlsplit(self.public_url).hostname or "")
        return self.push_contact or (self.public_url if is_public else "")

    @property
    def database_url(self) -> str:
        """Database URL with the default filled in; creates the default's folder."""
        if self.database:
            return self.database
        folder = Path(platformdirs.user_data_path("brinkmanship"))
        folder.mkdir(parents=True, exist_ok=True)
        return f"sqlite:///{folder / 'table.sqlite3'}"


_Value = str | int | bool | tuple[str, ...] | tuple[int, ...]


def from_environment(environment: Mapping[str, str] = os.environ) -> Settings:
    """Return the settings given in the environment.

    Raises:
        SettingError: A value has the wrong type or is out of range.
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
        ("oidc_issuer", str),
        ("oidc_client_id", str),
        ("oidc_secret_file", str),
        ("oidc_name", str),
        ("seeks_webhook", str),
        ("push_contact", str),
        ("push_key", str),
        ("push_hosts", frozenset),
        ("notice_after_seconds", int),
        ("notice_away_minutes", int),
        ("open_table_days", int),
        ("moderation_days", int),
        ("open_tables_per_person", int),
        ("open_tables_of_address", int),
        ("tables_of_person", int),
        ("tables_of_address", int),
        ("jobs_of_address", int),
        ("jobs_of_person", int),
        ("uploads_of_address", int),
        ("uploads_of_person", int),
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
        ("animations", int),
    ):
        text = environment.get(f"BRINK_{name.upper()}")
        if text is None:
            continue
        given[name] = _read(f"BRINK_{name.upper()}", text, kind)
    for name, example in (
        ("public_url", "https://example.org"),
        ("traces", "http://localhost:4318"),
        ("seeks_webhook", "https://discord.com/api/webhooks/1/abc"),
        ("oidc_issuer", "https://login.example.org"),
    ):
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
    _within("BRINK_ANIMATIONS", settings.animations, 0, MAX_ANIMATIONS)
    if settings.smtp_security not in SMTP_SECURITY:
        known = {"known": ", ".join(SMTP_SECURITY), "value": settings.smtp_security}
        raise SettingError(Message("fault.setting.choice", {"name": "BRINK_SMTP_SECURITY", **known}))
    if settings.push_contact and not _is_reachable(settings.push_contact):
        raise SettingError(Message("fault.setting.push_contact", {"value": settings.push_contact}))
    if settings.push_key and not _PUSH_KEY.fullmatch(settings.push_key):
        raise SettingError(Message("fault.setting.push_key"))
    if settings.oidc_issuer:
        _check_provider(settings)
    if settings.smtp_host and "@" not in settings.smtp_from:
        raise SettingError(Message("fault.setting.sender"))
    return settings


def _check_provider(settings: Settings) -> None:
    """Check the settings of a sign-in provider: all are there, and no secret is sent without encryption."""
    issuer = urlsplit(settings.oidc_issuer)
    if issuer.scheme != "https" and issuer.hostname not in ("localhost", "127.0.0.1"):
        example = {"name": "BRINK_OIDC_ISSUER", "example": "https://login.example.org"}
        raise SettingError(Message("fault.setting.address", {**example, "value": settings.oidc_issuer}))
    if not (settings.oidc_client_id and settings.oidc_secret_file and settings.public_url):
        raise SettingError(Message("fault.setting.oidc"))
    try:
        is_empty = not Path(settings.oidc_secret_file).read_text("utf-8").strip()
    except (OSError, UnicodeDecodeError):
        is_empty = True
    if is_empty:
        raise SettingError(Message("fault.setting.oidc_secret", {"value": settings.oidc_secret_file}))


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


def _is_reachable(contact: str) -> bool:
    """Return True if a contact is an address that push services accept: with a host that is not this machine."""
    try:
        split = urlsplit(contact)
        host = split.path.rpartition("@")[2] if split.scheme == "mailto" else split.hostname
    except ValueError:
        return False
    is_plain = contact.isascii() and contact.isprintable() and " " not in contact
    return is_plain and split.scheme in ("mailto", "https") and bool(host) and not _is_local(host or "")


def _is_local(host: str) -> bool:
    return "." not in host or host.lower().rpartition(".")[2] in ("localhost", "local", "invalid")


def _read(variable: str, text: str, kind: type) -> _Value:
    if kind is tuple:
        return _networks(variable, text)
    if kind is list:
        return _ports(variable, text)
    if kind is frozenset:
        return tuple(part.strip().lower() for part in text.split(",") if part.strip())
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
