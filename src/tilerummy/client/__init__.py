"""The Python client of a server, and the load generator."""
