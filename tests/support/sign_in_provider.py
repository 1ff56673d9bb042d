"""A sign-in provider (OpenID Connect) on this machine, which checks what clients send, and can answer wrongly."""

from __future__ import annotations

import base64
import hashlib
import http.server
import json
import secrets
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

from joserfc import jwt
from joserfc.jwk import OctKey, RSAKey

CLIENT_ID, CLIENT_SECRET = "brinkmanship", "a secret of the client"


class Provider(http.server.ThreadingHTTPServer):
    """The provider; `subject` and `claims` are those of the person who signs in next."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Answering)
        self.key = RSAKey.generate_key(2048, {"kid": "1"})
        self.other_key = RSAKey.generate_key(2048, {"kid": "1"})
        self.subject = "1"
        self.claims: dict[str, Any] = {"preferred_username": "Anna"}
        self.changes: dict[str, Any] = {}
        """Claims of the next ID token that are not as they should be."""
        self.signs_with = "key"
        """ "key", "other" or "secret": the client's own, which a client must not accept."""
        self.is_down = False
        self.codes: dict[str, dict[str, str]] = {}
        self.wrong: list[str] = []
        """What clients have sent that a provider refuses."""

    @property
    def issuer(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"

    def authorize(self, address: str) -> str:
        """Sign the person in who was sent to an address here; return the query of the way back."""
        sent = {name: values[0] for name, values in parse_qs(urlsplit(address).query).items()}
        assert sent["client_id"] == CLIENT_ID
        assert (sent["response_type"], sent["code_challenge_method"]) == ("code", "S256")
        assert "openid" in sent["scope"].split()
        code = secrets.token_urlsafe()
        self.codes[code] = sent
        return urlencode({"code": code, "state": sent["state"]})

    def token(self, form: dict[str, str], authorization: str) -> dict[str, Any] | None:
        """Return the answer to a request for a token; None to refuse it."""
        sent = self.codes.pop(form.get("code", ""), None)
        known = base64.b64encode(f"{CLIENT_ID}:{CLIENT_SECRET}".encode()).decode()
        challenge = base64.urlsafe_b64encode(hashlib.sha256(form.get("code_verifier", "").encode()).digest())
        checks = {
            "code": sent is not None,
            "client": authorization == f"Basic {known}",
            "verifier": sent is not None and challenge.rstrip(b"=").decode() == sent["code_challenge"],
            "redirect": sent is not None and form.get("redirect_uri") == sent["redirect_uri"],
        }
        self.wrong += [name for name, is_right in checks.items() if not is_right]
        if sent is None or not all(checks.values()):
            return None
        return {
            "access_token": "a",
            "token_type": "Bearer",
            "expires_in": 60,
            "id_token": self._id_token(sent["nonce"]),
        }

    def _id_token(self, nonce: str) -> str:
        now = int(time.time())
        claims = {"iss": self.issuer, "sub": self.subject, "aud": CLIENT_ID, "iat": now, "exp": now + 60}
        claims |= {"nonce": nonce, **self.claims, **self.changes}
        if self.signs_with == "secret":
            return jwt.encode({"alg": "HS256"}, claims, OctKey.import_key(CLIENT_SECRET))
        return jwt.encode(
            {"alg": "RS256", "kid": "1"}, claims, self.key if self.signs_with == "key" else self.other_key
        )

    def page(self, path: str) -> dict[str, Any] | None:
        """Return what a path answers; None if there is nothing."""
        if path == "/.well-known/openid-configuration":
            return {
                "issuer": self.issuer,
                "authorization_endpoint": f"{self.issuer}/authorize",
                "token_endpoint": f"{self.issuer}/token",
                "jwks_uri": f"{self.issuer}/keys",
                "id_token_signing_alg_values_supported": ["HS256", "RS256", "none"],
            }
        return {"keys": [self.key.as_dict(private=False)]} if path == "/keys" else None


class Answering(http.server.BaseHTTPRequestHandler):
    """A request to a `Provider`."""

    server: Provider

    def do_GET(self) -> None:
        if self.path.startswith("/authorize"):
            back = parse_qs(urlsplit(self.path).query)["redirect_uri"][0]
            self.send_response(302)
            self.send_header("Location", f"{back}?{self.server.authorize(self.path)}")
            self.end_headers()
        else:
            self._answer(None if self.server.is_down else self.server.page(self.path))

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"])).decode()
        form = {name: values[0] for name, values in parse_qs(body).items()}
        self._answer(self.server.token(form, self.headers.get("Authorization", "")))

    def _answer(self, content: dict[str, Any] | None) -> None:
        body = json.dumps(content or {"error": "invalid_grant"}).encode()
        self.send_response(200 if content else 400)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Nothing on the screen."""


@contextmanager
def providing() -> Iterator[Provider]:
    """A provider, until the block ends."""
    provider = Provider()
    threading.Thread(target=provider.serve_forever, daemon=True).start()
    yield provider
    provider.shutdown()
    provider.server_close()
