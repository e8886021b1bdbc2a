"""The roles of a node: a gateway holds sockets and pages, an owner runs live tables."""

import secrets
from typing import Literal, get_args

NodeRole = Literal["gateway", "tables"]
BOTH_ROLES = frozenset[NodeRole](get_args(NodeRole))


def node_id() -> str:
    """Return an id for this process that no other has, and that may be part of a subject."""
    return secrets.token_hex(6)
