"""Many people: rooms, seats, sockets, store, bus and clock.

Needs the extra `server`: `pip install 'tilerummy[server]'`.
"""
