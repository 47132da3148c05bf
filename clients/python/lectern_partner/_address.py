"""Builds the URLs of the server, and decides which of them may receive the token."""

from __future__ import annotations

import re
from typing import Any, Mapping
from urllib.parse import quote, urlencode, urljoin, urlsplit

from .errors import invalid_argument

_PORTS = {"http": 80, "https": 443}


class Address:
    def __init__(self, base_url: str) -> None:
        try:
            parts = urlsplit(base_url)
            _origin(base_url)
        except (ValueError, AttributeError, TypeError):
            raise invalid_argument("base_url is not an http(s) URL.") from None
        if parts.username or parts.password or parts.query or parts.fragment:
            raise invalid_argument("base_url must not contain credentials, a query or a fragment.")
        self._base = base_url.rstrip("/")

    def of(self, path: str) -> str:
        """The URL of ``/api/...`` below the base URL."""
        return self._base + path

    def room(self, external_id: str, part: str = "") -> str:
        if not isinstance(external_id, str) or not 1 <= len(external_id) <= 255:
            raise invalid_argument("external_id must be a string of 1 to 255 characters.")
        suffix = f"/{part}" if part else ""
        return self.of(f"/api/v1/integration/rooms/{_segment(external_id, 'external_id')}{suffix}")

    def webhook(self, *parts: str) -> str:
        """The webhook, or what belongs to it."""
        below = "".join(f"/{_segment(part, 'delivery id')}" for part in parts)
        return self.of(f"/api/v1/integration/webhook{below}")

    def v2(self, parts: list[str]) -> str:
        """A resource of version 2."""
        return self.of("/api/v2/integration/" + "/".join(_segment(part, "id") for part in parts))

    def blob(self, url_or_id: str) -> str:
        """A blob by its id, or by an absolute or relative URL of a record."""
        if not url_or_id:
            raise invalid_argument("The blob id or URL is empty: there is no such file.")
        if re.search(r"[\x00-\x20\x7f\\]", url_or_id) and "/" in url_or_id:
            raise invalid_argument("The blob URL contains characters that URLs do not have.")
        if "/" not in url_or_id:
            return self.of(f"/api/storage/blobs/{_segment(url_or_id, 'blob id')}")
        if re.match(r"/(?!/)", url_or_id):
            return self.of(url_or_id)
        try:
            url = urljoin(self._base + "/", url_or_id)
            _origin(url)
        except ValueError:
            raise invalid_argument("The blob URL is not an http(s) URL.") from None
        return url

    def is_same_origin(self, url: str) -> bool:
        """Whether the URL may receive the token. Another scheme or port is another origin."""
        return _origin(url) == _origin(self._base)


def _origin(url: str) -> tuple[str, str, int]:
    parts = urlsplit(url)
    if parts.scheme not in _PORTS or not parts.hostname:
        raise ValueError("not an http(s) URL")
    return parts.scheme, parts.hostname, parts.port or _PORTS[parts.scheme]


def with_query(url: str, query: Mapping[str, Any]) -> str:
    """Leaves out what is None."""
    given = {name: value for name, value in query.items() if value is not None}
    try:
        return f"{url}?{urlencode(given)}" if given else url
    except UnicodeEncodeError:
        raise invalid_argument("A filter contains characters that are not well-formed Unicode text.") from None


def _segment(value: str, name: str) -> str:
    if not isinstance(value, str) or value in ("", ".", ".."):
        raise invalid_argument(f'"{value}" cannot be used as {name}.')
    try:
        if "\0" in value:
            raise ValueError
        return quote(value.encode("utf-8"), safe="")
    except ValueError:  # surrogates are no text either
        raise invalid_argument(f"The {name} contains characters that are not well-formed Unicode text.") from None
