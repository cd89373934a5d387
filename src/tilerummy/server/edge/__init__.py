"""The edge: HTTP, WebSockets, the site, and what protects them."""
