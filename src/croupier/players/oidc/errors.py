"""Errors of a sign-in through an identity server; the modules that raise them are slow to import."""


class UnknownKey(Exception):
    """The identity server's keys don't include that of the token: it may have new ones."""


class WrongToken(Exception):
    """The identity server names no player; the message has the reason, and shows nothing of a token."""
