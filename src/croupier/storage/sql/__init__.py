"""Repositories in the database of an SQL ledger.

Each module has functions that do one small piece of work on the writer's connection, and a class that hands
them to the writer. The writer process imports these modules while commits wait, so they import little.
"""
