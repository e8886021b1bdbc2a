"""The dealers' pictures by HLS: ffmpeg packages what the media server forwards."""
