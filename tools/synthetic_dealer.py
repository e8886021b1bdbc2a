"""A dealer on camera without a camera: packets at the rate of 720 lines and a voice, which nobody can decode.

It needs no processor for encoding, so that a load test measures the media server and the game server.
"""

import asyncio
import secrets
from time import perf_counter

from tools.srtp import SrtpStream
from tools.webrtc_peer import Peer

FRAMES_PER_S, FRAME_PACKETS, PACKET_BYTES = 30, 6, 1_040
"""1.5 Mb/s."""
VOICE_PER_S, VOICE_BYTES = 50, 80
VIDEO_SOURCE, VOICE_SOURCE = 0x10001, 0x10002
VP8, OPUS = 96, 111
VIDEO_HZ, VOICE_HZ = 90_000, 48_000


class SyntheticDealer:
    """A page that publishes `offer`, and sends as soon as it has the answer."""

    def __init__(self) -> None:
        self._peer = Peer(controls=True)

    async def run(self, answer: str) -> None:
        """Send until cancelled."""
        try:
            await self._peer.connect(answer)
            async with asyncio.TaskGroup() as sending:
                sending.create_task(self._send(VIDEO_SOURCE, VP8, FRAMES_PER_S, FRAME_PACKETS, PACKET_BYTES))
                sending.create_task(self._send(VOICE_SOURCE, OPUS, VOICE_PER_S, 1, VOICE_BYTES))
        finally:
            self._peer.close()

    @property
    def offer(self) -> str:
        kinds = (("audio", OPUS, "opus/48000/2", VOICE_SOURCE), ("video", VP8, "VP8/90000", VIDEO_SOURCE))
        lines = ["v=0", "o=- 1 1 IN IP4 127.0.0.1", "s=-", "t=0 0", "a=group:BUNDLE 0 1"]
        for mid, (kind, number, codec, source) in enumerate(kinds):
            lines += [f"m={kind} 9 UDP/TLS/RTP/SAVPF {number}", "c=IN IP4 0.0.0.0", f"a=mid:{mid}"]
            lines += ["a=sendonly", "a=rtcp-mux", f"a=rtpmap:{number} {codec}"]
            lines += [*self._peer.attributes, f"a=ssrc:{source} cname:dealer"]
        return "\r\n".join((*lines, ""))

    async def _send(self, source: int, kind: int, per_s: int, packets: int, size: int) -> None:
        """Send frames of a source, at even intervals."""
        stream, payload = SrtpStream(*self._peer.keys(), source, kind), secrets.token_bytes(size)
        step, began, number = (VIDEO_HZ if kind == VP8 else VOICE_HZ) // per_s, perf_counter(), 0
        while True:
            for packet in range(packets):
                self._peer.send(stream.packet(payload, number * step, last=packet == packets - 1))
            number += 1
            self._peer.read()
            await asyncio.sleep(max(0.0, began + number / per_s - perf_counter()))
