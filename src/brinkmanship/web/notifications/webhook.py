"""Webhooks: a signed JSON body posted to a user's URL, but not to addresses inside our own network (SSRF protection).

Requests are signed as the Standard Webhooks specification says, for which receivers find libraries.

The name is resolved once, all its addresses are checked, and the connection goes to the checked address, so a name that
resolves differently the second time (DNS rebinding) gains nothing. Redirects are not followed. One deadline covers
everything that a receiver can delay: DNS, connecting, TLS, the response.
"""

from __future__ import annotations

import asyncio
import base64
import hashlib
import hmac
import ipaddress
import logging
import socket
import ssl
import threading
import time
from collections.abc import Collection, Mapping
from contextlib import suppress
from functools import cache
from typing import Any

import httpx

logging.getLogger("httpx").setLevel(logging.WARNING)  # it would log the receivers' URLs

DEADLINE_SECONDS = 10
"""Timeout (s) for the whole request."""
ID_HEADER = "webhook-id"
SIGNATURE_HEADER = "webhook-signature"
TIMESTAMP_HEADER = "webhook-timestamp"
SECRET_PREFIX = "whsec_"


class WebhookError(OSError):
    """The receiver is unreachable or not allowed, or did not respond with 2xx in time."""


def shown_secret(secret: str) -> str:
    """Return a contact's secret as receivers' libraries take it: "whsec_" and base64."""
    return SECRET_PREFIX + base64.b64encode(_key(secret)).decode()


def signature(secret: str, message_id: str, timestamp: str, body: bytes) -> str:
    """Return the signature for the receiver to verify: HMAC-SHA-256 of "ID.TIMESTAMP.BODY" in base64.

    Args:
        secret: The contact's secret, 32 random bytes in base64url.
        message_id: The same for each attempt to deliver a message.
        timestamp: Time of this attempt (s since 1970).
        body: Body of the request.
    """
    signed = f"{message_id}.{timestamp}.".encode() + body
    return "v1," + base64.b64encode(hmac.digest(_key(secret), signed, hashlib.sha256)).decode()


def _key(secret: str) -> bytes:
    return base64.urlsafe_b64decode(secret + "=" * (-len(secret) % 4))


def port_of(url: str) -> int:
    """Return the port of a webhook URL."""
    target = httpx.URL(url)
    return target.port or (443 if target.scheme == "https" else 80)


async def post(
    url: str, body: bytes, secret: str, message_id: str, allow_private: bool = False, ports: Collection[int] = (443,)
) -> None:
    """Post a JSON body, in at most `DEADLINE_SECONDS`, without blocking the event loop.

    Args:
        url: URL of the webhook.
        body: JSON body.
        secret: Secret for the signature.
        message_id: Id of the message, the same for each attempt.
        allow_private: Allow private addresses and any port.
        ports: Otherwise allowed ports; services on others may not be webhook receivers.

    Raises:
        WebhookError: The receiver timed out, its address is not allowed, or the response is not 2xx.
    """
    timestamp = str(int(time.time()))
    headers = {
        "Content-Type": "application/json",
        ID_HEADER: message_id,
        TIMESTAMP_HEADER: timestamp,
        SIGNATURE_HEADER: signature(secret, message_id, timestamp, body),
    }
    status = await send(url, body, headers, allow_private, ports)
    if not 200 <= status < 300:
        raise WebhookError(f"the receiver responded with {status}")


async def send(
    url: str, body: bytes, headers: Mapping[str, str], allow_private: bool = False, ports: Collection[int] = (443,)
) -> int:
    """Post a body to a URL that a stranger has given, as `post`; return the status of the response.

    Raises:
        WebhookError: The receiver timed out, or its address is not allowed.
    """
    try:
        async with asyncio.timeout(DEADLINE_SECONDS):
            if not allow_private and port_of(url) not in ports:
                raise WebhookError("webhooks do not go to this port")
            return await _send(url, body, headers, allow_private)
    except TimeoutError as error:
        raise WebhookError("the receiver took too long") from error
    except (httpx.HTTPError, httpx.InvalidURL) as error:
        raise WebhookError(f"the request to the receiver failed: {type(error).__name__}") from error


