"""Frames of a WebSocket client, as bytes."""


def frame(first: int, payload: bytes = b"") -> bytes:
    """Return a short frame, masked with zeros; `first` is its first byte."""
    assert len(payload) < 126
    return bytes((first, 0x80 | len(payload), 0, 0, 0, 0)) + payload
