"""The messages that players receive: plain text, and links with a token behind `#`.

Browsers send nothing behind `#` to a server, so no log has the token.
"""

from email.headerregistry import Address
from email.message import EmailMessage
from email.utils import localtime, make_msgid
from typing import NamedTuple

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
The password of your account {account} at {site} was changed, and your other devices were signed out.

If it wasn't you, choose a new password at {site}: "Sign in", then "Forgot your password?".
"""


class MailTemplate(NamedTuple):
    """Subject and text of a message; `path` is the page of its link."""

    subject: str
    text: str
    path: str = ""


VERIFICATION = MailTemplate("Confirm your e-mail address", VERIFY, VERIFY_PATH)
RECOVERY = MailTemplate("Choose a new password", RESET, RESET_PATH)
PASSWORD_CHANGED = MailTemplate("Your password was changed", CHANGED)


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
