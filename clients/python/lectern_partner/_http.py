"""One HTTP exchange: no redirects, errors as LecternError."""

from __future__ import annotations

import http.client
import json
import time
import urllib.error
import urllib.request
from email.utils import parsedate_to_datetime
from typing import Any, Mapping
from urllib.parse import urlsplit

from .errors import LecternError

ERROR_BYTES_MAX = 65_536


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """A redirect would send credentials to another URL."""

    def redirect_request(self, *_: Any) -> None:
        return None


_opener = urllib.request.build_opener(_NoRedirects)


def open_response(
    url: str, *, method: str = "GET", body: Any = None, headers: Mapping[str, str] = {}, timeout: float
) -> http.client.HTTPResponse:
    """Sends a request and returns the answer with an unread body. ``timeout`` limits each wait for the server. Bytes are
    sent as they are, and any other body as JSON."""
    data = body if body is None or isinstance(body, bytes) else json.dumps(body).encode()
    content_type = "application/octet-stream" if isinstance(body, bytes) else "application/json"
    sent = {"Accept": "application/json", **({"Content-Type": content_type} if data else {}), **headers}
    request = urllib.request.Request(url, data=data, headers=sent, method=method)
    try:
        return _opener.open(request, timeout=timeout)
    except urllib.error.HTTPError as error:
        with error:
            raise _refusal(error) from None
    except (OSError, http.client.HTTPException) as error:
        raise failure(url, error) from error


def read_all(response: http.client.HTTPResponse, url: str) -> bytes:
    """Reads all of an answer."""
    with response:
        try:
            return response.read()
        except (OSError, http.client.HTTPException) as error:
            raise failure(url, error) from error


def json_object(response: http.client.HTTPResponse, url: str) -> dict[str, Any]:
    """Reads the JSON object of an answer."""
    content = parse_object(read_all(response, url))
    if content is None:
        raise LecternError("bad_answer", "The answer of the server is not a JSON object.", status=response.status)
    return content


def failure(url: str, error: Exception) -> LecternError:
    """The error of a connection that failed or took too long."""
    host = urlsplit(url).netloc
    reason = getattr(error, "reason", error)
    if isinstance(reason, TimeoutError):
        return LecternError("timeout", f"{host} did not answer in time.", retryable=True)
    return LecternError("network_error", f"The connection to {host} failed.", retryable=True)


def parse_object(text: bytes) -> dict[str, Any] | None:
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def _refusal(error: urllib.error.HTTPError) -> LecternError:
    status = error.code
    if 300 <= status < 400:
        return LecternError("redirected", "The server answered with a redirect; check base_url.", status=status)
    try:
        content = parse_object(error.read(ERROR_BYTES_MAX)) or {}
    except (OSError, http.client.HTTPException):
        content = {}
    code, message = content.get("code"), content.get("message")
    return LecternError(
        code if isinstance(code, str) else f"http_{status}",
        message if isinstance(message, str) else f"The server answered with status {status}.",
        status=status,
        retryable=status == 429 or status >= 500,
        retry_after=_retry_after(error.headers.get("Retry-After")),
        request_id=error.headers.get("X-Request-Id"),
    )


def _retry_after(value: str | None) -> float | None:
    """Retry-After in seconds or as a date (RFC 9110, 10.2.3)."""
    if value is None:
        return None
    if value.isascii() and value.isdigit():
        return float(value)
    try:
        return max(0.0, parsedate_to_datetime(value).timestamp() - time.time())
    except (TypeError, ValueError):
        return None
