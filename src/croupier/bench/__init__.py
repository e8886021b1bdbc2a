"""How much a live table carries on this machine: `croupier bench live`.

A crowd of players in a process of its own plays at a real house in another; beside it stand other
servers that do the like. Linux only: figures are taken from /proc, and the crowd waits with epoll.
"""
