"""What can be wrong with a request; each error has its HTTP status, and the key of what pages say."""

from __future__ import annotations

from collections.abc import Mapping


class RequestError(Exception):
    """A request that is refused; it has changed nothing."""

    status = 400
    key = "error.bad_request"
    arguments: Mapping[str, int] = {}
    """Of what pages say."""

    def __init__(self, detail: str) -> None:
        super().__init__(detail)
        self.detail = detail


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


class StaleError(RequestError):
    """The position has changed since the page was made."""

    status = 409
    key = "error.stale"


class IllegalError(RequestError):
    """By the rules the action is not possible here."""

    status = 422
    key = "error.illegal"


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


class TooLargeError(RequestError):
    """The request is larger than anything that is read here."""

    status = 413
    key = "error.too_large"
