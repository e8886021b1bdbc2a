"""Deposits and withdrawals by payment providers."""
