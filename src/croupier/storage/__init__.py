"""Repositories beside the ledger, in its database: one subpackage per store.

They stand above the packages that declare their protocols, so nothing below depends on SQL.
"""
