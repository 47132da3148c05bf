import { type ConferenceRequest, cleanDisplayName, ensure, isoTimeToMs } from '@lectern/protocol'
import { isUser } from '../../accounts/eligible.ts'
import type { User } from '../../accounts/ports.ts'
import type { ConferenceSummary } from '../../hooks.ts'
import type { Clock } from '../../platform/clock.ts'
import { makeTag } from '../../platform/tag.ts'
import { previewFor, type SessionPreview } from '../../sessions/participants/participant-preview.ts'
import type { EndReason } from '../../sessions/ports.ts'
import type { OrdinaryConferenceStore } from '../../sessions/stores/conferences.ts'
import type { ConferenceLookup } from './conference-lookup.ts'
import { toUtc } from './planned-time.ts'
import type { OrdinaryConference, PlannedTime } from './ports.ts'

const MAX_CONFERENCES_PER_USER = 1000

interface DirectoryParts {
  store: OrdinaryConferenceStore
  lookup: Pick<ConferenceLookup, 'findOrdinary' | 'findRoom'>
  registry: {
    isLive(tag: string): Promise<boolean>
    listLive(tags: readonly string[]): Promise<ReadonlySet<string>>
  }
  sessions: {
    end(tag: string, reason: Exclude<EndReason, 'empty'>): Promise<void>
    reevaluateLobby(tag: string): Promise<void>
    preview(tag: string): Promise<SessionPreview | null>
  }
  /** Whether people without an account may join. */
  admitsGuests: boolean
  /** The conference is new, has another title, or was removed. */
  onChanged: (tag: string) => void
  onRemoved: (tag: string) => void
  clock: Clock
}

/** The conferences of users: created, listed, changed and removed by their owners; and the summary of any conference. */
export class Directory {
  readonly #parts: DirectoryParts

  constructor(parts: DirectoryParts) {
    this.#parts = parts
  }

  /** Public information before joining. Throws `room_closed` or `room_cancelled`. */
  async summary(tag: string): Promise<ConferenceSummary | null> {
    const summary = await this.#findSummary(tag)
    const { sessions, admitsGuests } = this.#parts
    // The caller is unknown: names are for everybody with the link only where everybody enters at once.
    if (!summary?.live || summary.entry !== 'open' || summary.isForCall || !admitsGuests) return summary
    return { ...summary, participants: previewFor(await sessions.preview(tag), { isModerator: false }) }
  }

  async #findSummary(tag: string): Promise<ConferenceSummary | null> {
    const { lookup } = this.#parts
    const ordinary = await lookup.findOrdinary(tag)
    if (!ordinary) return lookup.findRoom(tag)
    if (ordinary.purpose === 'past_call' || ordinary.entry === 'closed') return null
    const { title, entry, purpose, planned } = ordinary
    const isForCall = purpose === 'call'
    const live = await this.isLive(tag)
    const times = { startsAt: toUtc(planned?.startsAtMs), endsAt: toUtc(planned?.endsAtMs) }
    return { tag, kind: 'ordinary', title, ...times, live, entry, isForCall, recording: null }
  }

  isLive(tag: string): Promise<boolean> {
    return this.#parts.registry.isLive(tag)
  }

  /** The tags of those that are live. */
  listLive(conferences: readonly OrdinaryConference[]): Promise<ReadonlySet<string>> {
    return this.#parts.registry.listLive(conferences.map(({ tag }) => tag))
  }

  async create(owner: User, request: ConferenceRequest): Promise<OrdinaryConference> {
    ensure(isUser(owner), 'permission_denied', 'Only users with an account make conferences.')
    const count = await this.#parts.store.countOf(owner.id)
    ensure(count < MAX_CONFERENCES_PER_USER, 'permission_denied', 'You have too many conferences.')
    const tag = makeTag()
    const planned = plannedTime(request, undefined)
    const conference: OrdinaryConference = {
      tag,
      title: cleanDisplayName(request.title ?? '') || tag,
      ownerId: owner.id,
      createdAtMs: this.#parts.clock(),
      entry: request.entry ?? 'open',
      purpose: 'meeting',
      ...(planned && { planned }),
    }
    await this.#parts.store.add(conference)
    this.#parts.onChanged(tag)
    return conference
  }

  listOf(owner: User): Promise<OrdinaryConference[]> {
    return this.#parts.store.listOf(owner.id, MAX_CONFERENCES_PER_USER)
  }

  /** Absent fields remain unchanged. */
  async update(owner: User, tag: string, request: ConferenceRequest): Promise<OrdinaryConference> {
    const before = await this.#findOwned(owner, tag)
    const { title, entry } = request
    const changes = {
      title: title === undefined ? undefined : cleanDisplayName(title) || tag,
      entry,
      planned: hasTimes(request) ? plannedTime(request, before.planned) : undefined,
    }
    const updated = await this.#parts.store.update(tag, changes, this.#parts.clock())
    ensure(updated, 'conference_not_found')
    if (updated.title !== before.title) this.#parts.onChanged(tag)
    // Also where nothing changed: an earlier request may have failed after its change.
    if (entry !== undefined) await this.#parts.sessions.reevaluateLobby(tag)
    return updated
  }

  /** Deletes it permanently and ends its session with the reason `closed`. Throws `temporarily_unavailable`. */
  async remove(owner: User, tag: string): Promise<void> {
    const { store, sessions, clock, onRemoved } = this.#parts
    await this.#findOwned(owner, tag)
    // First: while the session cannot be reached the conference is there, and a repetition of the request does all of it.
    await sessions.end(tag, 'closed')
    await store.remove(tag, clock())
    onRemoved(tag)
    // Again: one that somebody has started in the meantime.
    await sessions.end(tag, 'closed')
  }

  async #findOwned(owner: User, tag: string): Promise<OrdinaryConference> {
    const conference = await this.#parts.store.find(tag)
    ensure(conference?.purpose === 'meeting', 'conference_not_found')
    ensure(conference.ownerId === owner.id, 'permission_denied', 'This conference is not yours.')
    return conference
  }
}

const hasTimes = ({ starts_at, ends_at }: ConferenceRequest): boolean =>
  starts_at !== undefined || ends_at !== undefined

/** Absent fields remain unchanged. Throws `invalid_argument` for an end without or before its start. */
function plannedTime(
  { starts_at, ends_at }: ConferenceRequest,
  before: PlannedTime | undefined,
): PlannedTime | null {
  const startsAtMs = timeOf(starts_at, before?.startsAtMs)
  const endsAtMs = timeOf(ends_at, before?.endsAtMs)
  if (startsAtMs === null) {
    ensure(ends_at === undefined || ends_at === null, 'invalid_argument', 'ends_at needs starts_at.')
    return null
  }
  ensure(endsAtMs === null || startsAtMs < endsAtMs, 'invalid_argument', 'ends_at must be after starts_at.')
  return { startsAtMs, endsAtMs }
}

const timeOf = (time: string | null | undefined, before: number | null | undefined): number | null =>
  time === undefined ? (before ?? null) : time === null ? null : isoTimeToMs(time)
