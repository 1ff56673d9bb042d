"""Structured logs for the operator: one JSON object per line on standard error, without secrets of a game."""

from __future__ import annotations

import json
import logging
import math
import random
import re
import sys
import time
from contextvars import ContextVar

from starlette.types import Scope

from brinkmanship.store.writer import TRANSIENT_ERRORS

STANDARD_FIELDS = frozenset(vars(logging.makeLogRecord({}))) | {"message", "asctime", "taskName", "color_message"}


_ROWS = re.compile(r"^(?:DETAIL|CONTEXT): .*\n?", re.MULTILINE)
"""Detail lines that PostgreSQL adds to an error, with values of the rejected row."""


OUTAGE_SECONDS = 60.0
"""Minimum interval between log lines about a database outage."""
_DRIVERS_SAY = ("OperationalError", "InterfaceError")
"""Names of outage errors that come from a driver without SQLAlchemy."""


_request_id: ContextVar[str] = ContextVar("request_id", default="")
_GIVEN_ID = re.compile(rb"[A-Za-z0-9._-]{8,64}")


def begin_request(given: bytes | None) -> None:
    """Set the request id of this task's log lines: the proxy's if valid, otherwise a new one."""
    is_good = given is not None and _GIVEN_ID.fullmatch(given)
    _request_id.set(given.decode() if given and is_good else f"{random.getrandbits(64):016x}")


def request_id() -> str:
    """Return the id of the request handled by this task, or "" outside of a request."""
    return _request_id.get()


def about(scope: Scope) -> dict[str, str]:
    """Return log fields of a request: method and route, but not the URL, because links contain secrets."""
    route = scope.get("route")
    return {"method": scope["method"], "page": getattr(route, "path", "")}


class JsonFormatter(logging.Formatter):
    """Formatter that writes a log record as one line of JSON; everything in ``extra`` becomes a field."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the record as a line of JSON."""
        fields: dict[str, object] = {
            "time": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(record.created)),
            "level": record.levelname.lower(),
            "from": record.name,
            "message": record.getMessage(),
        }
        if number := request_id():
            fields["request"] = number
        fields |= {name: value for name, value in vars(record).items() if name not in STANDARD_FIELDS}
        if record.exc_info:
            error = record.exc_info[1]
            # The traceback of an outage adds nothing to the error itself.
            said = _first_line(error) if error and _is_outage(error) else self.formatException(record.exc_info)
            fields["error"] = _ROWS.sub("", said)
        return json.dumps(fields, ensure_ascii=False, default=str)


class Outages(logging.Filter):
    """Filter that lets one outage line per minute through, because every request and task logs a failing database.

    The line gives the number of suppressed records since the last one (`left_out`).
    """

    def __init__(self) -> None:
        super().__init__()
        self._said_at = -math.inf
        self._left_out = 0

    def filter(self, record: logging.LogRecord) -> bool:
        """Return True if the record is to be written."""
        if not record.exc_info or not _is_outage(record.exc_info[1]):
            return True
        now = time.monotonic()
        if now - self._said_at < OUTAGE_SECONDS:
            self._left_out += 1
            return False
        if self._left_out:
            vars(record)["left_out"] = self._left_out
        self._said_at, self._left_out = now, 0
        return True


def _is_outage(error: BaseException | None) -> bool:
    """Return True if the error is, or was caused by, a database outage."""
    while error is not None:
        if isinstance(error, TRANSIENT_ERRORS) or type(error).__name__ in _DRIVERS_SAY:
            return True
        error = error.__cause__
    return False


def _first_line(error: BaseException) -> str:
    lines = str(getattr(error, "orig", None) or error).strip().splitlines()
    return ": ".join([type(error).__name__, *lines[:1]])


def set_up(level: str = "INFO") -> None:
    """Send all logs of this process to standard error as JSON lines."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonFormatter())
    handler.addFilter(Outages())
    logging.basicConfig(level=level, handlers=[handler], force=True)
    logging.getLogger("alembic").setLevel(logging.WARNING)
