"""Anchors the journal: says now and then where it stands, signed, to places its keeper can't change."""
