"""The reference payment provider: a small server that speaks the protocol and misbehaves on command."""
