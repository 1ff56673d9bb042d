"""Web push: messages encrypted for one browser (RFC 8291), signed with the server's key (VAPID, RFC 8292).

The push service of the browser's maker carries them and reads nothing. Its URL comes from a browser, that is from a
stranger: only known services are accepted, and `webhook` checks the address as for any other receiver.
"""

from __future__ import annotations

import json
import os
import re
import time
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Collection
from typing import NamedTuple
from urllib.parse import urlsplit

from cryptography.hazmat.primitives.asymmetric import ec, utils
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from sqlalchemy import Engine

from brinkmanship.store.notices import server_key
from brinkmanship.web.accounts.contacts import URL_LENGTH
from brinkmanship.web.support.errors import IllegalError

HOSTS = ("fcm.googleapis.com", "*.push.services.mozilla.com", "*.push.apple.com", "*.notify.windows.com")
"""Push services of Chrome, Firefox, Safari and Edge."""
MAX_PAYLOAD = 3_000
"""Maximum payload in bytes; push services take 4,096 bytes with encryption."""
TTL_SECONDS = 43_200
"""Time (s) for which a push service keeps a message for a browser that is offline, as at Lichess."""
SIGNED_SECONDS = 12 * 3600
"""Validity (s) of a signature; at most a day is allowed."""
GONE = (404, 410)
"""Statuses of a push service that no longer knows the browser."""
REFUSED = 403
"""Status of a push service that does not want messages for the browser; Apple's also for one that is gone."""
TOO_LARGE = 413
FINAL = (*GONE, REFUSED, TOO_LARGE)
"""Statuses after which the same message is not sent again."""
RECORD_BYTES = 4_096
KEY_NAME = "vapid"

_KEYS = re.compile(r"B[A-Za-z0-9_-]{86} [A-Za-z0-9_-]{22}")
"""Public key (65 bytes) and secret (16 bytes), both in base64url."""
_CURVE = ec.SECP256R1()
_ECDSA = ec.ECDSA(SHA256())


class Subscription(NamedTuple):
    """Address at which a browser receives messages: URL at its push service, its public key and its shared secret."""

    endpoint: str
    public_key: bytes
    """Uncompressed point of P-256 (65 bytes)."""
    secret: bytes
    """16 bytes."""


class PushMessage(NamedTuple):
    """A message ready to be sent."""

    endpoint: str
    body: bytes
    headers: dict[str, str]


class PushKey:
    """The server's key for web push, created on first use and shared by all its processes.

    Args:
        engine: Database engine.
        contact: How push services reach the operator, "mailto:..." or "https://..."; required by RFC 8292.
        given: Private key in base64url from the settings; "": one that is stored in the database.
    """

    def __init__(self, engine: Engine, contact: str, given: str = "") -> None:
        self._engine = engine
        self._contact = contact
        self._given = given
        self._key: ec.EllipticCurvePrivateKey | None = None

    @property
    def public(self) -> str:
        """Public key in base64url, for browsers that subscribe. Reads the database: call it in a thread."""
        return encoded(public_bytes(self._private()))

    def message(
        self, to: Subscription, payload: bytes, topic: str = "", is_urgent: bool = False, now: float | None = None
    ) -> PushMessage:
        """Return an encrypted and signed message. Reads the database: call it in a thread.

        Args:
            to: The browser.
            payload: Content, at most `MAX_PAYLOAD` bytes.
            topic: A later message replaces an undelivered one of the same topic; at most 32 characters of base64url.
            is_urgent: Wake a device that saves power.
            now: Present time (s since 1970), for tests.
        """
        private = self._private()
        site = "{0.scheme}://{0.netloc}".format(urlsplit(to.endpoint))
        claims: dict[str, str | int] = {
            "aud": site,
            "exp": int(time.time() if now is None else now) + SIGNED_SECONDS,
            "sub": self._contact,
        }
        headers = {
            "Authorization": f"vapid t={_signed(claims, private)}, k={encoded(public_bytes(private))}",
            "Content-Encoding": "aes128gcm",
            "Content-Type": "application/octet-stream",
            "TTL": str(TTL_SECONDS),
            "Urgency": "high" if is_urgent else "normal",
        }
        if topic:
            headers["Topic"] = topic
        body = encrypted(payload, to, ec.generate_private_key(_CURVE), os.urandom(16))
        return PushMessage(to.endpoint, body, headers)

    def _private(self) -> ec.EllipticCurvePrivateKey:
        if self._key is None:
            stored = decoded(self._given) if self._given else self._stored()
            self._key = private_key(stored)
        return self._key

    def _stored(self) -> bytes:
        new = ec.generate_private_key(_CURVE).private_numbers().private_value.to_bytes(32, "big")
        with self._engine.begin() as connection:
            return server_key(connection, KEY_NAME, new)


