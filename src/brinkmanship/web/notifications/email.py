"""E-mails sent by SMTP, as configured in the settings."""

from __future__ import annotations

import smtplib
import ssl
from collections.abc import Sequence
from email.message import EmailMessage
from email.policy import EmailPolicy
from email.utils import formatdate, make_msgid

from brinkmanship.engine.message import Message
from brinkmanship.text import Words
from brinkmanship.web.accounts.contacts import CONFIRM, STOP, Contact
from brinkmanship.web.notifications.content import Notice
from brinkmanship.web.support.settings import Settings

TIMEOUT_SECONDS = 15
LINK_HEADERS = ("list-unsubscribe",)


def confirmation(contact: Contact, words: Words, site: str) -> EmailMessage:
    """Build the address-confirmation e-mail."""
    mail = _mail(contact, words.sentence(Message("mail.confirm.subject")), site)
    lines = [
        words.sentence(Message("mail.confirm.text", {"name": contact.name})),
        contact.link(CONFIRM, site),
        words.sentence(Message("mail.confirm.else")),
        contact.link(STOP, site),
    ]
    mail.set_content("\n\n".join(lines) + "\n")
    return mail


def notice(contact: Contact, words: Words, site: str, notices: Sequence[Notice]) -> EmailMessage:
    """Build the e-mail with one or several notices; they say nothing about a position."""
    subject = notices[0].subject
    if len(notices) > 1:
        subject = words.sentence(Message("mail.several.subject", {"n": len(notices)}))
    mail = _mail(contact, subject, site)
    lines = [
        words.sentence(Message("mail.turn.hello", {"name": contact.name})),
        *(f"{each.sentence}\n{site}{each.path}" for each in notices),
        f"{words.sentence(Message('mail.stop'))}\n{contact.link(STOP, site)}",
    ]
    mail.set_content("\n\n".join(lines) + "\n")
    return mail


def recovery(contact: Contact, words: Words, site: str, token: str) -> EmailMessage:
    """Build the e-mail with the link to set a new password."""
    mail = _mail(contact, words.sentence(Message("mail.recover.subject")), site)
    lines = [
        words.sentence(Message("mail.recover.text", {"name": contact.name})),
        f"{site}/account/recover/{token}",
        words.sentence(Message("mail.recover.else")),
    ]
    mail.set_content("\n\n".join(lines) + "\n")
    return mail


class LinkPolicy(EmailPolicy):
    """E-mail policy that folds headers as usual, but keeps headers with a link on one line.

    The standard policy folds a long word by encoding it, and mail programs find no link in an encoded List-Unsubscribe.
    """

    def fold(self, name: str, value: str) -> str:
        """Return a header as sent."""
        if name.lower() in LINK_HEADERS:
            return f"{name}: {value}{self.linesep}"
        folded: str = super().fold(name, value)
        return folded

    def fold_binary(self, name: str, value: str) -> bytes:
        """Return a header as sent, in bytes."""
        if name.lower() in LINK_HEADERS:
            return self.fold(name, value).encode("ascii")
        return super().fold_binary(name, value)


def _mail(contact: Contact, subject: str, site: str) -> EmailMessage:
    mail = EmailMessage(LinkPolicy())
    mail["To"] = contact.address
    mail["Subject"] = subject
    mail["Date"] = formatdate()
    mail["Auto-Submitted"] = "auto-generated"
    mail["List-Unsubscribe"] = f"<{contact.link(STOP, site)}>"
    mail["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"
    return mail


def send(mail: EmailMessage, settings: Settings) -> None:
    """Send an e-mail to the SMTP server; blocks until it is accepted.

    Raises:
        OSError: The server did not accept it (`smtplib.SMTPException` is a subclass).
    """
    mail["From"] = settings.smtp_from
    mail["Message-ID"] = make_msgid(domain=settings.smtp_from.rpartition("@")[2].strip("> ") or "localhost")
    secure = ssl.create_default_context()
    if settings.smtp_security == "tls":
        server: smtplib.SMTP = smtplib.SMTP_SSL(
            settings.smtp_host, settings.smtp_port, timeout=TIMEOUT_SECONDS, context=secure
        )
    else:
        server = smtplib.SMTP(settings.smtp_host, settings.smtp_port, timeout=TIMEOUT_SECONDS)
    with server:
        if settings.smtp_security == "starttls":
            server.starttls(context=secure)
        if settings.smtp_user:
            server.login(settings.smtp_user, settings.smtp_password)
        server.send_message(mail)
