"""The ledger in an SQL database: what SQLite and PostgreSQL share.

Statements are written once, in the SQL that both understand; `dialect` has the little in which they differ.
"""
