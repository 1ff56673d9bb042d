"""Webhooks: a signed JSON body posted to a user's URL, but not to addresses inside our own network (SSRF protection).

The name is resolved once, all its addresses are checked, and the connection goes to the checked address, so a name that
resolves differently the second time (DNS rebinding) gains nothing. Redirects are not followed. One deadline covers
everything that a receiver can delay: DNS, connecting, TLS, the response.
"""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import ipaddress
import logging
import socket
import ssl
import threading
import time
from collections.abc import Collection
from contextlib import suppress
from functools import cache
from typing import Any

import httpx

logging.getLogger("httpx").setLevel(logging.WARNING)  # it would log the receivers' URLs

DEADLINE_SECONDS = 10
"""Timeout (s) for the whole request."""
SIGNATURE_HEADER = "X-Brink-Signature"
TIMESTAMP_HEADER = "X-Brink-Timestamp"


class WebhookError(OSError):
    """The receiver is unreachable or not allowed, or did not respond with 2xx in time."""


def signature(secret: str, timestamp: str, body: bytes) -> str:
    """Return the signature for the receiver to verify: hexadecimal HMAC-SHA-256 of "TIMESTAMP.BODY" with the secret."""
    return "sha256=" + hmac.digest(secret.encode(), timestamp.encode() + b"." + body, hashlib.sha256).hex()


def port_of(url: str) -> int:
    """Return the port of a webhook URL."""
    target = httpx.URL(url)
    return target.port or (443 if target.scheme == "https" else 80)


async def post(
    url: str, body: bytes, secret: str, allow_private: bool = False, ports: Collection[int] = (443,)
) -> None:
    """Post a JSON body, in at most `DEADLINE_SECONDS`, without blocking the event loop.

    Args:
        url: URL of the webhook.
        body: JSON body.
        secret: Secret for the signature.
        allow_private: Allow private addresses and any port.
        ports: Otherwise allowed ports; services on others may not be webhook receivers.

    Raises:
        WebhookError: The receiver timed out, its address is not allowed, or the response is not 2xx.
    """
    try:
        async with asyncio.timeout(DEADLINE_SECONDS):
            if not allow_private and port_of(url) not in ports:
                raise WebhookError("webhooks do not go to this port")
            status = await _post(url, body, secret, allow_private)
    except TimeoutError as error:
        raise WebhookError("the receiver took too long") from error
    except (httpx.HTTPError, httpx.InvalidURL) as error:
        raise WebhookError(f"the request to the receiver failed: {type(error).__name__}") from error
    if not 200 <= status < 300:
        raise WebhookError(f"the receiver responded with {status}")


async def _post(url: str, body: bytes, secret: str, allow_private: bool) -> int:
    target = httpx.URL(url)
    address = await checked_address(target.host, port_of(url), allow_private)
    timestamp = str(int(time.time()))
    headers = {
        "Host": target.netloc.decode("ascii"),
        "Content-Type": "application/json",
        "User-Agent": "brinkmanship",
        TIMESTAMP_HEADER: timestamp,
        SIGNATURE_HEADER: signature(secret, timestamp, body),
    }
    # Connect to the checked address, with the host name for SNI and certificate. No proxy, no .netrc.
    async with httpx.AsyncClient(verify=_tls(), trust_env=False, timeout=None) as client:
        request = client.build_request(
            "POST",
            target.copy_with(host=address),
            content=body,
            headers=headers,
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
