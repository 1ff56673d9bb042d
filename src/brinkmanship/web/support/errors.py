"""Request errors, each with its HTTP status and the message key that pages show."""

from __future__ import annotations

from collections.abc import Iterable, Mapping


class RequestError(Exception):
    """A refused request; it has changed nothing."""

    status = 400
    key = "error.bad_request"
    arguments: Mapping[str, int] = {}
    """Arguments of the message on pages."""

    def __init__(self, detail: str, key: str = "") -> None:
        """Store the detail; `key` is a more specific message key for pages than that of the class."""
        super().__init__(detail)
        self.detail = detail
        self.specific_key = key


class MalformedError(RequestError):
    """The request is malformed: no page or form sends it."""


class NotSignedInError(RequestError):
    """The request requires a signed-in user."""

    status = 401
    key = "error.not_signed_in"


class ForbiddenError(RequestError):
    """The user may not do this: another user's seat, a taken seat, a missing CSRF token."""

    status = 403
    key = "error.forbidden"


class NotFoundError(RequestError):
    """There is no such table, user or page."""

    status = 404
    key = "error.not_found"

    def __init__(self, detail: str, key: str = "refused.address") -> None:
        super().__init__(detail, key)


class NotAllowedError(RequestError):
    """The path does not support this HTTP method."""

    status = 405

    def __init__(self, methods: Iterable[str]) -> None:
        self.methods = ", ".join(sorted(methods))
        super().__init__(f"this address allows {self.methods}")


class StaleError(RequestError):
    """The position has changed since the page was rendered."""

    status = 409
    key = "error.stale"


class IllegalError(RequestError):
    """The rules do not allow the action in this position."""

    status = 422
    key = "error.illegal"


class UnavailableError(RequestError):
    """The database is unreachable, locked or full. The request was not acknowledged and may be repeated."""

    status = 503
    key = "error.unavailable"


class OtherRulesError(RequestError):
    """The table was started with a version of the rules that this program does not support."""

    status = 410
    key = "error.other_rules"

    def __init__(self, begun: int, here: int) -> None:
        super().__init__(
            f"the table was started with version {begun} of the rules; this program supports version {here}"
        )
        self.arguments = {"begun": begun, "here": here}


class PartlyDoneError(RequestError):
    """A batch of actions was partly carried out: the first ones succeeded, the next was refused."""

    status = 409
    key = "error.partly_done"

    def __init__(self, done: int, wanted: int) -> None:
        super().__init__("")
        self.arguments = {"done": done, "wanted": wanted}


class TooManyError(RequestError):
    """Too many requests in a short time."""

    status = 429
    key = "error.too_many"

    def __init__(self, detail: str, key: str = "", retry_after: int = 5) -> None:
        """Store the detail; `retry_after` is the number of seconds to wait."""
        super().__init__(detail, key)
        self.retry_after = retry_after


class TooLargeError(RequestError):
    """The request exceeds the size limit."""

    status = 413
    key = "error.too_large"

    def __init__(self, what: str, most_bytes: int) -> None:
        kilobytes = most_bytes // 1000
        super().__init__(f"{what} has at most {kilobytes:,} kB")
        self.arguments = {"kilobytes": kilobytes}
