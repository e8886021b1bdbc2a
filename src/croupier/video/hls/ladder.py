"""The ladder of a stream: its qualities, the ports on which they arrive, and the ffmpeg that packages them.

The video is copied, so the dealer's browser has to send H.264 with a key frame each second. The voice
becomes AAC.
"""

import base64
import shutil
import socket
from collections.abc import Collection
from contextlib import ExitStack
from pathlib import Path

from croupier.protocol.wire import PictureLayer
from croupier.video.port import H264, OPUS, ForwardPorts

LOOPBACK = "127.0.0.1"
KILOBITS: dict[PictureLayer, int] = {"high": 1500, "medium": 500, "low": 150}
"""The ladder, best first; what the dealer's browser may send in a layer."""
VOICE_NAME = "voice"
VOICE_KILOBITS = 48
SEGMENT_S = 1
LISTED_SEGMENTS, KEPT_SEGMENTS = 8, 4
"""Segments in a playlist, and those kept on disk after them."""
MASTER = "master.m3u8"
ANALYSE_US, REORDER_US, INTERLEAVE_US = 2_000_000, 100_000, 500_000
HLS_FLAGS = "independent_segments+delete_segments+program_date_time+omit_endlist+temp_file"
PORT_TRIES = 50
READABLE = ("sh", "-c", 'umask 022; exec nice -n 5 "$@"', "sh")
"""Another server reads the files, and players' bets come before pictures."""


def free_ports() -> ForwardPorts:
    """Return ports that are free now: RTP has an even port, and RTCP the next one."""
    with ExitStack() as taken:
        voice, *layers = (_free_pair(taken) for _ in ("voice", *KILOBITS))
    return ForwardPorts(voice, dict(zip(KILOBITS, layers, strict=True)))


def _free_pair(taken: ExitStack) -> int:
    for _ in range(PORT_TRIES):
        with ExitStack() as tried:
            first = tried.enter_context(socket.socket(socket.AF_INET, socket.SOCK_DGRAM))
            first.bind((LOOPBACK, 0))
            port = int(first.getsockname()[1])
            second = tried.enter_context(socket.socket(socket.AF_INET, socket.SOCK_DGRAM))
            try:
                second.bind((LOOPBACK, port + 1))
            except OSError:
                continue
            if port % 2 == 0:
                taken.push(tried.pop_all())
                return port
    raise OSError("no free UDP ports")


def session_description(ports: ForwardPorts, layers: Collection[PictureLayer]) -> str:
    """Describe the forwarded voice and layers, best first."""
    lines = ["v=0", f"o=- 0 0 IN IP4 {LOOPBACK}", "s=dealer", f"c=IN IP4 {LOOPBACK}", "t=0 0"]
    lines += [f"m=audio {ports.voice} RTP/AVP {OPUS}", f"a=rtpmap:{OPUS} opus/48000/2"]
    for layer in ordered(layers):
        lines += [
            f"m=video {ports.layers[layer]} RTP/AVP {H264}",
            f"a=rtpmap:{H264} H264/90000",
            f"a=fmtp:{H264} packetization-mode=1;profile-level-id=42e01f",
        ]
    return "\r\n".join((*lines, ""))


def ordered(layers: Collection[PictureLayer]) -> list[PictureLayer]:
    """Return layers, best first."""
    return [layer for layer in KILOBITS if layer in layers]


def playlists(layers: Collection[PictureLayer]) -> list[str]:
    """Return the names of the playlists of the qualities and of the voice."""
    return [f"{name}.m3u8" for name in (*ordered(layers), VOICE_NAME)]


def ffmpeg_command(
    program: str, folder: Path, ports: ForwardPorts, layers: Collection[PictureLayer]
) -> list[str]:
    """Return the command that writes a stream into a folder. `setpriv` ends it with this process."""
    return [*_prefix(), program, *_input(ports, layers), *_streams(layers), *_output(folder, layers)]


def _prefix() -> list[str]:
    setpriv = shutil.which("setpriv")
    return [*READABLE, *((setpriv, "--pdeathsig", "TERM") if setpriv else ())]


def _input(ports: ForwardPorts, layers: Collection[PictureLayer]) -> list[str]:
    described = base64.b64encode(session_description(ports, layers).encode()).decode()
    return [
        *("-nostdin", "-hide_banner", "-v", "error", "-protocol_whitelist", "data,udp,rtp"),
        *("-localaddr", LOOPBACK, "-fflags", "+nobuffer+discardcorrupt"),
        *("-analyzeduration", str(ANALYSE_US), "-probesize", str(ANALYSE_US), "-max_delay", str(REORDER_US)),
        *("-f", "sdp", "-i", f"data:application/sdp;base64,{described}"),
    ]


def _streams(layers: Collection[PictureLayer]) -> list[str]:
    """Each quality has the voice in it: hls.js's small version knows no separate voice."""
    options = list[str]()
    for place, layer in enumerate(ordered(layers)):
        options += ["-map", f"0:v:{place}", "-map", "0:a:0", f"-b:v:{place}", f"{KILOBITS[layer]}k"]
    voice = ("-c:a", "aac", "-b:a", f"{VOICE_KILOBITS}k", "-ac", "1", "-af", "aresample=async=1000")
    return [*options, "-map", "0:a:0", "-c:v", "copy", *voice]


def _output(folder: Path, layers: Collection[PictureLayer]) -> list[str]:
    used = ordered(layers)
    variants = [f"v:{place},a:{place},name:{layer}" for place, layer in enumerate(used)]
    voice = f"a:{len(used)},name:{VOICE_NAME}"
    return [
        *("-max_interleave_delta", str(INTERLEAVE_US), "-f", "hls", "-hls_time", str(SEGMENT_S)),
        *("-hls_list_size", str(LISTED_SEGMENTS), "-hls_delete_threshold", str(KEPT_SEGMENTS)),
        *("-hls_segment_type", "fmp4", "-hls_flags", HLS_FLAGS, "-master_pl_name", MASTER),
        *("-hls_fmp4_init_filename", "%v-init.mp4", "-hls_segment_filename", str(folder / "%v-%d.m4s")),
        *("-var_stream_map", " ".join((*variants, voice)), str(folder / "%v.m3u8")),
    ]
