"""The bodies of the partner API and of webhooks. Objects grow without a new version: ignore unknown fields."""

from __future__ import annotations

from typing import Any, Literal, TypedDict, Union


class FileRecord(TypedDict):
    """One stored file. Select files by ``path`` and ``content_type``, never by position."""

    path: str
    blob_id: str
    url: str
    """Absolute, or relative to the base URL; ``download_blob`` accepts both."""
    size: int
    """Bytes."""
    content_type: str
    sha256: str
    """Lowercase hexadecimal."""
    scope: str


class FinishedRecording(TypedDict):
    """The fields of a recording that the archive and events have. Ids and URLs are empty where there is no such file."""

    id: str
    job_id: str
    conference_tag: str
    conference_session_id: int
    """0 for old records without a reliable link."""
    profile: str
    """An open set, such as ``consolidated_native``."""
    status: str
    """An open set, such as ``completed`` or ``stopped``."""
    started_at_ms: int
    """Unix milliseconds."""
    ended_at_ms: int
    duration_ms: int
    report_blob_id: str
    report_url: str
    manifest_blob_id: str
    manifest_url: str
    files: list[FileRecord]


class RecordingRecord(FinishedRecording):
    output_dir: str
    report_jsonl_blob_id: str
    report_jsonl_url: str
    events_blob_id: str
    events_url: str
    created_at: int
    """Unix seconds."""
    updated_at: int
    artifact: dict[str, Any]


class PersonRequest(TypedDict, total=False):
    """Null or an omitted field means "none"; in an update an omitted field is unchanged."""

    display_name: str | None
    external_id: str | None
    """Your id of the person, 1 to 255 bytes: who a person is (rule PERSON-1)."""


class RoomRequest(TypedDict, total=False):
    title: str | None
    name: str | None
    """Another name for ``title``, which wins."""
    starts_at: str | None
    """ISO 8601 with a time zone."""
    ends_at: str | None
    description: str | None
    teacher: PersonRequest | None
    student: PersonRequest | None
    board: Literal["keep", "fresh", "off"] | None
    """Whether the board stays (the default), each session begins with an empty one, or there is none."""


class _Person(TypedDict):
    display_name: str


class Person(_Person, total=False):
    external_id: str


Order = Literal["asc", "desc"]
RoomStatus = Literal["scheduled", "active", "cancelled", "closed"]


class RoomResponse(TypedDict):
    result: Literal[200]
    room_id: int
    external_id: str
    tag: str
    """Equal to ``conference_tag`` in the archive."""
    title: str
    starts_at: str | None
    ends_at: str | None
    status: RoomStatus
    join_url: str
    """The plain room link."""
    description: str | None
    teacher_join_url: str
    """A signed link; gives the role teacher."""
    student_join_url: str
    """A signed link; gives the role student."""
    teacher: Person
    student: Person


class SlidesFailure(TypedDict):
    reason: str
    """Open set: damaged, encrypted, too_slow, …"""
    message: str


class SlidesPage(TypedDict):
    page_number: int
    width: int
    """Pixels."""
    height: int
    failure: SlidesFailure | None


class RoomSlides(TypedDict):
    file_id: str
    name: str
    content_type: str
    """By content, not by name."""
    size: int
    created_at_ms: int
    """Unix milliseconds."""
    state: Literal["stored", "converting", "ready", "failed"]
    failure: SlidesFailure | None
    page_count: int | None
    """None: not known yet."""
    pages: list[SlidesPage]
    """Those that are converted, in order."""


class SlidesResponse(TypedDict):
    result: Literal[200]
    slides: RoomSlides


class SlidesStateResponse(TypedDict):
    result: Literal[200]
    slides: RoomSlides | None


class RoomStatusResponse(RoomResponse):
    stored_status: str
    """``status`` as stored: never ``active``."""
    live: bool
    """Whether a session is open in the room."""


RoomField = Literal[
    "title",
    "description",
    "starts_at",
    "ends_at",
    "teacher.display_name",
    "teacher.external_id",
    "student.display_name",
    "student.external_id",
]


class RoomPutResponse(RoomResponse):
    created: bool
    """False: the room existed already, and is returned unchanged."""
    differing_fields: list[RoomField]
    """Fields of the request whose values differ from the existing room."""


