"""Web push: the example of RFC 8291, messages that another library reads, signatures, and which URLs are accepted."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from pathlib import Path

import http_ece
import pytest
from cryptography.hazmat.primitives.asymmetric import ec, utils
from cryptography.hazmat.primitives.hashes import SHA256
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import Engine

from brinkmanship.store.database import open_database
from brinkmanship.web.notifications import push
from brinkmanship.web.notifications.push import PushKey, Subscription, decoded, encoded
from brinkmanship.web.support.errors import IllegalError
from brinkmanship.web.support.settings import SettingError, from_environment

BROWSER_KEY = ec.generate_private_key(ec.SECP256R1())
BROWSER = Subscription("https://fcm.googleapis.com/send/1", push.public_bytes(BROWSER_KEY), b"0123456789abcdef")


@pytest.fixture
def engine(database: str) -> Iterator[Engine]:
    engine = open_database(database)
    yield engine
    engine.dispose()


def test_the_example_of_the_standard_is_encrypted_as_printed() -> None:
    to = Subscription(
        "https://push.example.net/push/JzLQ3raZJfFBR0aqvOMsLrt54w4rJUsV",
        decoded("BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"),
        decoded("BTBZMqHH6r4Tts7J_aSIgg"),
    )
    sender = push.private_key(decoded("yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw"))
    salt = decoded("DGv6ra1nlYgDCS1FRnbzlw")
    body = push.encrypted(b"When I grow up, I want to be a watermelon", to, sender, salt)
    assert encoded(body) == (
        "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl"
        "7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN"
    )


@given(st.binary(max_size=push.MAX_PAYLOAD), st.binary(min_size=16, max_size=16))
def test_a_browser_reads_what_was_encrypted_for_it(payload: bytes, salt: bytes) -> None:
    body = push.encrypted(payload, BROWSER, ec.generate_private_key(ec.SECP256R1()), salt)
    read = http_ece.decrypt(body, private_key=BROWSER_KEY, auth_secret=BROWSER.secret, version="aes128gcm")
    assert read == payload
    assert len(body) <= 4096


def test_a_message_is_signed_for_its_push_service_with_one_key_of_the_server(engine: Engine) -> None:
    first, second = (PushKey(engine, "mailto:ops@example.org") for _ in range(2))
    assert first.public == second.public
    message = first.message(BROWSER, b"hello", "t1", is_urgent=True)
    assert (message.headers["TTL"], message.headers["Urgency"], message.headers["Topic"]) == ("43200", "high", "t1")
    token, key = message.headers["Authorization"].removeprefix("vapid t=").split(", k=")
    assert key == first.public
    signed, _, signature = token.rpartition(".")
    head, claims = (json.loads(decoded(part)) for part in signed.split("."))
    assert head == {"typ": "JWT", "alg": "ES256"}
    assert claims["aud"] == "https://fcm.googleapis.com"
    assert claims["sub"] == "mailto:ops@example.org"
    assert 0 < claims["exp"] - time.time() <= 24 * 3600
    public = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), decoded(key))
    raw = decoded(signature)
    der = utils.encode_dss_signature(int.from_bytes(raw[:32], "big"), int.from_bytes(raw[32:], "big"))
    public.verify(der, signed.encode(), ec.ECDSA(SHA256()))


def test_an_operator_may_give_the_key(engine: Engine, tmp_path: Path) -> None:
    other = open_database(f"sqlite:///{tmp_path / 'other.sqlite3'}")
    given_key = encoded(bytes(31) + b"\7")
    assert PushKey(engine, "", given_key).public == PushKey(other, "", given_key).public != PushKey(other, "").public
    other.dispose()


PUBLIC, SECRET = encoded(BROWSER.public_key), encoded(BROWSER.secret)


@pytest.mark.parametrize(
    "endpoint",
    [
        "https://fcm.googleapis.com/fcm/send/1",
        "https://updates.push.services.mozilla.com/wpush/v2/1",
        "https://web.push.apple.com/1",
        "https://db5p.notify.windows.com:443/w/?token=1",
        "https://push.example.org/1",
    ],
)
def test_push_services_of_browsers_and_the_operator_are_accepted(endpoint: str) -> None:
    keys = push.checked(endpoint, PUBLIC, SECRET, ["push.example.org"], allow_http=False)
    assert push.subscription(endpoint, keys) == Subscription(endpoint, BROWSER.public_key, BROWSER.secret)


@pytest.mark.parametrize(
    "endpoint",
    [
        "http://fcm.googleapis.com/1",
        "https://fcm.googleapis.com.example.org/1",
        "https://evilfcm.googleapis.com/1",
        "https://push.apple.com.example.org/1",
        "https://evilpush.apple.com/1",
        "https://fcm.googleapis.com:8443/1",
        "https://fcm.googleapis.com:port/1",
        "https://anna@fcm.googleapis.com/1",
        "https://[::1/",
        "https://127.0.0.1/1",
        "https://fcm.googleapis.com/" + "a" * 500,
        "https://fcm.googleapis.com/ä",
        "",
    ],
)
def test_no_message_goes_to_other_hosts(endpoint: str) -> None:
    with pytest.raises(IllegalError):
        push.checked(endpoint, PUBLIC, SECRET, [], allow_http=False)


@pytest.mark.parametrize(
    ("public", "secret"),
    [("", ""), (PUBLIC, ""), (PUBLIC, SECRET + "A"), ("B" + "A" * 86, SECRET), (SECRET, PUBLIC)],
    ids=["none", "no secret", "long secret", "no point", "exchanged"],  # the keys differ in each process
)
def test_keys_of_browsers_are_checked(public: str, secret: str) -> None:
    with pytest.raises(IllegalError):
        push.checked(BROWSER.endpoint, public, secret, [], allow_http=False)


def test_push_is_on_once_push_services_can_reach_the_operator() -> None:
    def contact(**given: str) -> str:
        return from_environment({f"BRINK_{name.upper()}": value for name, value in given.items()}).push_subject

    assert contact() == ""
    assert contact(public_url="https://brink.example.org") == "https://brink.example.org"
    assert contact(public_url="http://brink.example.org") == ""
    assert contact(public_url="https://localhost") == ""
    assert contact(push_contact="mailto:ops@example.org") == "mailto:ops@example.org"
    for wrong in ("mailto:root@localhost", "https://localhost", "ops@example.org", "mailto:", "https://x.local", "a b"):
        with pytest.raises(SettingError):
            contact(push_contact=wrong)
    with pytest.raises(SettingError):
        contact(push_key="short")
    assert from_environment({"BRINK_PUSH_HOSTS": "a.example.org, *.B.example.org"}).push_hosts == (
        "a.example.org",
        "*.b.example.org",
    )
