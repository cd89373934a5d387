"""The edge: HTTP and WebSocket endpoints, the static site and HTTP security."""
