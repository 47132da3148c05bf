"""The bodies of version 2 of the partner API. Objects grow without a new version: ignore unknown fields."""

from __future__ import annotations

from typing import Any, Dict, Literal, TypedDict

from .types import DeliveryAttempt, DeliveryStatus, SlidesResponse, SlidesStateResponse, Speaker

Metadata = Dict[str, str]


RoomRole = Literal["teacher", "assistant", "student", "observer"]


class RecordingSettings(TypedDict):
    mode: Literal["automatic", "manual", "off"]
    """``automatic``: with the first participant. ``manual``: by ``startRecording``."""
    format: Literal["mkv", "mp4"]
    """MP4 plays in every browser."""
    keep_days: int | None
    """Then a recording is deleted; null: as the operator set for the account."""


class TranscriptionSettings(TypedDict):
    mode: Literal["off", "automatic"]
    language: str | None
    """BCP 47; null: any."""
    captions: bool
    """People inside can read what is said."""


class RoomBrand(TypedDict):
    name: str | None
    """Shown instead of Lectern."""
    accent: str | None
    """Colour of buttons, such as ``#0a7d5a``."""


class RoomFeatures(TypedDict):
    """What is off is not shown, and is permitted to nobody."""

    chat: bool
    files: bool
    screen_sharing: bool
    reactions: bool
    captions: bool


Layout = Literal["webinar", "grid", "speaker", "presentation"]
PageLanguage = Literal["ar", "de", "en", "es", "fr", "pt", "ru", "tr"]


class RecordingChange(TypedDict, total=False):
    mode: Literal["automatic", "manual", "off"]
    format: Literal["mkv", "mp4"]
    keep_days: int | None


class TranscriptionChange(TypedDict, total=False):
    mode: Literal["off", "automatic"]
    language: str | None
    captions: bool


class BrandChange(TypedDict, total=False):
    name: str | None
    accent: str | None


class FeaturesChange(TypedDict, total=False):
    chat: bool
    files: bool
    screen_sharing: bool
    reactions: bool
    captions: bool


class RoomSettings(TypedDict):
    recording: RecordingSettings
    transcription: TranscriptionSettings
    lobby: bool
    """Students wait until a teacher or an assistant admits them."""
    plain_link: Literal["lobby", "open", "closed"] | None
    """How people without a link of their own enter; null: as the operator set."""
    opens_before_s: int | None
    """Links open so many seconds before ``starts_at``; null: always."""
    max_participants: int | None
    board: Literal["keep", "fresh", "off"]
    """Whether the board stays for the next session, each session begins with an empty one, or there is none."""
    brand: RoomBrand
    layout: Layout
    """Until somebody chooses another one."""
    language: PageLanguage | None
    """Of the page, for people who have chosen none; null: that of the browser."""
    return_url: str | None
    """Where people go after the call."""
    features: RoomFeatures
    metadata: Metadata


class HostedRoomRequest(TypedDict, total=False):
    """Fields that are absent keep their values."""

    lobby: bool
    plain_link: Literal["lobby", "open", "closed"] | None
    opens_before_s: int | None
    max_participants: int | None
    board: Literal["keep", "fresh", "off"]
    brand: BrandChange
    layout: Layout
    language: PageLanguage | None
    return_url: str | None
    features: FeaturesChange
    metadata: Metadata
    title: str | None
    description: str | None
    starts_at: str | None
    """ISO 8601 with a time zone."""
    ends_at: str | None
    recording: RecordingChange
    transcription: TranscriptionChange


class HostedRoom(RoomSettings):
    external_id: str
    tag: str
    title: str
    description: str | None
    starts_at: str | None
    ends_at: str | None
    status: Literal["scheduled", "active", "cancelled", "closed"]
    live: bool
    """Whether a session is open in the room."""
    join_url: str
    recordings_kept_days: int | None
    """When recordings are deleted: by the room, the account or the whole server; null: never."""


class RoomPersonRequest(TypedDict, total=False):
    display_name: str
    role: RoomRole
    """Teachers and assistants are moderators; observers send nothing. Default: ``student``."""
    metadata: Metadata


class RoomPerson(TypedDict):
    external_id: str
    display_name: str
    role: RoomRole
    metadata: Metadata
    join_url: str
    """The personal link: whoever has it enters as this person."""


class EventPerson(TypedDict):
    participant_id: str | None
    """One person on one device; null while waiting."""
    external_id: str | None
    """Your own id of the person; null for guests."""
    display_name: str
    role: RoomRole
    metadata: Metadata


class LiveParticipant(EventPerson):
    presence: Literal["here", "away"]
    """``away``: the connection is lost for a moment."""
    joined_at: str


class StoredFile(TypedDict):
    path: str
    size: int
    content_type: str
    sha256: str
    """Lowercase hexadecimal."""


class StoredRecording(TypedDict):
    id: str
    room: str
    """``external_id`` of the room."""
    session_id: int
    status: str
    """An open set, such as ``completed`` or ``stopped``."""
    started_at: str
    ended_at: str
    duration_ms: int
    files: list[StoredFile]


