"""Mails by SMTP, as the operator's settings say."""

from __future__ import annotations

import smtplib
import ssl
from email.message import EmailMessage
from email.utils import formatdate, make_msgid

from brinkmanship.engine.message import Message
from brinkmanship.text import Words
from brinkmanship.web.settings import Settings
from brinkmanship.web.turns.contacts import CONFIRM, STOP, Contact

TIMEOUT_SECONDS = 15


def confirmation(contact: Contact, words: Words) -> EmailMessage:
    """The mail that asks whether the address is his who gave it."""
    mail = _mail(contact, words.sentence(Message("mail.confirm.subject")))
    lines = [
        words.sentence(Message("mail.confirm.text", {"name": contact.name})),
        contact.link(CONFIRM),
        words.sentence(Message("mail.confirm.else")),
        contact.link(STOP),
    ]
    mail.set_content("\n\n".join(lines) + "\n")
    return mail


def notice(contact: Contact, words: Words, title: str, sentence: str, address: str) -> EmailMessage:
    """The mail that tells whose turn it is, where; it tells nothing of the position."""
    mail = _mail(contact, words.sentence(Message("mail.turn.subject", {"title": title})))
    lines = [
        words.sentence(Message("mail.turn.hello", {"name": contact.name})),
        f"{sentence}\n{address}",
        f"{words.sentence(Message('mail.stop'))}\n{contact.link(STOP)}",
    ]
    mail.set_content("\n\n".join(lines) + "\n")
    return mail


def _mail(contact: Contact, subject: str) -> EmailMessage:
    mail = EmailMessage()
    mail["To"] = contact.address
    mail["Subject"] = subject
    mail["Date"] = formatdate()
    mail["Auto-Submitted"] = "auto-generated"
    mail["List-Unsubscribe"] = f"<{contact.link(STOP)}>"
    mail["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"
    return mail


def send(mail: EmailMessage, settings: Settings) -> None:
    """Hand a mail to the SMTP server; blocks for as long as that takes.

    Raises:
        OSError: it was not taken (`smtplib.SMTPException` is one).
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
