"""Webhooks: a signed JSON body posted to the URL a person gave, and to no address inside our own network.

The name is resolved once, every address it has is checked, and the connection goes to the address that was checked, so
a name that answers differently the second time (DNS rebinding) gains nothing. Redirects are not followed.
"""

from __future__ import annotations

import hashlib
import hmac
import http.client
import ipaddress
import socket
import ssl
import threading
import time
from contextlib import suppress
from urllib.parse import urlsplit

TIMEOUT_SECONDS = 5
"""For each step: connecting, sending, one piece of the answer."""
DEADLINE_SECONDS = 10
"""For all of it, so that a receiver that answers drop by drop holds no thread."""
SIGNATURE_HEADER = "X-Brink-Signature"
TIMESTAMP_HEADER = "X-Brink-Timestamp"


class WebhookError(OSError):
    """The receiver could not be reached, may not be reached, or did not answer 2xx."""


def signature(secret: str, timestamp: str, body: bytes) -> str:
    """What the receiver compares: HMAC-SHA-256 of "TIMESTAMP.BODY" under the secret, hexadecimal."""
    return "sha256=" + hmac.digest(secret.encode(), timestamp.encode() + b"." + body, hashlib.sha256).hex()


def post(url: str, body: bytes, secret: str, allow_private: bool = False) -> None:
    """Post a JSON body; blocks at most a few seconds.

    Raises:
        OSError: it was not taken; a `WebhookError` where the address is not allowed or the answer is not 2xx.
    """
    split = urlsplit(url)
    host, port = split.hostname or "", split.port or (443 if split.scheme == "https" else 80)
    timestamp = str(int(time.time()))
    headers = {
        "Content-Type": "application/json",
        "User-Agent": "brinkmanship",
        TIMESTAMP_HEADER: timestamp,
        SIGNATURE_HEADER: signature(secret, timestamp, body),
    }
    connection = http.client.HTTPConnection(host, port, timeout=TIMEOUT_SECONDS)
    connection.sock = socket.create_connection((checked_address(host, port, allow_private), port), TIMEOUT_SECONDS)
    deadline = threading.Timer(DEADLINE_SECONDS, _hang_up, [connection.sock])
    deadline.start()
    try:
        if split.scheme == "https":
            connection.sock = ssl.create_default_context().wrap_socket(connection.sock, server_hostname=host)
        path = (split.path or "/") + (f"?{split.query}" if split.query else "")
        connection.request("POST", path, body, headers)
        status = connection.getresponse().status
    except http.client.HTTPException as error:
        raise WebhookError(f"the answer was no HTTP: {type(error).__name__}") from error
    finally:
        deadline.cancel()
        connection.close()
    if not 200 <= status < 300:
        raise WebhookError(f"the receiver answered {status}")


def _hang_up(connection: socket.socket) -> None:
    with suppress(OSError):
        connection.shutdown(socket.SHUT_RDWR)


def checked_address(host: str, port: int, allow_private: bool = False) -> str:
    """An address of a host to connect to.

    Raises:
        WebhookError: it has none, or one of them is private, of this machine, of this link, or otherwise not public.
    """
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError) as error:
        raise WebhookError("the host is not known") from error
    addresses = [str(each[4][0]) for each in found]
    if not allow_private:
        for address in addresses:
            if not is_public(address):
                raise WebhookError("the host has an address that is not public")
    return addresses[0]


def is_public(address: str) -> bool:
    """Whether an IP address belongs to the open internet; also not where an IPv4 address hides in an IPv6 one."""
    ip = ipaddress.ip_address(address.partition("%")[0])
    if isinstance(ip, ipaddress.IPv6Address):
        hidden = [ip.ipv4_mapped, ip.sixtofour, ip.teredo[1] if ip.teredo else None]
        if ip in _NAT64:
            hidden.append(ipaddress.IPv4Address(int(ip) & 0xFFFFFFFF))
        if any(inner is not None and not is_public(str(inner)) for inner in hidden):
            return False
        if ip.ipv4_mapped is not None:
            return True
    return ip.is_global and not ip.is_multicast and not ip.is_reserved


_NAT64 = ipaddress.IPv6Network("64:ff9b::/96")
