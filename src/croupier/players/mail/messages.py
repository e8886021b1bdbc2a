"""The messages that players receive: plain text, and links with a token behind `#`.

Browsers send nothing behind `#` to a server, so no log has the token.
"""

from collections.abc import Mapping
from datetime import UTC, datetime
from email.headerregistry import Address
from email.message import EmailMessage
from email.utils import localtime, make_msgid
from typing import NamedTuple

from croupier.accounts.credential_changes import ChangeKind
from croupier.accounts.mail_addresses import TOKEN_MINUTES, Recipient
from croupier.config.mail import MailSettings

RESET_PATH, VERIFY_PATH = "/reset-password", "/verify-address"
VERIFY = """\
Somebody gave this address for the account {account} at {site}.

Open this link within {minutes} minutes to confirm it:

{link}

If it wasn't you, do nothing.
"""
RESET = """\
Somebody asked for a new password for your account {account} at {site}.

Open this link within {minutes} minutes to choose one. It works once, and signs out all of your devices:

{link}

If it wasn't you, do nothing: your password stays as it is.
"""
CHANGED = """\
{change}

Account: {{account}} at {{site}}
Time: {at}

For 24 hours, withdrawals from this account are held.

If it was you, you need not do anything. If it wasn't you, {remedy}
"""
RECOVER = """\
take the account back at {site} now: "Sign in", then "Forgot your password?". That signs out all
devices and removes all passkeys. Then tell the operator, who can refuse a held withdrawal."""
ASK_OPERATOR = """\
tell the operator of {site} now, who can sign out all devices and refuse a held withdrawal. This
address can no longer recover the account."""
RESET_DONE = """\
The password was changed by a link that was sent to this address, and all devices were signed out.
Passkeys that weren't chosen to be kept were removed."""
CHANGES: Mapping[ChangeKind, tuple[str, str]] = {
    "password": (
        "Your password was changed",
        "The password was changed, and the other devices were signed out.",
    ),
    "reset": ("Your account was recovered", RESET_DONE),
    "passkey_added": ("A passkey was added", "A passkey was added, which can sign in to your account."),
    "passkey_removed": ("A passkey was removed", "A passkey was removed from your account."),
    "address_verified": (
        "Your e-mail address was changed",
        "Another e-mail address was confirmed, which can recover your account.",
    ),
    "address_removed": (
        "Your e-mail address was removed",
        "This e-mail address was removed from your account.",
    ),
}
"""Subject and first sentence by what was changed."""


class MailTemplate(NamedTuple):
    """Subject and text of a message; `path` is the page of its link."""

    subject: str
    text: str
    path: str = ""


VERIFICATION = MailTemplate("Confirm your e-mail address", VERIFY, VERIFY_PATH)
RECOVERY = MailTemplate("Choose a new password", RESET, RESET_PATH)


def credential_notice(what: ChangeKind, at_ms: int, *, recovers: bool) -> MailTemplate:
    """Return the message about a change; `recovers`: its recipient can still recover the account by mail."""
    subject, change = CHANGES[what]
    at = datetime.fromtimestamp(at_ms / 1000, UTC)
    remedy = RECOVER if recovers else ASK_OPERATOR
    return MailTemplate(subject, CHANGED.format(change=change, at=f"{at:%Y-%m-%d %H:%M} UTC", remedy=remedy))


def mail_message(
    settings: MailSettings, template: MailTemplate, recipient: Recipient, token: str
) -> EmailMessage:
    """Return the message of a template to a player."""
    link = f"{settings.site}{template.path}#{token}"
    text = template.text.format(
        account=recipient.account, site=settings.site, link=link, minutes=TOKEN_MINUTES
    )
    mail = EmailMessage()
    mail["From"] = settings.sender
    mail["To"] = Address(addr_spec=recipient.address)
    mail["Subject"] = template.subject
    mail["Date"] = localtime()
    mail["Message-ID"] = make_msgid(domain=settings.sender.domain)
    mail["Auto-Submitted"] = "auto-generated"
    mail.set_content(text)
    return mail
