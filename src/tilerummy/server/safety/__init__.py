"""What stands between the open net and the rooms: whom to believe, what to accept, what to tell
browsers. The middlewares are plain ASGI.
"""

from tilerummy.server.safety.addresses import UNKNOWN, Proxies, client_address, visitor
from tilerummy.server.safety.bodies import BodyLimit
from tilerummy.server.safety.cookies import clear_cookie, cookie_name, read_cookie, set_cookie
from tilerummy.server.safety.headers import SafeHeaders
from tilerummy.server.safety.origins import OriginCheck, Origins, origin_of
from tilerummy.server.safety.tokens import bearer, new_token, same_token, token_hash

__all__ = [
    "UNKNOWN",
    "BodyLimit",
    "OriginCheck",
    "Origins",
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