class RoomListResponse(TypedDict):
    result: Literal[200]
    rooms: list[RoomStatusResponse]
    """Newest first."""
    next: str | None
    """``before`` of the next page; null on the last one."""


class ApiInfo(TypedDict):
    version: str
    base_path: str
    features: list[str]


class ServerInfo(TypedDict):
    name: str
    version: str


class ServerInfoResponse(TypedDict):
    result: Literal[200]
    api: ApiInfo
    server: ServerInfo


WebhookEventName = Literal["recording.ready", "transcription.ready"]


class WebhookRequest(TypedDict, total=False):
    url: str
    secret: str
    """16 to 256 characters."""
    events: list[WebhookEventName]
    enabled: bool


class _SecretRotation(TypedDict):
    secret: str
    """16 to 256 characters."""


class SecretRotation(_SecretRotation, total=False):
    overlap_seconds: int


class WebhookResponse(TypedDict):
    result: Literal[200]
    configured: bool
    url: str | None
    events: list[str]
    enabled: bool
    secret_configured: bool
    previous_secret_expires_at: int | None
    """Unix seconds; null while no secret is being replaced."""


DeliveryStatus = Literal["pending", "delivered", "failed", "cancelled"]


class DeliveryRecord(TypedDict):
    id: str
    """The ``id`` of the event."""
    event: str
    """The ``type`` of the event."""
    subject: str
    status: DeliveryStatus
    attempts: int
    """Finished attempts."""
    next_attempt_at_ms: int | None
    """Unix milliseconds; null: no attempt follows."""
    response_status: int | None
    """The result of the last attempt."""
    error: str | None
    created_at: int
    """Unix seconds."""
    updated_at: int


class DeliveryAttempt(TypedDict):
    started_at_ms: int
    """Unix milliseconds."""
    duration_ms: int | None
    """Null: the server stopped before the outcome was stored."""
    response_status: int | None
    error: str | None
    excerpt: str | None
    """The beginning of the response to a failed attempt."""


class DeliveryListResponse(TypedDict):
    result: Literal[200]
    deliveries: list[DeliveryRecord]
    """Newest first."""
    next: str | None


class DeliveryResponse(DeliveryRecord):
    result: Literal[200]


class DeliveryDetailsResponse(DeliveryResponse):
    history: list[DeliveryAttempt]
    """The newest 20 attempts, newest first."""
    payload: dict[str, Any]
    """The event: every attempt has this body."""


class EventRoom(TypedDict):
    external_id: str
    tag: str


class Speaker(TypedDict):
    client_id: int
    device_id: int
    name: str


class TranscriptionSegment(TypedDict):
    seq: int
    at: int
    """Unix milliseconds of publication; not a position in the audio."""
    speaker: Speaker
    text: str
    partial: bool


class Transcription(TypedDict):
    """One run of a transcriber. ``status`` and ``reason`` are open sets."""

    id: str
    job_id: str
    conference_tag: str
    conference_session_id: int
    status: str
    language: str
    """BCP 47."""
    started_at_ms: int
    """Unix milliseconds."""
    ended_at_ms: int
    reason: str
    text: str
    """The whole text of the run; empty if no speech was recognised."""
    segments: list[TranscriptionSegment]


class RecordingReadyData(TypedDict):
    room: EventRoom
    recording: FinishedRecording


class RecordingReady(TypedDict):
    id: str
    type: Literal["recording.ready"]
    created_at: str
    """UTC, ISO 8601, ending in Z."""
    data: RecordingReadyData


class TranscriptionReadyData(TypedDict):
    room: EventRoom
    transcription: Transcription


class TranscriptionReady(TypedDict):
    id: str
    type: Literal["transcription.ready"]
    created_at: str
    data: TranscriptionReadyData


class WebhookTestData(TypedDict):
    service_account: str


class WebhookTest(TypedDict):
    """Sent when ``test_webhook`` requests it."""

    id: str
    type: Literal["webhook.test"]
    created_at: str
    data: WebhookTestData


WebhookEvent = Union[RecordingReady, TranscriptionReady, WebhookTest]
