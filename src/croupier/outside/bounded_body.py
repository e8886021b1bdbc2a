"""Bodies of other services' answers, read up to a maximum."""

import httpx

from croupier.outside.no_answer import NoAnswer

ANSWER_BYTES_MAX = 256 * 1024


async def bounded_body(response: httpx.Response) -> bytes:
    """Return the body of a streamed response; raise NoAnswer for a longer one."""
    found = bytearray()
    async for piece in response.aiter_bytes():
        found += piece
        if len(found) > ANSWER_BYTES_MAX:
            raise NoAnswer(f"more than {ANSWER_BYTES_MAX} bytes")
    return bytes(found)
