"""What the house's own sources are made with; no part of the wheel."""
