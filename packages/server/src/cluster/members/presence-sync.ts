import type { Logger } from 'pino'
import type { PresenceSummary, SharedPresence } from '../../messaging/ports.ts'
import type { ClusterNetwork } from '../network/network.ts'
import type { Members } from './members.ts'

interface PresenceSyncParts {
  network: ClusterNetwork
  members: Members
  self: string
  presence: SharedPresence
  log: Pick<Logger, 'debug'>
}

/** An account and what is known of it, as bits; 0: nothing any more. */
type Entry = [userId: number, bits: number]

interface Changes {
  seq: number
  entries: Entry[]
}

/** A part of all entries, in the order of their accounts. */
interface Page extends Changes {
  hasMore: boolean
}

/** The knowledge of another server. */
interface Replica {
  /** The number of the last change; STALE: everything has to be read. */
  seq: number
  userIds: Set<number>
  /** Changes that arrive while everything is read again; null: nothing is being read. */
  pending: Changes[] | null
}

/** Changes are sent together, and others are hardly late. */
const SEND_DELAY_MS = 50
/** The interval at which others learn which change was the last, and whether they have missed it. */
const HEARTBEAT_MS = 1_000
const PAGE_ENTRIES = 10_000
const REQUEST_TIMEOUT_MS = 5_000
const ENTRIES_PER_MESSAGE = 10_000

const STALE = -1

const CHANGES = 'presence.changes'
const pageSubject = (id: string) => `presence.of.${id}`

/**
 * Keeps the presence of all servers on each of them (rules PRESENCE-1 to PRESENCE-5). Changes are numbered: whoever
 * misses one, or comes later, reads everything again.
 */
export class PresenceSync {
  readonly #parts: PresenceSyncParts
  readonly #replicas = new Map<string, Replica>()
  readonly #changed = new Set<number>()
  /** Accounts that others know of. */
  readonly #announced = new Map<number, number>()
  /** The ids of accounts, sorted when another server begins to read: it asks for page after page. */
  #order = new Float64Array()
  readonly #closers: (() => void)[]
  #sending: NodeJS.Timeout | null = null
  #seq = 0

