"""Managers' reports: results by table and day, liabilities, and their files."""
