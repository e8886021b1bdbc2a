"""Paths of the reference pages on the server."""

from collections.abc import Mapping

from croupier.protocol.refusals import Audience

PATHS: Mapping[Audience, str] = {"player": "/docs/protocol", "staff": "/docs/staff-protocol"}
