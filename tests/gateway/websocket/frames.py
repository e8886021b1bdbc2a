"""Frames of a WebSocket client and server, as bytes, valid or not."""

MASK = b"\x37\xfa\x21\x3d"
CONTINUATION, TEXT, BINARY, CLOSE, PING, PONG = 0x0, 0x1, 0x2, 0x8, 0x9, 0xA


def frame(
    opcode: int, payload: bytes = b"", *, fin: bool = True, rsv: int = 0, size: int | None = None
) -> bytes:
    """Return a masked frame; `size` is the length that it claims, by default the right one."""
    first = (fin << 7) | (rsv << 4) | opcode
    repeated = (MASK * (len(payload) // 4 + 1))[: len(payload)]
    masked = (int.from_bytes(payload, "big") ^ int.from_bytes(repeated, "big")).to_bytes(len(payload), "big")
    return bytes((first,)) + _length(len(payload) if size is None else size) + MASK + masked


def _length(size: int) -> bytes:
    if size < 126:
        return bytes((0x80 | size,))
    if size < 1 << 16:
        return bytes((0x80 | 126,)) + size.to_bytes(2, "big")
    return bytes((0x80 | 127,)) + size.to_bytes(8, "big")


def close(code: int | None = None, reason: bytes = b"") -> bytes:
    """Return a close frame; without a code, the reason is the whole payload."""
    return frame(CLOSE, (b"" if code is None else code.to_bytes(2, "big")) + reason)


def fragments(opcode: int, *payloads: bytes) -> tuple[bytes, ...]:
    """Return the frames of a fragmented message."""
    last = len(payloads) - 1
    return tuple(
        frame(CONTINUATION if index else opcode, payload, fin=index == last)
        for index, payload in enumerate(payloads)
    )


def pieces(payload: bytes, size: int) -> tuple[bytes, ...]:
    return tuple(payload[start : start + size] for start in range(0, len(payload), size))


def received_frames(data: bytes) -> tuple[list[tuple[int, bytes]], bytes]:
    """Return opcode and payload of each complete frame that a server has sent, and the rest."""
    frames: list[tuple[int, bytes]] = []
    while len(data) >= 2:
        size, header = data[1], 2
        if size == 126:
            size, header = int.from_bytes(data[2:4], "big"), 4
        end = header + size
        if len(data) < end:
            break
        frames.append((data[0] & 0x0F, data[header:end]))
        data = data[end:]
    return frames, data
