"""Version 2 of the partner API."""

from __future__ import annotations

import uuid
from typing import TYPE_CHECKING, Any, Callable, Iterator, Mapping

from . import types_v2 as types
from ._address import with_query
from ._http import read_all

if TYPE_CHECKING:
    from .client import PartnerClient


class EventPages:
    """The events after a position, oldest first, page by page.

    ``last`` is the position to begin with the next time: all events up to it have been iterated.
    """

    def __init__(self, after: int, read: Callable[[int], types.EventPage]) -> None:
        self.last = after
        self._read = read

    def __iter__(self) -> Iterator[types.HostedEvent]:
        while True:
            page = self._read(self.last)
            yield from page["events"]
            self.last = page["last"]
            if page["next"] is None:
                return


class PartnerV2:
    """People, live control, endpoints, events and recordings: ``client.v2``. Responses are objects with ``result``.

    Lists are ascending: pass ``next`` of a page as ``after``. ``idempotency_key`` lets you repeat an action within 24 h: it gets
    the first answer. By default each call has a new one, which its retries share.
    """

    def __init__(self, client: PartnerClient) -> None:
        self._client = client

    # --- Rooms

    def put_room(self, room: str, settings: types.HostedRoomRequest = {}) -> types.CreatedRoom:
        """Creates the room, or gives an existing one the settings of the request."""
        return self._send("PUT", ["rooms", room], settings)

    def get_room(self, room: str) -> types.HostedRoom:
        return self._get(["rooms", room])

    def list_rooms(
        self,
        *,
        search: str | None = None,
        status: types.RoomStatus | None = None,
        order: types.Order | None = None,
        after: int | None = None,
        limit: int | None = None,
    ) -> types.RoomPage:
        return self._get(["rooms"], search=search, status=status, order=order, after=after, limit=limit)

    def update_room(self, room: str, changes: types.HostedRoomRequest) -> types.HostedRoom:
        """Omitted fields stay unchanged."""
        return self._send("PATCH", ["rooms", room], changes)

    def delete_room(self, room: str) -> types.Done:
        """Ends its session, revokes its links, and deletes recordings and chat; the event ``room.deleted`` follows."""
        return self._send("DELETE", ["rooms", room])

    def put_slides(self, room: str, document: bytes, *, name: str | None = None) -> types.SlidesResponse:
        """Puts a PDF or an image on the board of the room. ``name`` is for people."""
        url = with_query(self._url(["rooms", room, "slides"]), dict(name=name))
        return self._client._json(url, method="PUT", body=bytes(document))

    def get_slides(self, room: str) -> types.SlidesStateResponse:
        """``slides`` is None if none were put."""
        return self._get(["rooms", room, "slides"])

    # --- People

    def put_person(self, room: str, person: str, settings: types.RoomPersonRequest = {}) -> types.RoomPerson:
        """Adds the person, or changes what the request has."""
        return self._send("PUT", ["rooms", room, "people", person], settings)

    def get_person(self, room: str, person: str) -> types.RoomPerson:
        return self._get(["rooms", room, "people", person])

    def list_people(self, room: str, *, after: int | None = None, limit: int | None = None) -> types.PeoplePage:
        return self._get(["rooms", room, "people"], after=after, limit=limit)

    def delete_person(self, room: str, person: str) -> types.Done:
        return self._send("DELETE", ["rooms", room, "people", person])

    def rotate_person_link(self, room: str, person: str, *, idempotency_key: str | None = None) -> types.RoomPerson:
        """Replaces the personal link."""
        return self._post(["rooms", room, "people", person, "rotate"], None, idempotency_key)

    # --- Live sessions

    def list_participants(self, room: str) -> types.Participants:
        return self._get(["rooms", room, "participants"])

    def mute_participant(
        self, room: str, participant: str, what: types.MuteRequest = {}, *, idempotency_key: str | None = None
    ) -> types.Done:
        """``what`` may have the ``source``: audio (default), video or screen."""
        return self._post(["rooms", room, "participants", participant, "mute"], what, idempotency_key)

    def remove_participant(self, room: str, participant: str, *, idempotency_key: str | None = None) -> types.Done:
        return self._post(["rooms", room, "participants", participant, "remove"], None, idempotency_key)

    def start_recording(self, room: str, *, idempotency_key: str | None = None) -> types.Done:
        return self._post(["rooms", room, "recording", "start"], None, idempotency_key)

    def stop_recording(self, room: str, *, idempotency_key: str | None = None) -> types.Done:
        return self._post(["rooms", room, "recording", "stop"], None, idempotency_key)

    def send_message(
        self, room: str, message: types.PlatformMessage, *, idempotency_key: str | None = None
    ) -> types.SentMessage:
        """``message`` has the ``text``, and may have a ``display_name`` of the sender."""
        return self._post(["rooms", room, "messages"], message, idempotency_key)

    def end_session(self, room: str, *, idempotency_key: str | None = None) -> types.Done:
        return self._post(["rooms", room, "end"], None, idempotency_key)

    # --- Events and endpoints

    def list_events(
        self,
        *,
        type: str | None = None,
        room: str | None = None,
        order: types.Order | None = None,
        after: int | None = None,
        limit: int | None = None,
    ) -> types.EventPage:
        """A page of the events of the last 30 days."""
        return self._get(["events"], type=type, room=room, order=order, after=after, limit=limit)

    def events(
        self, *, type: str | None = None, room: str | None = None, after: int = 0, limit: int | None = None
    ) -> EventPages:
        """All events after a position, of as many pages as there are."""
        return EventPages(
            after, lambda position: self.list_events(type=type, room=room, after=position, limit=limit)
        )

    def add_endpoint(self, endpoint: types.EndpointRequest, *, idempotency_key: str | None = None) -> types.NewEndpoint:
        return self._post(["endpoints"], endpoint, idempotency_key)

    def list_endpoints(self) -> types.Endpoints:
        return self._get(["endpoints"])

    def get_endpoint(self, endpoint: str) -> types.Endpoint:
        return self._get(["endpoints", endpoint])

    def update_endpoint(self, endpoint: str, changes: types.EndpointChange) -> types.Endpoint:
        return self._send("PATCH", ["endpoints", endpoint], changes)

    def delete_endpoint(self, endpoint: str) -> types.Done:
        return self._send("DELETE", ["endpoints", endpoint])

    def test_endpoint(self, endpoint: str, *, idempotency_key: str | None = None) -> types.EndpointDelivery:
        """Sends an event of the type ``webhook.test``, which is in no list."""
        return self._post(["endpoints", endpoint, "test"], None, idempotency_key)

    def rotate_endpoint_secret(
        self, endpoint: str, rotation: types.EndpointRotation = {}, *, idempotency_key: str | None = None
    ) -> types.NewEndpoint:
        """``rotation`` may have a ``secret`` and ``overlap_seconds``."""
        return self._post(["endpoints", endpoint, "rotate"], rotation, idempotency_key)

    def list_endpoint_deliveries(
        self,
        endpoint: str,
        *,
        status: str | None = None,
        order: types.Order | None = None,
        after: int | None = None,
        limit: int | None = None,
    ) -> types.DeliveryPage:
        path = ["endpoints", endpoint, "deliveries"]
        return self._get(path, status=status, order=order, after=after, limit=limit)

    def get_endpoint_delivery(self, endpoint: str, delivery: str) -> types.EndpointDeliveryDetails:
        return self._get(["endpoints", endpoint, "deliveries", delivery])

    def replay_endpoint_delivery(
        self, endpoint: str, delivery: str, *, idempotency_key: str | None = None
    ) -> types.EndpointDelivery:
        return self._post(["endpoints", endpoint, "deliveries", delivery, "replay"], None, idempotency_key)

    def replay_failed_deliveries(
        self, endpoint: str, replay: types.Replay, *, idempotency_key: str | None = None
    ) -> types.Replayed:
        """Sends again all that failed since the time ``since``."""
        return self._post(["endpoints", endpoint, "replay"], replay, idempotency_key)

    # --- Recordings and transcripts

    def list_recordings(
        self, *, room: str | None = None, after: int | None = None, limit: int | None = None
    ) -> types.RecordingPage:
        return self._get(["recordings"], room=room, after=after, limit=limit)

    def get_recording(self, recording: str) -> types.StoredRecording:
        return self._get(["recordings", recording])

    def delete_recording(self, recording: str) -> types.Done:
        return self._send("DELETE", ["recordings", recording])

    def create_recording_link(
        self, recording: str, link: types.RecordingLinkRequest, *, idempotency_key: str | None = None
    ) -> types.RecordingLink:
        """A link to the file ``path`` for people without a token, for ``expires_in`` seconds."""
        return self._post(["recordings", recording, "links"], link, idempotency_key)

    def revoke_recording_link(self, recording: str, link: str) -> types.Done:
        return self._send("DELETE", ["recordings", recording, "links", link])

    def list_transcripts(
        self, *, room: str, after: int | None = None, limit: int | None = None
    ) -> types.TranscriptPage:
        return self._get(["transcripts"], room=room, after=after, limit=limit)

    def get_transcript(self, transcript: str) -> types.WholeTranscript:
        return self._get(["transcripts", transcript])

    def get_transcript_as_web_vtt(self, transcript: str) -> str:
        return self._text(["transcripts", transcript, "vtt"])

    def get_transcript_as_text(self, transcript: str) -> str:
        return self._text(["transcripts", transcript, "txt"])

    def get_usage(self, month: str) -> types.Usage:
        """Of a month such as ``2030-09``."""
        return self._get(["usage"], month=month)

    def _url(self, parts: list[str]) -> str:
        return self._client._address.v2(parts)

    def _get(self, parts: list[str], **query: Any) -> Any:
        return self._client._json(with_query(self._url(parts), query))

    def _send(self, method: str, parts: list[str], body: Mapping[str, Any] | None = None) -> Any:
        return self._client._json(self._url(parts), method=method, body=None if body is None else dict(body))

    def _post(self, parts: list[str], body: Mapping[str, Any] | None, key: str | None) -> Any:
        headers = {"Idempotency-Key": key or str(uuid.uuid4())}
        return self._client._json(
            self._url(parts), method="POST", body=None if body is None else dict(body), headers=headers
        )

    def _text(self, parts: list[str]) -> str:
        url = self._url(parts)
        return self._client._perform(
            url, lambda response: read_all(response, url).decode("utf-8"), headers={"Accept": "text/*"}
        )
