import type { Presence } from '@lectern/protocol/control'
import { isUser } from '../accounts/eligible.ts'
import type { User } from '../accounts/ports.ts'
import type { Clock } from '../clock.ts'

/** A reload of the only page is over by then. */
const OFFLINE_AFTER_MS = 5_000

/** What other parts of the server ask about the presence of accounts. */
export interface Presences {
  of(userId: number): Presence
  /** No connection of the account is logged in, and none was a moment ago. */
  isOffline(userId: number): boolean
  hasConnection(userId: number): boolean
  hasVisibleConnection(userId: number): boolean
}

interface AccountPresence {
  /** Whether the pages are visible, by connection. */
  connections: Map<string, boolean>
  /** Participants of conference sessions. */
  participants: number
  /** When the last connection was lost. */
  lostAtMs: number
  published: Presence
}

/** Who is connected to this server, and how (rules MSG-40 to MSG-43). */
export class PresenceRegistry implements Presences {
  readonly #clock: Clock
  readonly #onChange: (userId: number, presence: Presence) => void
  readonly #accounts = new Map<number, AccountPresence>()
  /** Accounts whose presence may have changed since the last tick. */
  readonly #changed = new Set<number>()
  /** Visibility of the connections of this server, which survives a lost socket. */
  readonly #visible = new Map<string, boolean>()

  constructor(clock: Clock, onChange: (userId: number, presence: Presence) => void) {
    this.#clock = clock
    this.#onChange = onChange
  }

  get size(): number {
    return this.#accounts.size
  }

  of = (userId: number): Presence => {
    const account = this.#accounts.get(userId)
    return account ? this.#presenceOf(account) : 'offline'
  }

  isOffline = (userId: number): boolean => this.of(userId) === 'offline'

  /** Whether a connection of the account is logged in right now. */
  hasConnection = (userId: number): boolean => (this.#accounts.get(userId)?.connections.size ?? 0) > 0

  hasVisibleConnection = (userId: number): boolean =>
    [...(this.#accounts.get(userId)?.connections.values() ?? [])].includes(true)

  /** The connection has a socket. It counts as visible at first. */
  connected(user: User, connectionId: string): void {
    if (!isUser(user)) return
    const { id: userId } = user
    const visible = this.#visible.get(connectionId) ?? true
    this.#visible.set(connectionId, visible)
    this.#accountOf(userId).connections.set(connectionId, visible)
    this.#changed.add(userId)
  }

  /** The socket is gone; the connection may come back. */
  disconnected(userId: number, connectionId: string): void {
    const account = this.#accounts.get(userId)
    if (!account?.connections.delete(connectionId)) return
    account.lostAtMs = this.#clock()
    this.#changed.add(userId)
  }

  /** The connection does not come back. */
  ended(userId: number, connectionId: string): void {
    this.disconnected(userId, connectionId)
    this.#visible.delete(connectionId)
  }

  setVisible(userId: number, connectionId: string, isVisible: boolean): void {
    const connections = this.#accounts.get(userId)?.connections
    if (!connections?.has(connectionId)) return
    this.#visible.set(connectionId, isVisible)
    connections.set(connectionId, isVisible)
    this.#changed.add(userId)
  }

  /** A participant of a session came in (1) or left (-1). */
  countParticipant(userId: number, change: 1 | -1): void {
    const account = this.#accountOf(userId)
    account.participants = Math.max(0, account.participants + change)
    this.#changed.add(userId)
  }

  /** Publishes what has changed. MUST be called about every second. */
  tick(): void {
    const changed = [...this.#changed]
    this.#changed.clear()
    for (const userId of changed) {
      const account = this.#accounts.get(userId)
      if (account) this.#publish(userId, account)
    }
  }

  #publish(userId: number, account: AccountPresence): void {
    const presence = this.#presenceOf(account)
    if (presence !== account.published) {
      account.published = presence
      this.#onChange(userId, presence)
    }
    const isConnected = account.connections.size > 0 || account.participants > 0
    if (!isConnected && presence === 'offline') this.#accounts.delete(userId)
    // It goes offline when the time is over.
    else if (!isConnected) this.#changed.add(userId)
  }

  #presenceOf({ connections, participants, lostAtMs }: AccountPresence): Presence {
    if (participants > 0) return 'in_call'
    if ([...connections.values()].includes(true)) return 'online'
    if (connections.size > 0) return 'away'
    return this.#clock() - lostAtMs < OFFLINE_AFTER_MS ? 'online' : 'offline'
  }

  #accountOf(userId: number): AccountPresence {
    const known = this.#accounts.get(userId)
    if (known) return known
    const account: AccountPresence = {
      connections: new Map(),
      participants: 0,
      lostAtMs: Number.NEGATIVE_INFINITY,
      published: 'offline',
    }
    this.#accounts.set(userId, account)
    return account
  }
}
