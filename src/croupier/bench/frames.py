"""WebSocket frames as the clients send and read them (RFC 6455)."""

TEXT, BINARY, CLOSE, PING, PONG = 0x81, 0x82, 0x88, 0x89, 0x8A
"""First bytes of unfragmented frames."""
_KEY = bytes(4)
"""A masking key of zeros leaves the payload as it is, which saves the clients work."""
_IN_TWO_BYTES, _IN_EIGHT_BYTES = 126, 127


def frame(payload: bytes, first: int = TEXT) -> bytes:
    """Return an unfragmented, masked frame of at most 65,535 bytes."""
    size = len(payload)
    if size < _IN_TWO_BYTES:
        return bytes((first, 0x80 | size)) + _KEY + payload
    return bytes((first, 0x80 | _IN_TWO_BYTES)) + size.to_bytes(2, "big") + _KEY + payload


def extent(data: bytes) -> tuple[int, int]:
    """Return the bounds of the payload of the first frame; (0, 0) if the header is incomplete."""
    if len(data) < 2:
        return 0, 0
    size, start = data[1], 2
    if size == _IN_TWO_BYTES:
        size, start = int.from_bytes(data[2:4], "big"), 4
    elif size == _IN_EIGHT_BYTES:
        size, start = int.from_bytes(data[2:10], "big"), 10
    return (start, start + size) if len(data) >= start else (0, 0)
