"""The ledger: a journal, the balances and rounds derived from it, and their audit."""
