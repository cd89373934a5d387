"""Live rooms: rooms in memory, their scheduler, presence, draft sync and the bus between nodes."""
