import {
  ensure,
  formatUtc,
  type HostedRoom,
  type HostedRoomRequest,
  isoTimeToMs,
  visibleOr,
} from '@lectern/protocol'
import { type Clock, unixSeconds } from '../../../platform/clock.ts'
import { makeTag } from '../../../platform/tag.ts'
import type { AfterPage, Room, RoomContent, RoomFilter, RoomSessions } from '../../ports.ts'
import type { RoomStore } from '../../stores/rooms.ts'
import type { PartnerRetentionStore } from '../../stores/v2/retention.ts'
import { ensureMetadata } from '../metadata.ts'
import type { RoomDeletions } from './deletions.ts'
import { changedSettings, settingsOf } from './settings.ts'

interface HostedRoomsParts {
  store: RoomStore
  conferences: Pick<RoomSessions, 'isLive' | 'listLive' | 'reevaluateLobby'>
  deletions: Pick<RoomDeletions, 'begin'>
  retention: Pick<PartnerRetentionStore, 'find'>
  /** `[Retention] Recordings`, beyond which nothing is kept; null: for ever. */
  keptDaysMax: number | null
  publicUrl: () => string
  clock: Clock
}

const NOBODY = { displayName: '', externalId: null, link: { version: 1, name: '' } }

/** The rooms of version 2: those of version 1 with more settings (docs/partner-api-v2.md#rooms). */
export class HostedRooms {
  readonly #parts: HostedRoomsParts

  constructor(parts: HostedRoomsParts) {
    this.#parts = parts
  }

  /** Throws `room_not_found`, also for another partner's. */
  async find(clientId: number, externalId: string): Promise<Room> {
    const room = await this.#parts.store.find(clientId, externalId)
    ensure(room, 'room_not_found')
    return room
  }

  /** Creates the room, or changes an existing one to what the request says. Idempotent. */
  async put(
    clientId: number,
    externalId: string,
    request: HostedRoomRequest,
  ): Promise<{ room: Room; created: boolean }> {
    const { store, clock } = this.#parts
    const empty = { title: externalId, description: null, startsAt: null, endsAt: null, settings: {} }
    const people = { teacher: NOBODY, student: NOBODY }
    const start = { ...empty, status: 'scheduled' as const, people, board: 'keep' as const }
    const content = changed({ ...start, externalId }, request)
    // Again if another request has created, changed or deleted it meanwhile.
    for (;;) {
      const room = await store.find(clientId, externalId)
      const updated = room && (await this.#update(room, request))
      if (updated) return { room: updated, created: false }
      if (room) continue
      const added = await store.findOrAdd(
        { clientId, externalId, tag: makeTag(), ...content },
        unixSeconds(clock),
      )
      if (added.created) return added
    }
  }

  /** Retries the change on the newest revision until it succeeds. Throws `room_not_found`. */
  async change(clientId: number, externalId: string, request: HostedRoomRequest): Promise<Room> {
    for (;;) {
      const updated = await this.#update(await this.find(clientId, externalId), request)
      if (updated) return updated
    }
  }

  /** The oldest first, unless the page says so. */
  async list(
    clientId: number,
    filter: Pick<RoomFilter, 'status' | 'search'>,
    page: AfterPage,
  ): Promise<{ rooms: HostedRoom[]; next: number | null }> {
    const found = await this.#parts.store.listAfter(clientId, filter, { ...page, limit: page.limit + 1 })
    const shown = found.slice(0, page.limit)
    const keptDays = await this.#parts.retention.find(clientId)
    const live = await this.#parts.conferences.listLive(shown.map(({ tag }) => tag))
    return {
      rooms: shown.map(room => this.#presentAs(room, live.has(room.tag), keptDays)),
      next: found.length > page.limit ? (shown.at(-1)?.roomId ?? null) : null,
    }
  }

  /**
   * Removes the room. Its links end at once; what was made in it is deleted afterwards (rule DELETE-1). Throws
   * `room_not_found`.
   */
  async remove(clientId: number, externalId: string): Promise<void> {
    await this.#parts.deletions.begin(await this.find(clientId, externalId))
  }

  async present(room: Room): Promise<HostedRoom> {
    const { conferences, retention } = this.#parts
    return this.#presentAs(room, await conferences.isLive(room.tag), await retention.find(room.clientId))
  }

  /** Null: the room was changed or deleted meanwhile. */
  async #update(room: Room, request: HostedRoomRequest): Promise<Room | null> {
    const { store, conferences, clock } = this.#parts
    const updated = await store.update(room, changed(room, request), unixSeconds(clock))
    // Also where nothing changed: an earlier request may have failed after its change.
    const isAboutWaiting = request.lobby !== undefined || request.plain_link !== undefined
    if (updated && isAboutWaiting) await conferences.reevaluateLobby(room.tag)
    return updated
  }

  /** `keptDays`: of rooms without a time of their own. */
  #presentAs(room: Room, live: boolean, keptDays: number | null): HostedRoom {
    const settings = settingsOf(room)
    const { publicUrl, keptDaysMax } = this.#parts
    const limits = [settings.recording.keep_days ?? keptDays, keptDaysMax].filter(days => days !== null)
    return {
      external_id: room.externalId,
      tag: room.tag,
      title: room.title,
      description: room.description,
      starts_at: toUtc(room.startsAt),
      ends_at: toUtc(room.endsAt),
      status: live && room.status === 'scheduled' ? 'active' : room.status,
      live,
      join_url: `${publicUrl()}/conferences/${room.tag}`,
      ...settings,
      recordings_kept_days: limits.length > 0 ? Math.min(...limits) : null,
      board: room.board,
    }
  }
}

const toUtc = (time: string | null) => (time === null ? null : formatUtc(isoTimeToMs(time)))

function changed(room: RoomContent & { externalId: string }, request: HostedRoomRequest): RoomContent {
  const { title, description, starts_at, ends_at } = request
  if (request.metadata) ensureMetadata(request.metadata)
  const content: RoomContent = {
    title: title === undefined ? room.title : visibleOr(title, room.externalId),
    description: description === undefined ? room.description : description,
    startsAt: starts_at === undefined ? room.startsAt : starts_at,
    endsAt: ends_at === undefined ? room.endsAt : ends_at,
    status: room.status,
    people: room.people,
    board: request.board ?? room.board,
    settings: changedSettings(room, request),
  }
  const { startsAt, endsAt } = content
  const isInOrder = startsAt === null || endsAt === null || isoTimeToMs(startsAt) < isoTimeToMs(endsAt)
  ensure(isInOrder, 'invalid_argument', 'ends_at must be after starts_at.')
  return content
}
