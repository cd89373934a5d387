"""A room as a pure state machine: it knows no socket, no store and no time of its own."""
