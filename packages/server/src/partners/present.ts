import {
  FEATURES,
  type JoinResponse,
  type Role,
  type RoomField,
  type RoomListResponse,
  type RoomPutResponse,
  type RoomResponse,
  type RoomStatusResponse,
  type ServerInfoResponse,
  TRANSCRIPTION_FEATURE,
  type WebhookResponse,
} from '@lectern/protocol'
import type { Links } from './links.ts'
import type { Room, RoomPerson, WebhookSubscription } from './ports.ts'
import type { RoomPreview } from './rooms.ts'
import { roomPage } from './v2/rooms/settings.ts'
import type { RoomEntry } from './visitors.ts'

/** Presents rooms to partners and visitors, with absolute links. */
export class RoomPresenter {
  readonly #links: Links
  readonly #publicUrl: () => string

  /** The public URL is read each time: a server on a free port knows it only once it listens. */
  constructor(links: Links, publicUrl: () => string) {
    this.#links = links
    this.#publicUrl = publicUrl
  }

  room(room: Room): RoomResponse {
    return {
      result: 200,
      room_id: room.roomId,
      external_id: room.externalId,
      tag: room.tag,
      title: room.title,
      starts_at: room.startsAt,
      ends_at: room.endsAt,
      join_url: this.#joinUrl(room),
      status: room.status,
      description: room.description,
      teacher_join_url: this.#signedLink(room, 'teacher'),
      student_join_url: this.#signedLink(room, 'student'),
      teacher: presentPerson(room.people.teacher),
      student: presentPerson(room.people.student),
      ...(room.board !== 'keep' && { board: room.board }),
    }
  }

  putRoom({ room, created, differing }: { room: Room; created: boolean; differing: RoomField[] }) {
    const response = this.room(room) as RoomPutResponse
    response.created = created
    response.differing_fields = differing
    return response
  }

  /** An entry of a list. */
  listed(room: Room, live: boolean): RoomListResponse['rooms'][number] {
    const { result: _, ...entry } = this.status(room, live)
    return entry
  }

  /** `active` is computed: live while the stored status is still scheduled (docs/partner-api.md#get-the-status-of-a-room). */
  status(room: Room, live: boolean): RoomStatusResponse {
    const response = this.room(room) as RoomStatusResponse
    if (live && room.status === 'scheduled') response.status = 'active'
    response.stored_status = room.status
    response.live = live
    return response
  }

  entry(
    { room, role, displayName, externalId }: RoomEntry,
    { isLive, participants }: RoomPreview,
  ): JoinResponse {
    const page = roomPage(room)
    return {
      result: 200,
      room_id: room.roomId,
      external_id: room.externalId,
      tag: room.tag,
      title: room.title,
      starts_at: room.startsAt,
      ends_at: room.endsAt,
      join_url: this.#joinUrl(room),
      role,
      participant_auth: externalId !== null,
      display_name: displayName,
      status: isLive ? 'active' : room.status,
      description: room.description,
      ...(participants && { participants }),
      ui_profile: 'partner_videoroom',
      layout_mode: 'webinar',
      features: {
        main_navigation: false,
        chat: page?.features.chat ?? true,
        transcription: page?.features.captions ?? false,
        recording_controls: false,
      },
      recording: { mode: room.settings.recording?.mode ?? 'automatic' },
      ...(page && { page }),
    }
  }

  #joinUrl({ tag }: Room): string {
    return `${this.#publicUrl()}/conferences/${tag}`
  }

  /** The token of the signed link. */
  linkToken({ tag, people }: Room, role: Role): string {
    const { version, name } = people[role].link
    return this.#links.sign({ tag, role, version, displayName: name })
  }

  #signedLink(room: Room, role: Role): string {
    return `${this.#publicUrl()}/j/${this.linkToken(room, role)}`
  }
}

const presentPerson = ({ displayName, externalId }: RoomPerson) =>
  externalId === null ? { display_name: displayName } : { display_name: displayName, external_id: externalId }

/** Never contains the secret (docs/partner-api.md#webhook-settings). */
export const presentWebhook = (subscription: WebhookSubscription | null): WebhookResponse => ({
  result: 200,
  configured: subscription !== null,
  url: subscription?.url ?? null,
  events: subscription?.events ?? [],
  enabled: subscription?.enabled ?? false,
  secret_configured: subscription !== null,
  previous_secret_expires_at: subscription?.previous
    ? Math.ceil(subscription.previous.expiresAtMs / 1000)
    : null,
})

export const presentServerInfo = (version: string, isTranscribed: boolean): ServerInfoResponse => ({
  result: 200,
  api: {
    version: 'v1',
    base_path: '/api/v1/integration',
    features: [...FEATURES, ...(isTranscribed ? [TRANSCRIPTION_FEATURE] : [])],
  },
  server: { name: 'Lectern', version },
})
