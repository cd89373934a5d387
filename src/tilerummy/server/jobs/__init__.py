"""Background jobs: process pools for bots, proofs and hints; records; erasure."""
