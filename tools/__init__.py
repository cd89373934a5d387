"""What builds, checks and shows the house. Run from the root: `python -m tools.NAME`."""
