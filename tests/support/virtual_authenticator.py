"""Chromium's virtual authenticator, which presses its button by itself."""

from playwright.sync_api import Page


class VirtualAuthenticator:
    """An authenticator of a page that keeps passkeys; with `verifies` it recognises its user."""

    def __init__(self, page: Page, *, verifies: bool = True) -> None:
        self._devtools = page.context.new_cdp_session(page)
        self._devtools.send("WebAuthn.enable")
        added = self._devtools.send(
            "WebAuthn.addVirtualAuthenticator",
            {
                "options": {
                    "protocol": "ctap2",
                    "transport": "internal",
                    "hasResidentKey": True,
                    "hasUserVerification": True,
                    "isUserVerified": verifies,
                    "automaticPresenceSimulation": True,
                }
            },
        )
        self._id = added["authenticatorId"]

    def remove(self) -> None:
        """Remove the authenticator with its passkeys."""
        self._devtools.send("WebAuthn.removeVirtualAuthenticator", {"authenticatorId": self._id})
