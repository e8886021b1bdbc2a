"""The ledger in a PostgreSQL database, which several servers may write."""
