"""Several nodes on one database: the messages between them, and who runs which live table."""
