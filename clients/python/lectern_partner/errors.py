"""Errors of the client."""

from __future__ import annotations


class LecternError(Exception):
    """A failed call. The message is for people; programs use ``code`` and ``status``.

    Codes of the server: ``room_not_found``, ``rate_limited``, ..., or ``http_<status>`` for an answer without a code.
    Codes of the client: ``network_error``, ``timeout``, ``bad_answer``, ``archive_unavailable``, ``redirected``,
    ``invalid_argument``.
    """

    def __init__(
        self,
        code: str,
        message: str,
        *,
        status: int | None = None,
        retryable: bool = False,
        retry_after: float | None = None,
        request_id: str | None = None,
    ) -> None:
        super().__init__(message)
        self.code = code
        self.status = status
        """The HTTP status, or None without an answer."""
        self.retryable = retryable
        """Whether the same call may succeed later. The client has already retried."""
        self.retry_after = retry_after
        """The delay in seconds that the server requested, or None."""
        self.request_id = request_id
        """Finds the request in the log of the server, or None without an answer."""


def invalid_argument(message: str) -> LecternError:
    """An argument that the server would refuse; reported without a request."""
    return LecternError("invalid_argument", message)
