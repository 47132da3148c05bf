import { createHash, randomBytes } from 'node:crypto'
import { ensure } from '@lectern/protocol'
import { isActive, isUser } from '../accounts/eligible.ts'
import type { User } from '../accounts/ports.ts'
import type { UserStore } from '../accounts/stores/users.ts'
import { formatCalendar } from '../platform/calendar.ts'
import type { Clock } from '../platform/clock.ts'
import type { CalendarStore } from './stores/calendar.ts'

interface CalendarsOptions {
  store: CalendarStore
  users: Pick<UserStore, 'find'>
  publicUrl: () => string
  clock: Clock
}

/** Older meetings leave the calendar, so that it does not grow for ever. */
const PAST_MS = 90 * 86_400_000
const MAX_EVENTS = 1_000

/** An unsalted hash is sufficient for 256 random bits. */
const hashOf = (token: string) => createHash('sha256').update(token).digest('base64url')

/** Personal calendars behind secret links, which calendar programs follow (rules CALENDAR-1 to CALENDAR-3). */
export class Calendars {
  readonly #parts: CalendarsOptions

  constructor(parts: CalendarsOptions) {
    this.#parts = parts
  }

  /** When the link was made; null without one. */
  linkOf(user: User): Promise<number | null> {
    return this.#parts.store.findLink(user.id)
  }

  /** The earlier link ends. The new one is shown only now. */
  async createLink(user: User): Promise<{ url: string; createdAtMs: number }> {
    ensure(isUser(user), 'permission_denied', 'Only users with an account have a calendar.')
    const { store, clock, publicUrl } = this.#parts
    const token = randomBytes(32).toString('base64url')
    const createdAtMs = clock()
    await store.saveLink(user.id, hashOf(token), createdAtMs)
    return { url: `${publicUrl()}/api/v1.0/calendars/${token}/meetings.ics`, createdAtMs }
  }

  removeLink(user: User): Promise<void> {
    return this.#parts.store.removeLink(user.id)
  }

  /** The meetings of the user of the link. Throws `calendar_not_found`. */
  async read(token: string): Promise<string> {
    const { store, users, publicUrl, clock } = this.#parts
    const userId = await store.findUser(hashOf(token))
    const user = userId === null ? null : await users.find(userId)
    ensure(user && isActive(user), 'calendar_not_found')
    const meetings = await store.plannedOf(user.id, clock() - PAST_MS, MAX_EVENTS)
    return formatCalendar(
      'Lectern',
      meetings.map(({ tag, revision, isRemoved, ...meeting }) => ({
        ...meeting,
        uid: `${tag}@lectern`,
        sequence: revision,
        description: null,
        url: `${publicUrl()}/conferences/${tag}`,
        isCancelled: isRemoved,
      })),
    )
  }
}
