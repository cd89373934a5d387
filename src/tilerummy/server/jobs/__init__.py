"""Background jobs.

`process_pool`   runs CPU-bound work outside the event loop; `worker`: one process of it,
                 `fair_queue`: which room is next
`bot_pool`       bots and hints; `prover`: what a move waits for, such as whether a player can play
`advice`         hints for one connection, with rate limits and a queue
`records`        exports and verifies the records of matches
`erasure`        erases a guest
"""
