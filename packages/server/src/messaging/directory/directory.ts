import { ensure, type OrdinaryEntry } from '@lectern/protocol'
import type { User } from '../../accounts/ports.ts'
import type { ConferenceSummary } from '../../hooks.ts'
import type { Clock } from '../../platform/clock.ts'
import { makeTag } from '../../platform/tag.ts'
import { previewFor, type SessionPreview } from '../../sessions/participants/participant-preview.ts'
import type { EndReason } from '../../sessions/ports.ts'
import type { OrdinaryConferenceStore } from '../../sessions/stores/conferences.ts'
import type { ConferenceLookup } from './conference-lookup.ts'
import type { OrdinaryConference } from './ports.ts'

const MAX_CONFERENCES_PER_USER = 1000
const LIST_LIMIT = 500

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
    if (ordinary.purpose === 'past_call') return null
    const { title, entry, purpose } = ordinary
    const isForCall = purpose === 'call'
    const live = await this.isLive(tag)
    const times = { startsAt: null, endsAt: null }
    return { tag, kind: 'ordinary', title, ...times, live, entry, isForCall, recording: null }
  }

  isLive(tag: string): Promise<boolean> {
    return this.#parts.registry.isLive(tag)
  }

  /** The tags of those that are live. */
  listLive(conferences: readonly OrdinaryConference[]): Promise<ReadonlySet<string>> {
    return this.#parts.registry.listLive(conferences.map(({ tag }) => tag))
  }

  async create(owner: User, title: string, entry: OrdinaryEntry = 'open'): Promise<OrdinaryConference> {
    ensure(owner.kind === 'ordinary', 'permission_denied', 'Only users with an account make conferences.')
    const count = await this.#parts.store.countOf(owner.id)
    ensure(count < MAX_CONFERENCES_PER_USER, 'permission_denied', 'You have too many conferences.')
    const tag = makeTag()
    const conference = {
      tag,
      title: title.trim() || tag,
      ownerId: owner.id,
      createdAtMs: this.#parts.clock(),
      entry,
      purpose: 'meeting' as const,
    }
    await this.#parts.store.add(conference)
    this.#parts.onChanged(tag)
    return conference
  }

  listOf(owner: User): Promise<OrdinaryConference[]> {
    return this.#parts.store.listOf(owner.id, LIST_LIMIT)
  }

  /** Absent fields remain unchanged. */
  async update(
    owner: User,
    tag: string,
    { title, entry }: { title?: string; entry?: OrdinaryEntry },
  ): Promise<OrdinaryConference> {
    const before = await this.#findOwned(owner, tag)
    const changes = {
      title: title === undefined ? before.title : title.trim() || tag,
      entry: entry ?? before.entry,
    }
    const updated = await this.#parts.store.update(tag, changes)
    ensure(updated, 'conference_not_found')
    if (updated.title !== before.title) this.#parts.onChanged(tag)
    if (updated.entry !== before.entry) await this.#parts.sessions.reevaluateLobby(tag)
    return updated
  }

  /** Deletes it permanently and ends its session with the reason `closed`. */
  async remove(owner: User, tag: string): Promise<void> {
    await this.#findOwned(owner, tag)
    await this.#parts.store.remove(tag)
    this.#parts.onRemoved(tag)
    await this.#parts.sessions.end(tag, 'closed')
  }

  async #findOwned(owner: User, tag: string): Promise<OrdinaryConference> {
    const conference = await this.#parts.store.find(tag)
    ensure(conference?.purpose === 'meeting', 'conference_not_found')
    ensure(conference.ownerId === owner.id, 'permission_denied', 'This conference is not yours.')
    return conference
  }
}
