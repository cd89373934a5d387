"""Rude clients: floods, slow readers, half-open connections and costly requests, while honest
players measure the latency of their own commands.

    make rude MINUTES=5                         # or: python -m tests.server.rude --minutes 5
    python -m tests.server.rude --only pings    # one attack

`attacks` lists them. `arena` is what an attack gets: an address of its own, and a count of what it
sent. Everything stays on the loopback interface.
"""
