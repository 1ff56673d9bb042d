"""What can be wrong with a request; each error has its HTTP status, and the key of what pages say."""

from __future__ import annotations

from collections.abc import Iterable, Mapping


class RequestError(Exception):
    """A request that is refused; it has changed nothing."""

    status = 400
    key = "error.bad_request"
    arguments: Mapping[str, int] = {}
    """Of what pages say."""

    def __init__(self, detail: str, said: str = "") -> None:
        """`said` is the key of what pages say where there is more to say to people than `key` does."""
        super().__init__(detail)
        self.detail = detail
        self.said = said


class MalformedError(RequestError):
    """The request is not well-formed: no page or form sends such a thing."""


class NotSignedInError(RequestError):
    """The request needs a person."""

    status = 401
    key = "error.not_signed_in"


class ForbiddenError(RequestError):
    """The person may not do this: another's seat, a seat that is taken, a missing CSRF token."""

    status = 403
    key = "error.forbidden"


class NotFoundError(RequestError):
    """There is no such table, person or page."""

    status = 404
    key = "error.not_found"


class NotAllowedError(RequestError):
    """The address is none for this method."""

    status = 405

    def __init__(self, methods: Iterable[str]) -> None:
        self.methods = ", ".join(sorted(methods))
        super().__init__(f"this address takes {self.methods}")


class StaleError(RequestError):
    """The position has changed since the page was made."""

    status = 409
    key = "error.stale"


class IllegalError(RequestError):
    """By the rules the action is not possible here."""

    status = 422
    key = "error.illegal"


class UnavailableError(RequestError):
    """The database is away, locked or full. What was asked for has not been acknowledged and may be asked for again."""

    status = 503
    key = "error.unavailable"


class OtherRulesError(RequestError):
    """The table was begun by a version of the rules that this program does not play."""

    status = 410
    key = "error.other_rules"

    def __init__(self, begun: int, here: int) -> None:
        super().__init__(f"the table was begun by version {begun} of the rules; this program plays version {here}")
        self.arguments = {"begun": begun, "here": here}


class PartlyDoneError(RequestError):
    """Of several deeds asked for at once the first were done; the next was refused."""

    status = 409
    key = "error.partly_done"

    def __init__(self, done: int, wanted: int) -> None:
        super().__init__("")
        self.arguments = {"done": done, "wanted": wanted}


class TooManyError(RequestError):
    """Too many requests in a short time."""

    status = 429
    key = "error.too_many"

    def __init__(self, detail: str, said: str = "", retry_after: int = 5) -> None:
        """`retry_after` is how many seconds one should wait."""
        super().__init__(detail, said)
        self.retry_after = retry_after


class TooLargeError(RequestError):
    """The request is larger than anything that is read here."""

    status = 413
    key = "error.too_large"

    def __init__(self, what: str, most_bytes: int) -> None:
        kilobytes = most_bytes // 1000
        super().__init__(f"{what} has at most {kilobytes:,} kB")
        self.arguments = {"kilobytes": kilobytes}
