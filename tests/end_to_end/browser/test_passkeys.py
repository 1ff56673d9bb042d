"""Passkeys in a browser, with a virtual authenticator: a guest becomes an account, leaves, and comes back."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from support.browsing import begin, picture
from support.serving import Server


def test_a_guest_becomes_an_account_and_comes_back_without_typing_anything(chromium: Any, server: Server) -> None:
    url = server.url.replace("127.0.0.1", "localhost")  # an address can have no passkeys
    services = server.app.state.services
    server.app.state.services = replace(services, settings=replace(services.settings, public_url=url))
    context = chromium.new_context()
    try:
        page = context.new_page()
        page.goto(f"{url}/new/13-days")
        begin(page, "computer", name="Passenger")
        devtools = context.new_cdp_session(page)
        devtools.send("WebAuthn.enable")
        options = {"protocol": "ctap2", "transport": "internal", "hasResidentKey": True, "hasUserVerification": True}
        devtools.send(
            "WebAuthn.addVirtualAuthenticator",
            {"options": {**options, "isUserVerified": True, "automaticPresenceSimulation": True}},
        )
        page.goto(f"{url}/account")
        page.get_by_role("button", name="Create with passkey").click()
        page.wait_for_selector(".codes")
        assert page.locator(".codes li").count() == 10
        picture(page, "passkeys")
        page.get_by_role("button", name="Sign out", exact=True).click()
        page.goto(f"{url}/account")
        picture(page, "passkeys-sign-in")
        page.get_by_role("button", name="Use a passkey").click()
        page.wait_for_url(f"{url}/")
        page.goto(f"{url}/account")
        assert page.get_by_text("You are signed in as Passenger").count() == 1
    finally:
        context.close()
        server.app.state.services = services
