"""Logs for the operator: one JSON object a line on standard error, without anything a player may not know."""

from __future__ import annotations

import json
import logging
import random
import re
import sys
import time
from contextvars import ContextVar

from starlette.types import Scope

STANDARD_FIELDS = frozenset(vars(logging.makeLogRecord({}))) | {"message", "asctime", "taskName", "color_message"}


_ROWS = re.compile(r"^(?:DETAIL|CONTEXT): .*\n?", re.MULTILINE)
"""What PostgreSQL adds to an error: the values of the row it did not take."""


_request_id: ContextVar[str] = ContextVar("request_id", default="")
_GIVEN_ID = re.compile(rb"[A-Za-z0-9._-]{8,64}")


def begin_request(given: bytes | None) -> None:
    """From now on what this task logs bears the number of a request: as a proxy has given it, else a new one."""
    is_good = given is not None and _GIVEN_ID.fullmatch(given)
    _request_id.set(given.decode() if given and is_good else f"{random.getrandbits(64):016x}")


def request_id() -> str:
    """The number of the request that is answered by this task, "" where it is none."""
    return _request_id.get()


def about(scope: Scope) -> dict[str, str]:
    """What a log says of a request: its method and which page, not the address: links have secrets in them."""
    route = scope.get("route")
    return {"method": scope["method"], "page": getattr(route, "path", "")}


class JsonFormatter(logging.Formatter):
    """A log record as one line of JSON; whatever is given as ``extra`` becomes a field."""

    def format(self, record: logging.LogRecord) -> str:
        """The line."""
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
            fields["error"] = _ROWS.sub("", self.formatException(record.exc_info))
        return json.dumps(fields, ensure_ascii=False, default=str)


def set_up(level: str = "INFO") -> None:
    """Send all logs of this process to standard error as JSON lines."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonFormatter())
    logging.basicConfig(level=level, handlers=[handler], force=True)
    logging.getLogger("alembic").setLevel(logging.WARNING)
