"""Advice to players at their own tables, and their training records."""
