"""HTTP security: origins, tokens, cookies, body limits and security headers, as ASGI middleware."""

from tilerummy.server.edge.safety.bodies import BodyLimit
from tilerummy.server.edge.safety.cookies import clear_cookie, cookie_name, read_cookie, set_cookie
from tilerummy.server.edge.safety.headers import SafeHeaders
from tilerummy.server.edge.safety.origins import OriginCheck, Origins, origin_of
from tilerummy.server.edge.safety.paths import PathCheck
from tilerummy.server.edge.safety.tokens import bearer, new_token, same_token, token_hash
from tilerummy.server.limits.addresses import UNKNOWN, Proxies, client_address, visitor

__all__ = [
    "UNKNOWN",
    "BodyLimit",
    "OriginCheck",
    "Origins",
    "PathCheck",
    "Proxies",
    "SafeHeaders",
    "bearer",
    "clear_cookie",
    "client_address",
    "cookie_name",
    "new_token",
    "origin_of",
    "read_cookie",
    "same_token",
    "set_cookie",
    "token_hash",
    "visitor",
]
