"""Classifies errors of PostgreSQL, asyncpg and SQLAlchemy: transient, or the statement's fault."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import asyncpg
from sqlalchemy.exc import (
    DBAPIError,
    DisconnectionError,
    PendingRollbackError,
    ResourceClosedError,
    SQLAlchemyError,
)
from sqlalchemy.exc import TimeoutError as PoolTimeout

from tilerummy.server.store.errors import StoreError, Unavailable

# SQLSTATE classes of transient errors, which are not the fault of the statement: connection,
# transaction state, authorization, catalogue name, rollback (deadlock), resources, lock, operator,
# system, internal.
PASSING = ("08", "25", "28", "3D", "40", "53", "55P03", "57", "58", "XX")
UNREACHED = (OSError, EOFError)
"""Errors of the network, TimeoutError among them; EOFError if a handshake is cut off."""
LOST = (DisconnectionError, PendingRollbackError, PoolTimeout, ResourceClosedError)
"""SQLAlchemy's errors about a connection that it does not get, or that was lost before."""
DRIVER = (asyncpg.PostgresError, asyncpg.InterfaceError, asyncpg.InternalClientError)


@asynccontextmanager
async def translated() -> AsyncIterator[None]:
    """Raises errors of the database as StoreError, or Unavailable if they are transient."""
    try:
        yield
    except TimeoutError as error:
        raise Unavailable("PostgreSQL does not answer") from error
    except UNREACHED as error:
        raise Unavailable(f"PostgreSQL cannot be reached: {error}") from error
    except (SQLAlchemyError, *DRIVER) as error:
        kind = Unavailable if is_passing(error) else StoreError
        raise kind(f"PostgreSQL: {getattr(error, 'orig', error)}") from error
    # The driver raises these for values that it cannot encode.
    except (TypeError, OverflowError, UnicodeError) as error:
        raise StoreError(f"PostgreSQL: {error}") from error


def is_passing(error: BaseException) -> bool:
    """Whether an error is transient: not the fault of the statement or its values."""
    match error:
        case DBAPIError():
            # SQLAlchemy's own verdict misses a connection that is lost but not yet closed.
            cause = None if error.orig is None else error.orig.__cause__
            return error.connection_invalidated or (cause is not None and is_passing(cause))
        case SQLAlchemyError():
            return isinstance(error, LOST)
        case asyncpg.InvalidCachedStatementError():  # another node has migrated the schema
            return True
        case asyncpg.PostgresError():
            return error.sqlstate is None or error.sqlstate.startswith(PASSING)
        case asyncpg.InterfaceError():
            return not isinstance(error, ValueError)  # those are about values
        case asyncpg.InternalClientError():  # the protocol was cut off in the middle
            return True
        case _:
            return isinstance(error, UNREACHED)
