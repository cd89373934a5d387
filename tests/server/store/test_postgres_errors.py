"""Which errors of PostgreSQL, its driver and SQLAlchemy pass by themselves, and which do not."""

from __future__ import annotations

import asyncio
import ssl

import asyncpg
import pytest
from sqlalchemy import exc
from sqlalchemy.dialects.postgresql.asyncpg import (
    AsyncAdapt_asyncpg_connection,
    PGDialect_asyncpg,
)

from tilerummy.server.store import StoreError, Unavailable
from tilerummy.server.store.postgres_errors import translated

DRIVER_PASSING = [
    asyncpg.ConnectionDoesNotExistError("connection was closed in the middle of operation"),
    asyncpg.ConnectionFailureError("server closed the connection unexpectedly"),
    asyncpg.CannotConnectNowError("the database system is starting up"),
    asyncpg.AdminShutdownError("terminating connection due to administrator command"),
    asyncpg.CrashShutdownError("terminating connection because of a crash"),
    asyncpg.IdleSessionTimeoutError("terminating connection due to idle-session timeout"),
    asyncpg.QueryCanceledError("canceling statement due to statement timeout"),
    asyncpg.TooManyConnectionsError("sorry, too many clients already"),
    asyncpg.DiskFullError("could not extend file"),
    asyncpg.OutOfMemoryError("out of memory"),
    asyncpg.ReadOnlySQLTransactionError("cannot execute INSERT in a read-only transaction"),
    asyncpg.InvalidAuthorizationSpecificationError("no pg_hba.conf entry"),
    asyncpg.InvalidCatalogNameError("the database does not exist"),
    asyncpg.DeadlockDetectedError("deadlock detected"),
    asyncpg.SerializationError("could not serialize access"),
    asyncpg.LockNotAvailableError("canceling statement due to lock timeout"),
    asyncpg.PostgresIOError("could not read block"),
    asyncpg.InternalServerError("unexpected state"),
    asyncpg.PostgresError("an error without a state"),
    asyncpg.InvalidCachedStatementError("cached statement plan is invalid"),
    asyncpg.InterfaceError("connection is closed"),
    asyncpg.InterfaceError("cannot perform operation: another operation is in progress"),
    asyncpg.InternalClientError("got result for unknown protocol state 3"),
    asyncpg.ProtocolError("cannot switch to state 12"),
]
OTHER_PASSING = [
    TimeoutError(),
    ConnectionRefusedError(111, "refused"),
    ConnectionResetError(104, "reset by peer"),
    BrokenPipeError(32, "broken pipe"),
    OSError("Multiple exceptions"),
    ssl.SSLError(1, "closed"),
    asyncio.IncompleteReadError(b"", 1),
    exc.TimeoutError("QueuePool limit reached"),
    exc.DisconnectionError("the pool found it dead"),
    exc.InvalidatePoolError("all of the pool is dead"),
    exc.PendingRollbackError("Can't reconnect until invalid transaction is rolled back"),
    exc.ResourceClosedError("This Connection is closed"),
]
DRIVER_LASTING = [
    asyncpg.UndefinedColumnError("no such column"),
    asyncpg.PostgresSyntaxError("syntax error"),
    asyncpg.UniqueViolationError("duplicate key"),
    asyncpg.ForeignKeyViolationError("violates foreign key"),
    asyncpg.NumericValueOutOfRangeError("out of range"),
    asyncpg.InsufficientPrivilegeError("permission denied"),
    asyncpg.DataError("invalid input for query argument"),
]
OTHER_LASTING = [
    exc.ArgumentError("not a statement"),
    exc.InvalidRequestError("a transaction is already begun"),
    TypeError("not a string"),
    OverflowError("too large"),
    UnicodeEncodeError("utf-8", "\ud800", 0, 1, "surrogates not allowed"),
]


def wrapped(error: Exception) -> Exception:
    """The error as SQLAlchemy raises it, for a connection that does not look closed yet."""
    driver = PGDialect_asyncpg.import_dbapi()  # type: ignore[no-untyped-call]
    with pytest.raises(driver.Error) as found:
        AsyncAdapt_asyncpg_connection._handle_exception_no_connection(driver, error)
    sent = exc.DBAPIError.instance("SELECT 1", (), found.value, driver.Error)
    assert isinstance(sent, exc.DBAPIError)
    return sent


async def raised(error: Exception) -> type[StoreError]:
    with pytest.raises(StoreError) as caught:
        async with translated():
            raise error
    assert caught.value.__cause__ is error
    return type(caught.value)


@pytest.mark.anyio
@pytest.mark.parametrize("error", DRIVER_PASSING + OTHER_PASSING, ids=repr)
async def test_a_transient_error_can_be_tried_again(error: Exception) -> None:
    assert await raised(error) is Unavailable


@pytest.mark.anyio
@pytest.mark.parametrize("error", DRIVER_PASSING, ids=repr)
async def test_a_transient_error_is_recognised_through_sqlalchemy(error: Exception) -> None:
    assert await raised(wrapped(error)) is Unavailable


@pytest.mark.anyio
@pytest.mark.parametrize("error", DRIVER_LASTING + OTHER_LASTING, ids=repr)
async def test_an_error_of_a_statement_or_a_value_lasts(error: Exception) -> None:
    assert await raised(error) is StoreError


@pytest.mark.anyio
@pytest.mark.parametrize("error", DRIVER_LASTING, ids=repr)
async def test_an_error_of_a_statement_lasts_through_sqlalchemy(error: Exception) -> None:
    assert await raised(wrapped(error)) is StoreError