  constructor(parts: PresenceSyncParts) {
    this.#parts = parts
    const { network, members, presence, self } = parts
    const heartbeat = setInterval(() => network.publish(CHANGES, this.#heartbeat()), HEARTBEAT_MS)
    presence.onSummaryChanged(userId => this.#onChanged(userId))
    this.#closers = [
      () => clearInterval(heartbeat),
      () => clearTimeout(this.#sending ?? undefined),
      network.subscribe(CHANGES, (message, { from }) => {
        if (from !== self) this.#receive(from, message as Changes)
      }),
      network.serve(pageSubject(self), message => this.#page(message as { after?: number } | null)),
      members.onGone(({ id }) => this.#forget(id)),
      members.onJoined(({ id, role }) => {
        if (role === 'server') this.#read(id)
      }),
      network.onReconnect(() => network.publish(CHANGES, this.#heartbeat())),
    ]
  }

  /** Whether the presence of all servers is known here as it is. */
  get isComplete(): boolean {
    const { network, members, self } = this.#parts
    const isKnown = (id: string) => id === self || (this.#replicas.get(id)?.seq ?? STALE) !== STALE
    return network.isConnected && members.list('server').every(({ id }) => isKnown(id))
  }

  stop(): void {
    for (const close of this.#closers.splice(0)) close()
  }

  #heartbeat(): Changes {
    return { seq: this.#seq, entries: [] }
  }

  #onChanged(userId: number): void {
    this.#changed.add(userId)
    this.#sending ??= setTimeout(() => {
      this.#sending = null
      this.#send()
    }, SEND_DELAY_MS)
  }

  #send(): void {
    const entries: Entry[] = []
    for (const userId of this.#changed) {
      const bits = bitsOf(this.#parts.presence.summaryOf(userId))
      if (bits === (this.#announced.get(userId) ?? 0)) continue
      if (bits === 0) this.#announced.delete(userId)
      else this.#announced.set(userId, bits)
      entries.push([userId, bits])
    }
    this.#changed.clear()
    for (let i = 0; i < entries.length; i += ENTRIES_PER_MESSAGE) {
      this.#seq += 1
      const changes: Changes = { seq: this.#seq, entries: entries.slice(i, i + ENTRIES_PER_MESSAGE) }
      this.#parts.network.publish(CHANGES, changes)
    }
  }

  /** A page of the ids. Announcements after the first page are among the changes that the reader receives meanwhile. */
  #page(request: { after?: number } | null): Page {
    const after = request?.after ?? 0
    if (after === 0) this.#order = Float64Array.from(this.#announced.keys()).sort()
    const begin = firstAbove(this.#order, after)
    const end = begin + PAGE_ENTRIES
    const userIds = this.#order.subarray(begin, end)
    const entries = Array.from(userIds, (id): Entry => [id, this.#announced.get(id) ?? 0])
    return { seq: this.#seq, entries, hasMore: end < this.#order.length }
  }

  #receive(from: string, changes: Changes): void {
    if (!Number.isInteger(changes?.seq) || !Array.isArray(changes.entries)) return
    const replica = this.#replicas.get(from)
    if (!replica) this.#read(from)
    else if (replica.pending) replica.pending.push(changes)
    else if (!this.#apply(from, replica, changes)) this.#read(from)
  }

  /** False when a change before these is missing. */
  #apply(from: string, replica: Replica, { seq, entries }: Changes): boolean {
    const isHeartbeat = entries.length === 0
    if (isHeartbeat ? seq > replica.seq : seq > replica.seq + 1) return false
    if (seq <= replica.seq) return true
    replica.seq = seq
    for (const entry of entries) this.#set(from, replica, entry)
    return true
  }

  #set(from: string, { userIds }: Replica, [userId, bits]: Entry): void {
    if (!Number.isSafeInteger(userId)) return
    const summary = summaryFrom(bits)
    if (summary) userIds.add(userId)
    else userIds.delete(userId)
    this.#parts.presence.setRemote(from, userId, summary)
  }

  /** Reads everything that the server knows. A failure is repeated with its next heartbeat. */
  #read(from: string): void {
    const replica = this.#replicas.get(from) ?? { seq: STALE, userIds: new Set<number>(), pending: null }
    if (replica.pending) return
    replica.pending = []
    replica.seq = STALE
    this.#replicas.set(from, replica)
    this.#readPages(from, replica).catch(error => {
      this.#parts.log.debug({ err: error, from }, 'the presence of another server could not be read')
      // The known presence stays, because the server may be there all the same.
      replica.pending = null
    })
  }

  async #readPages(from: string, replica: Replica): Promise<void> {
    const entries = new Map<number, number>()
    let first: number | null = null
    for (let after = 0, hasMore = true; hasMore; ) {
      const answer = await this.#parts.network.request(pageSubject(from), { after }, REQUEST_TIMEOUT_MS)
      const page = answer as Page
      first ??= page.seq
      for (const [userId, bits] of page.entries) entries.set(userId, bits)
      hasMore = page.hasMore && page.entries.length > 0
      after = page.entries.at(-1)?.[0] ?? after
    }
    if (this.#replicas.get(from) !== replica) return
    for (const userId of [...replica.userIds]) if (!entries.has(userId)) this.#set(from, replica, [userId, 0])
    for (const entry of entries) this.#set(from, replica, entry)
    replica.seq = first ?? STALE
    const pending = replica.pending ?? []
    replica.pending = null
    for (const changes of pending) if (!this.#apply(from, replica, changes)) return this.#read(from)
  }

  #forget(id: string): void {
    if (this.#replicas.delete(id)) this.#parts.presence.removeServer(id)
  }
}

/** The index of the first greater value in a sorted list. */
function firstAbove(sorted: Float64Array, value: number): number {
  let [from, to] = [0, sorted.length]
  while (from < to) {
    const middle = (from + to) >>> 1
    if ((sorted[middle] as number) > value) to = middle
    else from = middle + 1
  }
  return from
}

const CONNECTED = 1
const VISIBLE = 2
/** The position of `presence` above the other bits. */
const PRESENCE_SHIFT = 2
const PRESENCES = [null, 'online', 'away', 'in_call'] as const

function bitsOf(summary: PresenceSummary | null): number {
  if (!summary) return 0
  const presence = PRESENCES.indexOf(summary.presence) << PRESENCE_SHIFT
  return presence | (summary.isConnected ? CONNECTED : 0) | (summary.isVisible ? VISIBLE : 0)
}

function summaryFrom(bits: number): PresenceSummary | null {
  const presence = PRESENCES[(bits >> PRESENCE_SHIFT) & 3]
  if (!presence) return null
  return { presence, isConnected: (bits & CONNECTED) !== 0, isVisible: (bits & VISIBLE) !== 0 }
}
