"""Secrets that the configuration file names: in files, or in environment variables."""

import os
from pathlib import Path

from croupier.play.tables.toml_blocks import InvalidField
from croupier.protocol.signatures import Secret

SECRET_BYTES_MIN = 16


def read_secret(file: str, variable: str, beside: Path, field: str) -> Secret:
    """Read a secret from a file or an environment variable; errors don't show it."""
    if bool(file) == bool(variable):
        raise InvalidField(field, "name either a file or an environment variable that has the secret")
    text = os.environ.get(variable, "").encode() if variable else _read(beside / file, field)
    if len(text.strip()) < SECRET_BYTES_MIN:
        raise InvalidField(field, f"the secret is missing, or shorter than {SECRET_BYTES_MIN} characters")
    return Secret(text.strip())


def _read(file: Path, field: str) -> bytes:
    try:
        return file.read_bytes()
    except OSError as error:
        raise InvalidField(field, f"{file} can't be read: {error.strerror}") from None
