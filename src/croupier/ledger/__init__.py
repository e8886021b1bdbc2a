"""The books of the house: a journal, the balances and rounds that follow from it, and their audit."""
