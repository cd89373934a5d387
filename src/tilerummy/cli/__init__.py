"""The `tilerummy` command: parse, call, print."""
