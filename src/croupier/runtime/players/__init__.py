"""Players of the running server: sessions, balances, limits, settings and the cashier."""
