"""Live rooms: rooms in memory, their scheduler, presence, draft sync and the bus between nodes.

`keeper`      applies commands to rooms, one after the other, and stores before it notifies
`live_room`   one room in memory; `stored_log`, `appending`: its way from and to the store
`catch_up`    follows what other nodes have stored
`update`      a change on its way to listeners
`scheduler`   turns due timers into commands
`presence`    heartbeats and leases: who is connected
`draft_sync`  keeps the tabs of a seat in sync
`bus`         wakes other nodes; `redis_bus` does so through Redis
`ports`       what live rooms need from `jobs`, which sits above them
"""
