"""Benchmarks: each module prints a ratio against a peer, and a count that never varies."""
