import { Emitter } from '@lectern/common'
import type { Presence } from '@lectern/protocol/control'
import { isUser } from '../accounts/eligible.ts'
import type { User } from '../accounts/ports.ts'
import type { Clock } from '../platform/clock.ts'
import type { PresenceSummary, SharedPresence } from './ports.ts'

/** A reload of the only page is over by then, and so is the way to another server. */
const OFFLINE_AFTER_MS = 5_000

/** The interface of presence for other parts of the server. */
export interface Presences {
  of(userId: number): Presence
  /** No connection of the account is logged in on any server, and none was a moment ago. */
  isOffline(userId: number): boolean
  hasConnection(userId: number): boolean
  hasVisibleConnection(userId: number): boolean
}

interface AccountPresence {
  /** Whether the pages are visible, by connection. */
  connections: Map<string, boolean>
  /** Participants of conference sessions of this server. */
  participants: number
  /** When the last connection of this server was lost. */
  lostAtMs: number
  /** The knowledge of other servers, by server; null without any. */
  remote: Map<string, PresenceSummary> | null
  /** When a server with a connection of the account was lost. */
  serverLostAtMs: number
  published: Presence
  /**
   * The presence differed since the last publication: an account that has read the other value has to get this one,
   * even if it equals the published one.
   */
  hasDiffered: boolean
}

/** From the one that counts most. */
const ORDER: Presence[] = ['in_call', 'online', 'away', 'offline']

/** The presence of accounts that are connected, here or to another server (rules MSG-40 to MSG-43). */
export class PresenceRegistry implements Presences, SharedPresence {
  readonly #clock: Clock
  readonly #onChange: (changes: ReadonlyMap<number, Presence>) => void
  readonly #accounts = new Map<number, AccountPresence>()
  /** Accounts whose presence may have changed since the last tick. */
  readonly #changed = new Set<number>()
  /** Visibility of the connections of this server, which survives a lost socket. */
  readonly #visible = new Map<string, boolean>()
  readonly #summaryChanged = new Emitter<number>()

