"""An authenticator as a browser has one, in Python: it keeps passkeys and signs challenges."""

from __future__ import annotations

import hashlib
import json
import secrets
from base64 import urlsafe_b64decode, urlsafe_b64encode
from typing import Any

import cbor2
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec

PRESENT_AND_VERIFIED = 0x05
HAS_KEY = 0x40


def text(data: bytes) -> str:
    """Bytes as in JSON of WebAuthn."""
    return urlsafe_b64encode(data).decode().rstrip("=")


def data(encoded: str) -> bytes:
    return urlsafe_b64decode(encoded + "=" * (-len(encoded) % 4))


class Authenticator:
    """An authenticator and the browser it is in; `origin` is what the browser sees in its address bar."""

    def __init__(self, origin: str) -> None:
        self.origin = origin
        self.keys: dict[bytes, tuple[ec.EllipticCurvePrivateKey, bytes]] = {}
        """Key and owner by the id of the passkey."""

    def create(self, options: dict[str, Any]) -> str:
        """Make a passkey."""
        key, key_id = ec.generate_private_key(ec.SECP256R1()), secrets.token_bytes(32)
        self.keys[key_id] = (key, data(options["user"]["id"]))
        numbers = key.public_key().public_numbers()
        x, y = numbers.x.to_bytes(32, "big"), numbers.y.to_bytes(32, "big")
        public = cbor2.dumps({1: 2, 3: -7, -1: 1, -2: x, -3: y})
        about = bytes(16) + len(key_id).to_bytes(2, "big") + key_id + public
        signed = self._about(options["rp"]["id"], PRESENT_AND_VERIFIED | HAS_KEY) + about
        attestation = cbor2.dumps({"fmt": "none", "attStmt": {}, "authData": signed})
        client = self._client("webauthn.create", options["challenge"])
        response = {"clientDataJSON": text(client), "attestationObject": text(attestation)}
        return json.dumps({"id": text(key_id), "rawId": text(key_id), "type": "public-key", "response": response})

    def get(self, options: dict[str, Any]) -> str:
        """Sign a challenge with the newest passkey."""
        key_id, (key, owner) = list(self.keys.items())[-1]
        about = self._about(options["rpId"], PRESENT_AND_VERIFIED)
        client = self._client("webauthn.get", options["challenge"])
        signature = key.sign(about + hashlib.sha256(client).digest(), ec.ECDSA(hashes.SHA256()))
        response = {
            "clientDataJSON": text(client),
            "authenticatorData": text(about),
            "signature": text(signature),
            "userHandle": text(owner),
        }
        return json.dumps({"id": text(key_id), "rawId": text(key_id), "type": "public-key", "response": response})

    def _about(self, site: str, flags: int) -> bytes:
        return hashlib.sha256(site.encode()).digest() + bytes([flags]) + bytes(4)  # the counter stays at 0

    def _client(self, kind: str, challenge: str) -> bytes:
        return json.dumps({"type": kind, "challenge": challenge, "origin": self.origin}).encode()
