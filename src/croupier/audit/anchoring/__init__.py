"""Anchoring: publish the journal's signed state regularly in places that its operator can't change."""
