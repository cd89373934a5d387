"""The table in the terminal: people on one keyboard, and bots."""
