"""The failure of a request to another service. The module of the client itself takes long to import."""


class NoAnswer(Exception):
    """The outcome is unknown: a time-out, an error of the service, or an answer that can't be read."""
