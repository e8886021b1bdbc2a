"""The load test of a live table: `croupier bench live`.

Simulated clients in one process play at a real server in another; other servers are measured for comparison.
Linux only: figures come from /proc, and the clients use epoll.
"""
