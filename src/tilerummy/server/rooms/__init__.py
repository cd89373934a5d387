"""A room as a pure state machine, event-sourced: commands in, events out, state as a fold.

Nothing here knows a socket, a store or a clock; `now` and secrets come in as values.

`settings`, `seats`, `room`   the state
`commands` → `decide`         judges a command on the state; the result is events
`events` → `fold`             folds events into the state
`timers`                      which timers a state needs
`snapshot`                    a room serialised as a whole
"""
