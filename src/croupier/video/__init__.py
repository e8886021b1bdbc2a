"""The dealers' cameras: the port of a media server, its adapter for Janus, and the rights to use it."""