def checked(endpoint: str, public_key: str, secret: str, more_hosts: Collection[str], allow_http: bool) -> str:
    """Return the keys of a subscription as stored, once the whole subscription is found to be valid.

    Args:
        endpoint: URL at the push service.
        public_key: Public key of the browser in base64url.
        secret: Secret of the browser in base64url.
        more_hosts: Push services accepted besides `HOSTS`.
        allow_http: Accept http and any port.

    Raises:
        IllegalError: The push service is not one of those accepted, or a key is malformed.
    """
    is_plain = endpoint.isascii() and endpoint.isprintable() and " " not in endpoint and len(endpoint) <= URL_LENGTH
    if not (is_plain and _is_push_service(endpoint, more_hosts, allow_http)):
        raise IllegalError(
            "the endpoint is an https URL at the push service of a browser's maker", key="refused.push_service"
        )
    try:
        is_key = _KEYS.fullmatch(f"{public_key} {secret}") is not None
        ec.EllipticCurvePublicKey.from_encoded_point(_CURVE, decoded(public_key) if is_key else b"")
    except ValueError:
        raise IllegalError(
            "p256dh is a point of P-256 and auth has 16 bytes, both in base64url", key="refused.push_service"
        ) from None
    return f"{public_key} {secret}"


def _is_push_service(url: str, more_hosts: Collection[str], allow_http: bool) -> bool:
    """Return True for the URL of a known push service; a host "*.example.org" stands for all below it."""
    try:
        split = urlsplit(url)
        host, port = split.hostname or "", split.port
    except ValueError:
        return False
    is_web = (split.scheme == "https" and port in (None, 443)) or (allow_http and split.scheme == "http")
    is_known = any(
        host.endswith(known[1:]) if known.startswith("*.") else host == known for known in (*HOSTS, *more_hosts)
    )
    return is_web and is_known and not split.username


def encrypted(payload: bytes, to: Subscription, sender: ec.EllipticCurvePrivateKey, salt: bytes) -> bytes:
    """Return a payload encrypted with a key used only once, as one record of "aes128gcm" (RFC 8291, RFC 8188)."""
    own = public_bytes(sender)
    shared = sender.exchange(ec.ECDH(), ec.EllipticCurvePublicKey.from_encoded_point(_CURVE, to.public_key))
    material = _derived(shared, to.secret, b"WebPush: info\0" + to.public_key + own, 32)
    key = _derived(material, salt, b"Content-Encoding: aes128gcm\0", 16)
    nonce = _derived(material, salt, b"Content-Encoding: nonce\0", 12)
    head = salt + RECORD_BYTES.to_bytes(4, "big") + bytes([len(own)]) + own
    return head + AESGCM(key).encrypt(nonce, payload + b"\2", None)


def _derived(material: bytes, salt: bytes, info: bytes, length: int) -> bytes:
    return HKDF(SHA256(), length, salt, info).derive(material)


def _signed(claims: dict[str, str | int], key: ec.EllipticCurvePrivateKey) -> str:
    """Return a JSON Web Token with the algorithm ES256."""
    token = ".".join(encoded(json.dumps(part).encode()) for part in ({"typ": "JWT", "alg": "ES256"}, claims))
    r, s = utils.decode_dss_signature(key.sign(token.encode(), _ECDSA))
    return f"{token}.{encoded(r.to_bytes(32, 'big') + s.to_bytes(32, 'big'))}"


def subscription(endpoint: str, keys: str) -> Subscription:
    """Return a stored subscription.

    Args:
        endpoint: URL at the push service.
        keys: Public key and secret in base64url, separated by a space.
    """
    public_key, secret = keys.split(" ")
    return Subscription(endpoint, decoded(public_key), decoded(secret))


def private_key(number: bytes) -> ec.EllipticCurvePrivateKey:
    """Return a private key from its 32 bytes.

    Raises:
        ValueError: They are no key of P-256.
    """
    return ec.derive_private_key(int.from_bytes(number, "big"), _CURVE)


def public_bytes(key: ec.EllipticCurvePrivateKey) -> bytes:
    """Return the public key as an uncompressed point (65 bytes)."""
    return key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)


def encoded(content: bytes) -> str:
    """Return bytes in base64url without padding."""
    return urlsafe_b64encode(content).decode().rstrip("=")


def decoded(text: str) -> bytes:
    """Return the bytes of a base64url text.

    Raises:
        ValueError: It is not base64url.
    """
    return urlsafe_b64decode(text + "=" * (-len(text) % 4))
