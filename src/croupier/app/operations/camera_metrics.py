"""Metrics of the dealers' cameras and of their recordings. Without a media server, they list no tables."""

from collections.abc import Iterator

from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric

from croupier.app.operations.families import by_label, gauge, histogram
from croupier.video.cameras import Cameras
from croupier.video.hls.streams import Streams
from croupier.video.recorder import Recorder


def camera_metrics(cameras: Cameras, recorder: Recorder, streams: Streams) -> Iterator[Metric]:
    measured = cameras.measured
    yield gauge("croupier_media_available", "1 while the media server answers.", int(cameras.available))
    on = {table: int(cameras.state(table) == "on") for table in cameras.tables}
    yield by_label(GaugeMetricFamily, "croupier_camera_on", "1 while the picture arrives.", "table", on)
    viewers = GaugeMetricFamily(
        "croupier_camera_viewers", "Pictures that players watch.", labels=("table", "layer")
    )
    for labels, count in cameras.viewers().items():
        viewers.add_metric(labels, count)
    yield viewers
    counters = {
        "croupier_camera_pictures": ("Pictures that have begun.", measured.pictures),
        "croupier_camera_interruptions": ("Interruptions of a picture.", measured.interruptions),
        "croupier_camera_lost": ("Pictures that ended because a connection failed.", measured.lost),
        "croupier_recording_errors": ("Failed attempts to record.", recorder.errors),
        "croupier_stream_errors": ("Failed attempts to package a stream.", streams.errors),
    }
    recorded = {table: int(table in recorder.recording) for table in recorder.tables}
    yield by_label(GaugeMetricFamily, "croupier_recording", "1 while it is recorded.", "table", recorded)
    playable = {table: int(table in streams.playable) for table in streams.tables}
    yield by_label(
        GaugeMetricFamily, "croupier_stream", "1 while it can be played by HLS.", "table", playable
    )
    watched = streams.viewers()
    watching = {table: watched[table] for table in streams.tables}
    yield by_label(GaugeMetricFamily, "croupier_stream_viewers", "Viewers by HLS.", "table", watching)
    for name, (about, counts) in counters.items():
        yield by_label(CounterMetricFamily, name, about, "table", dict.fromkeys(cameras.tables, 0) | counts)
    yield histogram(
        "croupier_camera_first_picture_seconds", "Wait for the first picture.", measured.first_pictures
    )