class _RecordingLinkRequest(TypedDict):
    path: str
    """``path`` of one of the files of the recording."""
    expires_in: int
    """Seconds, at most 7 days."""


class RecordingLinkRequest(_RecordingLinkRequest, total=False):
    disposition: Literal["attachment", "inline"]
    """``inline`` plays in the browser. Default: ``attachment``."""


class RecordingLink(TypedDict):
    id: str
    url: str
    """Whoever has it reads the file. Ranges are supported."""
    expires_at: str


class StoredTranscript(TypedDict):
    id: str
    room: str
    session_id: int
    status: str
    language: str
    started_at: str
    ended_at: str
    reason: str


class TranscriptSpeaker(Speaker):
    external_id: str | None


class TranscriptSegment(TypedDict):
    seq: int
    at: int
    """Unix milliseconds."""
    speaker: TranscriptSpeaker
    text: str
    partial: bool


class WholeTranscript(StoredTranscript):
    text: str
    segments: list[TranscriptSegment]


class Usage(TypedDict):
    month: str
    """Such as ``2030-09``, in UTC."""
    participant_minutes: float
    recorded_minutes: float
    stored_bytes: int
    webhooks: int


HostedEventType = Literal[
    "room.started",
    "room.ended",
    "participant.waiting",
    "participant.joined",
    "participant.left",
    "recording.started",
    "recording.ready",
    "recording.failed",
    "recording.deleted",
    "transcription.ready",
    "room.deleted",
]


class HostedEventRoom(TypedDict):
    external_id: str
    tag: str
    metadata: Metadata


class HostedEvent(TypedDict):
    id: str
    """``evt_`` and hexadecimal digits: the same in every delivery and in the list."""
    type: HostedEventType
    created_at: str
    sequence: int
    """Counts the events of the room, without gaps."""
    room: HostedEventRoom
    data: dict[str, Any]
    """Depends on the type (docs of the server at /docs/reference)."""


class EndpointTest(TypedDict):
    """Sent when ``test_endpoint`` requests it."""

    id: str
    type: Literal["webhook.test"]
    created_at: str
    data: dict[str, Any]


class _EndpointRequest(TypedDict):
    url: str


class EndpointRequest(_EndpointRequest, total=False):
    secret: str
    """By default the server makes one; it is in the response to this call only."""
    events: list[HostedEventType]
    """By default all."""
    enabled: bool
    description: str | None


class EndpointChange(TypedDict, total=False):
    url: str
    secret: str
    """Replaces the one before at once; ``rotate_endpoint_secret`` has an overlap."""
    events: list[HostedEventType]
    enabled: bool
    description: str | None


class Endpoint(TypedDict):
    id: str
    url: str
    events: list[str]
    enabled: bool
    disabled_reason: str | None
    """``failing``: 5 days without a success."""
    description: str | None
    previous_secret_expires_at: str | None
    created_at: str


class NewEndpoint(Endpoint):
    secret: str


class EndpointDelivery(TypedDict):
    id: str
    event_id: str
    type: str
    status: DeliveryStatus
    attempts: int
    next_attempt_at: str | None
    response_status: int | None
    error: str | None
    created_at: str


class EndpointDeliveryDetails(EndpointDelivery):
    history: list[DeliveryAttempt]
    payload: dict[str, Any]
    """The event."""


class EndpointRotation(TypedDict, total=False):
    secret: str
    overlap_seconds: int


class MuteRequest(TypedDict, total=False):
    source: Literal["audio", "video", "screen"]


class _PlatformMessage(TypedDict):
    text: str


class PlatformMessage(_PlatformMessage, total=False):
    display_name: str
    """Who the room sees as the sender."""


class Replay(TypedDict):
    since: str
    """ISO 8601 with a time zone."""


class Done(TypedDict):
    result: int


class CreatedRoom(HostedRoom):
    created: bool
    """False: the room existed, and has the settings of the request now."""


class RoomPage(TypedDict):
    rooms: list[HostedRoom]
    next: int | None


class PeoplePage(TypedDict):
    people: list[RoomPerson]
    next: int | None


class Participants(TypedDict):
    live: bool
    participants: list[LiveParticipant]


class SentMessage(TypedDict):
    message_id: int


class EventPage(TypedDict):
    events: list[HostedEvent]
    """Oldest first."""
    next: int | None
    last: int
    """The position of the last event of the page: store it, and pass it as ``after``."""


class Endpoints(TypedDict):
    endpoints: list[Endpoint]


class DeliveryPage(TypedDict):
    deliveries: list[EndpointDelivery]
    next: int | None


class Replayed(TypedDict):
    replayed: int


class RecordingPage(TypedDict):
    recordings: list[StoredRecording]
    next: int | None


class TranscriptPage(TypedDict):
    transcripts: list[StoredTranscript]
    next: int | None
