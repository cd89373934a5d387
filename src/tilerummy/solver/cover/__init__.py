"""Exact cover: all tiles of the table and any of the rack in sets. Kernels in C and Python."""