  /** `onChange`: what each tick publishes. */
  constructor(clock: Clock, onChange: (changes: ReadonlyMap<number, Presence>) => void) {
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
  hasConnection = (userId: number): boolean => {
    const account = this.#accounts.get(userId)
    return (account?.connections.size ?? 0) > 0 || remotesOf(account).some(each => each.isConnected)
  }

  hasVisibleConnection = (userId: number): boolean => {
    const account = this.#accounts.get(userId)
    const isVisible = [...(account?.connections.values() ?? [])].includes(true)
    return isVisible || remotesOf(account).some(each => each.isVisible)
  }

  /** Whether the account is inside a conference on another server. */
  isInCallElsewhere = (userId: number): boolean =>
    remotesOf(this.#accounts.get(userId)).some(({ presence }) => presence === 'in_call')

  /** The connection has a socket. It counts as visible at first. */
  connected(user: User, connectionId: string): void {
    if (!isUser(user)) return
    const { id: userId } = user
    const visible = this.#visible.get(connectionId) ?? true
    this.#visible.set(connectionId, visible)
    this.#accountOf(userId).connections.set(connectionId, visible)
    this.#onLocalChange(userId)
  }

  /** The socket is closed; the connection may be resumed. */
  disconnected(userId: number, connectionId: string): void {
    const account = this.#accounts.get(userId)
    if (!account?.connections.delete(connectionId)) return
    account.lostAtMs = this.#clock()
    this.#onLocalChange(userId)
  }

  /** The connection has ended. */
  ended(userId: number, connectionId: string): void {
    this.disconnected(userId, connectionId)
    this.#visible.delete(connectionId)
  }

  setVisible(userId: number, connectionId: string, isVisible: boolean): void {
    const connections = this.#accounts.get(userId)?.connections
    if (!connections?.has(connectionId)) return
    this.#visible.set(connectionId, isVisible)
    connections.set(connectionId, isVisible)
    this.#onLocalChange(userId)
  }

  /** A participant of a session came in (1) or left (-1). */
  countParticipant(userId: number, change: 1 | -1): void {
    const account = this.#accountOf(userId)
    account.participants = Math.max(0, account.participants + change)
    this.#onLocalChange(userId)
  }

  summaryOf(userId: number): PresenceSummary | null {
    const account = this.#accounts.get(userId)
    const presence = account ? this.#localPresenceOf(account) : 'offline'
    if (!account || presence === 'offline') return null
    const { connections } = account
    return {
      presence,
      isConnected: connections.size > 0,
      isVisible: [...connections.values()].includes(true),
    }
  }

  onSummaryChanged(handler: (userId: number) => void): void {
    this.#summaryChanged.on(handler)
  }

  setRemote(serverId: string, userId: number, summary: PresenceSummary | null): void {
    if (!summary && !this.#accounts.has(userId)) return
    const account = this.#accountOf(userId)
    if (summary) account.remote = (account.remote ?? new Map()).set(serverId, summary)
    else {
      account.remote?.delete(serverId)
      if (account.remote?.size === 0) account.remote = null
    }
    this.#noteChange(userId, account)
  }

  removeServer(serverId: string): void {
    for (const [userId, account] of this.#accounts) {
      const summary = account.remote?.get(serverId)
      if (!summary) continue
      if (summary.isConnected) account.serverLostAtMs = this.#clock()
      this.setRemote(serverId, userId, null)
    }
  }

  /** Publishes what has changed. MUST be called about every second. */
  tick(): void {
    const changed = [...this.#changed]
    this.#changed.clear()
    const published = new Map<number, Presence>()
    for (const userId of changed) {
      const account = this.#accounts.get(userId)
      if (account) this.#publish(userId, account, published)
    }
    if (published.size > 0) this.#onChange(published)
  }

  #onLocalChange(userId: number): void {
    this.#noteChange(userId, this.#accountOf(userId))
    this.#summaryChanged.emit(userId)
  }

  #noteChange(userId: number, account: AccountPresence): void {
    account.hasDiffered ||= this.#presenceOf(account) !== account.published
    this.#changed.add(userId)
  }

  #publish(userId: number, account: AccountPresence, published: Map<number, Presence>): void {
    const presence = this.#presenceOf(account)
    if (presence !== account.published || account.hasDiffered) {
      account.published = presence
      account.hasDiffered = false
      published.set(userId, presence)
    }
    const isConnected = account.connections.size > 0 || account.participants > 0
    if (isConnected) return
    const isLocallyOffline = this.#localPresenceOf(account) === 'offline'
    // The account goes offline when the grace period is over.
    if (!isLocallyOffline || this.#isServerLost(account)) this.#changed.add(userId)
    else this.#summaryChanged.emit(userId)
    if (presence === 'offline' && !account.remote) this.#accounts.delete(userId)
  }

  #presenceOf(account: AccountPresence): Presence {
    const lost: Presence = this.#isServerLost(account) ? 'online' : 'offline'
    const all = [this.#localPresenceOf(account), lost, ...remotesOf(account).map(each => each.presence)]
    return ORDER.find(each => all.includes(each)) ?? 'offline'
  }

  #isServerLost({ serverLostAtMs }: AccountPresence): boolean {
    return this.#clock() - serverLostAtMs < OFFLINE_AFTER_MS
  }

  #localPresenceOf({ connections, participants, lostAtMs }: AccountPresence): Presence {
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
      remote: null,
      serverLostAtMs: Number.NEGATIVE_INFINITY,
      published: 'offline',
      hasDiffered: false,
    }
    this.#accounts.set(userId, account)
    return account
  }
}

const remotesOf = (account: AccountPresence | undefined): PresenceSummary[] => [
  ...(account?.remote?.values() ?? []),
]
