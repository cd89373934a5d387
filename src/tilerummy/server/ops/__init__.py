"""Operations: settings, the node, the ASGI application and how it runs."""
