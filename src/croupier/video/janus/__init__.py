"""The adapter of the media port for Janus, with its VideoRoom plugin."""
