"""The client of the partner API (docs/partner-api.md)."""

from __future__ import annotations

import http.client
import re
import threading
import time
from typing import Any, Callable, Mapping, Sequence, TypeVar

from . import types
from ._address import Address, with_query
from ._http import json_object, open_response
from ._v2 import PartnerV2
from .errors import LecternError, invalid_argument

RETRY_DELAYS = (1.0, 3.0, 10.0)
"""The default delays between attempts, in seconds."""

_RETRY_AFTER_MAX = 60.0
"""Longer delays that a server requests are left to the caller."""

_RENEW_BEFORE = 60.0
"""A token is renewed this many seconds before it expires, or after 90 % of its lifetime if that is later."""

T = TypeVar("T")


class PartnerClient:
    """Rooms, webhooks and recordings of one service account.

    All methods are idempotent, retry temporary failures, and raise LecternError. One client serves all threads: create
    one and reuse it. It signs in by itself, and renews its token before it expires.
    """

    def __init__(
        self,
        base_url: str,
        service_account: str,
        client_secret: str,
        *,
        retry_delays: Sequence[float] = RETRY_DELAYS,
        timeout: float = 15.0,
    ) -> None:
        if not service_account or not client_secret:
            raise invalid_argument("service_account and client_secret are required.")
        self._address = Address(base_url)
        self._credentials = {"service_account": service_account, "client_secret": client_secret}
        self._retry_delays = tuple(retry_delays)
        self._timeout = timeout
        self._lock = threading.Lock()
        self._token: str | None = None
        self._renew_at = 0.0
        self.v2 = PartnerV2(self)
        """Version 2 of the API, on the same rooms."""

    def server_info(self) -> types.ServerInfoResponse:
        return self._json(self._address.of("/api/v1/integration/server_info"))

    def create_room(self, external_id: str, room: types.RoomRequest = {}) -> types.RoomPutResponse:
        """Creates the room, or returns the existing one unchanged; ``update_room`` changes it.

        ``created`` of the answer says which; ``differing_fields`` are those of ``room`` that differ from an existing one.
        """
        return self._json(self._address.room(external_id), method="PUT", body=dict(room))

    def list_rooms(
        self,
        *,
        status: str | None = None,
        teacher: str | None = None,
        student: str | None = None,
        search: str | None = None,
        limit: int | None = None,
        before: str | None = None,
    ) -> types.RoomListResponse:
        """A page of your rooms, newest first: ``rooms``, and ``next`` to pass as ``before``, or None at the end.

        ``teacher`` and ``student`` are your ids of the people; ``search`` is part of the title, the id or the tag.
        """
        query = dict(status=status, teacher=teacher, student=student, search=search, limit=limit, before=before)
        return self._json(with_query(self._address.of("/api/v1/integration/rooms"), query))

    def get_room(self, external_id: str) -> types.RoomResponse:
        return self._json(self._address.room(external_id))

    def update_room(self, external_id: str, changes: types.RoomRequest) -> types.RoomResponse:
        """Omitted fields stay unchanged. Use the links of the answer: one may have been rotated (rule HOSTED-4)."""
        return self._json(self._address.room(external_id), method="PATCH", body=dict(changes))

    def cancel_room(self, external_id: str) -> types.RoomResponse:
        return self._json(self._address.room(external_id, "cancel"), method="POST")

    def close_room(self, external_id: str) -> types.RoomResponse:
        """Also ends a live session."""
        return self._json(self._address.room(external_id, "close"), method="POST")

    def room_status(self, external_id: str) -> types.RoomStatusResponse:
        return self._json(self._address.room(external_id, "status"))

    def put_slides(self, external_id: str, document: bytes, *, name: str | None = None) -> types.SlidesResponse:
        """Puts a PDF or an image on the board of the room, before the lesson or during it. ``name`` is for people."""
        url = with_query(self._address.room(external_id, "slides"), dict(name=name))
        return self._json(url, method="PUT", body=bytes(document))

    def get_slides(self, external_id: str) -> types.SlidesStateResponse:
        """``slides`` is None if none were put."""
        return self._json(self._address.room(external_id, "slides"))

    def set_webhook(self, webhook: types.WebhookRequest) -> types.WebhookResponse:
        """Requires ``url`` and ``secret`` the first time; later, omitted fields stay unchanged."""
        return self._json(self._address.webhook(), method="PUT", body=dict(webhook))

    def get_webhook(self) -> types.WebhookResponse:
        return self._json(self._address.webhook())

    def delete_webhook(self) -> types.WebhookResponse:
        """Removes the webhook and cancels its pending deliveries."""
        return self._json(self._address.webhook(), method="DELETE")

    def test_webhook(self) -> types.DeliveryResponse:
        """Sends an event of the type ``webhook.test``; returns the delivery."""
        return self._json(self._address.webhook("test"), method="POST")

    def rotate_webhook_secret(self, rotation: types.SecretRotation) -> types.WebhookResponse:
        """Replaces the ``secret``; deliveries have signatures of both for ``overlap_seconds`` (rule SECRET-1)."""
        return self._json(self._address.webhook("rotate"), method="POST", body=dict(rotation))

    def finish_webhook_rotation(self) -> types.WebhookResponse:
        """Ends the overlap: the previous secret is not used any more."""
        return self._json(self._address.webhook("rotate", "finish"), method="POST")

    def list_deliveries(
        self, *, status: str | None = None, limit: int | None = None, before: str | None = None
    ) -> types.DeliveryListResponse:
        """A page of what was sent to the webhook, newest first: ``deliveries`` and ``next``."""
        query = dict(status=status, limit=limit, before=before)
        return self._json(with_query(self._address.webhook("deliveries"), query))

    def get_delivery(self, delivery_id: str) -> types.DeliveryDetailsResponse:
        """A delivery with its attempts, the answers to them, and the event itself."""
        return self._json(self._address.webhook("deliveries", delivery_id))

    def replay_delivery(self, delivery_id: str) -> types.DeliveryResponse:
        """Sends it again with the same id and content."""
        return self._json(self._address.webhook("deliveries", delivery_id, "replay"), method="POST")

    def list_recordings(self) -> list[types.RecordingRecord]:
        """The archive, newest first, at most 500 records. Needs the capability ``recordings.access`` (rule ARCHIVE-1)."""
        return self._json(self._address.of("/api/v1.0/recordings"), check=_ensure_indexed)["recordings"]

    def download_blob(self, url_or_id: str, *, range: str | None = None) -> http.client.HTTPResponse:
        """Downloads a stored file; returns an answer with an unread body, which the caller closes.

        Accepts a ``blob_id`` or a ``url`` of a record; URLs of another origin are fetched without the token.
        ``range`` is one range as in HTTP, such as ``bytes=1024-``.
        """
        headers = {"Accept": "*/*"}
        if range is not None:
            if not re.fullmatch(r"bytes=[0-9]*-[0-9]*", range):
                raise invalid_argument("The range is not like bytes=0-1023.")
            headers["Range"] = range
        return self._perform(self._address.blob(url_or_id), lambda response: response, headers=headers)

    def forget_token(self) -> None:
        """Discards the token: the next call gets one with the scopes of now (rule TOKEN-3)."""
        with self._lock:
            self._token = None

    def _json(self, url: str, *, check: Callable[[dict[str, Any]], None] = lambda _: None, **request: Any) -> Any:
        def read(response: http.client.HTTPResponse) -> dict[str, Any]:
            content = json_object(response, url)
            check(content)
            return content

        return self._perform(url, read, **request)

    def _perform(
        self,
        url: str,
        read: Callable[[http.client.HTTPResponse], T],
        *,
        headers: Mapping[str, str] = {},
        **request: Any,
    ) -> T:
        renewed = False

        def attempt() -> T:
            nonlocal renewed
            if not self._address.is_same_origin(url):
                return read(open_response(url, headers=headers, timeout=self._timeout, **request))
            token = self._current_token()
            sent = {**headers, "Authorization": f"Bearer {token}"}
            try:
                return read(open_response(url, headers=sent, timeout=self._timeout, **request))
            except LecternError as error:
                if renewed or error.status != 401:
                    raise
            renewed = True
            self._discard(token)
            return attempt()

        return self._retry(attempt)

    def _retry(self, attempt: Callable[[], T]) -> T:
        for delay in self._retry_delays:
            try:
                return attempt()
            except LecternError as error:
                requested = error.retry_after or 0
                if not error.retryable or requested > _RETRY_AFTER_MAX:
                    raise
            time.sleep(max(delay, requested))
        return attempt()

    def _current_token(self) -> str:
        """Threads share one token and one request for it."""
        with self._lock:
            if self._token is not None and time.monotonic() < self._renew_at:
                return self._token
            requested_at = time.monotonic()
            url = self._address.of("/api/v1/integration/auth/token")
            response = open_response(url, method="POST", body=self._credentials, timeout=self._timeout)
            content = json_object(response, url)
            token, seconds = content.get("access_token"), content.get("expires_in")
            is_token = isinstance(token, str) and re.fullmatch(r"[\x21-\x7e]+", token)
            if not isinstance(token, str) or not is_token or not isinstance(seconds, (int, float)) or seconds <= 0:
                raise LecternError("bad_answer", "The server issued an invalid token.", status=200)
            self._token = token
            self._renew_at = requested_at + seconds - min(_RENEW_BEFORE, seconds / 10)
            return token

    def _discard(self, token: str) -> None:
        """Discards only this token: another thread may have renewed it meanwhile."""
        with self._lock:
            if self._token == token:
                self._token = None


def _ensure_indexed(content: dict[str, Any]) -> None:
    """The archive may fail with HTTP 200 and ``ok: false`` (rule ARCHIVE-3)."""
    if content.get("ok") is True:
        return
    message = content.get("error") or "The archive cannot be read right now."
    raise LecternError("archive_unavailable", str(message), status=200, retryable=True)