async def _send(url: str, body: bytes, headers: Mapping[str, str], allow_private: bool) -> int:
    target = httpx.URL(url)
    address = await checked_address(target.host, port_of(url), allow_private)
    # Connect to the checked address, with the host name for SNI and certificate. No proxy, no .netrc.
    async with httpx.AsyncClient(verify=_tls(), trust_env=False, timeout=None) as client:
        request = client.build_request(
            "POST",
            target.copy_with(host=address),
            content=body,
            headers={"Host": target.netloc.decode("ascii"), "User-Agent": "brinkmanship", **headers},
            extensions={"sni_hostname": target.host},
        )
        answer = await client.send(request, stream=True, follow_redirects=False)
        await answer.aclose()  # the body of the response is not read
        return answer.status_code


@cache
def _tls() -> ssl.SSLContext:
    return ssl.create_default_context()


async def checked_address(host: str, port: int, allow_private: bool = False) -> str:
    """Return an address of a host to connect to, after checking all of them.

    Raises:
        WebhookError: The host has no address, or one of them is private, loopback, link-local or otherwise not public.
    """
    try:
        addresses = await _addresses(host, port)
    except (OSError, UnicodeError) as error:
        raise WebhookError("the host is unknown") from error
    if not allow_private and not all(is_public(address) for address in addresses):
        raise WebhookError("the host has an address that is not public")
    return addresses[0]


async def _addresses(host: str, port: int) -> list[str]:
    """Return all addresses of a host, resolved in a separate thread: a slow name server delays no other lookup."""
    loop = asyncio.get_running_loop()
    found: asyncio.Future[list[str]] = loop.create_future()

    def tell(addresses: list[str], error: Exception | None) -> None:
        if found.done():  # timed out or cancelled
            return
        if error is None:
            found.set_result(addresses)
        else:
            found.set_exception(error)

    def look() -> None:
        answer: tuple[list[str], Exception | None]
        try:
            infos: list[Any] = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
            answer = [str(info[4][0]) for info in infos], None
        except (OSError, UnicodeError) as error:
            answer = [], error
        with suppress(RuntimeError):  # the loop has been closed
            loop.call_soon_threadsafe(tell, *answer)

    threading.Thread(target=look, name="name of a webhook", daemon=True).start()
    return await found


def is_public(address: str) -> bool:
    """Return True if an IP address is on the public internet.

    Stricter than `ipaddress`, which differs between versions of Python: an IPv6 address must be in the range allocated
    for global unicast, and no special-purpose range is accepted, global or not, because some of them can embed an IPv4
    address of our own network.
    """
    ip = ipaddress.ip_address(address.partition("%")[0])
    if isinstance(ip, ipaddress.IPv6Address):
        if ip.ipv4_mapped is not None:
            return is_public(str(ip.ipv4_mapped))
        if ip not in _GIVEN_OUT or int(ip) >> 32 & 0xFFFFFFFF in _ISATAP:
            return False
    if any(ip in network for network in _SPECIAL if network.version == ip.version):
        return False
    return ip.is_global and not ip.is_multicast and not ip.is_reserved


_GIVEN_OUT = ipaddress.IPv6Network("2000::/3")
_ISATAP = (0x00005EFE, 0x02005EFE)
"""ISATAP interface identifiers, which precede an embedded IPv4 address in the last 32 bits (RFC 5214)."""
_SPECIAL = [
    ipaddress.ip_network(network)
    for network in (
        "168.63.129.16/32",  # public by its number, but of each machine at Azure: metadata and keys
        "192.0.0.0/24",  # IETF protocol assignments
        "192.31.196.0/24",  # AS112
        "192.52.193.0/24",  # AMT
        "192.88.99.0/24",  # 6to4 relays
        "192.175.48.0/24",  # AS112
        "2001::/23",  # IETF protocol assignments, with Teredo, benchmarking and ORCHID
        "2001:db8::/32",  # documentation
        "2002::/16",  # 6to4
        "2620:4f:8000::/48",  # AS112
        "3fff::/20",  # documentation
    )
]
"""Ranges of IANA's special-purpose address registries, some of which `is_global` alone would accept.

Also a provider's metadata address for its own machines; those of other providers are private or link-local.
"""
