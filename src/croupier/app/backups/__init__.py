"""Backups of a data folder: making one while the server runs, and restoring it."""
