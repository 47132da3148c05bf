import type { SessionState } from '@lectern/protocol/control'
import { readTail } from './chat.ts'
import type { LeasedSession, SessionLeases } from './leases.ts'
import { isClosed, onLeaseLost } from './lifecycle/lifecycle.ts'

import type { ChatStore, SessionOwner } from './ports.ts'
import { presentSession } from './present.ts'
import { assertHeld } from './refusals.ts'
import { type Lobby, restoreSession, type Session } from './session.ts'

/**
 * The location of a session. With local leases, every open session is local. `vacant`: it is open, but its server is
 * dead or has handed it over; the server that opens it runs it.
 */
export type SessionLocation =
  | { is: 'local'; session: Session }
  | { is: 'remote'; owner: Extract<SessionOwner, { is: 'server' }> }
  | { is: 'vacant' }
  | { is: 'none' }

interface RegistryParts {
  leases: SessionLeases
  chat: Pick<ChatStore, 'page'>
  clock: () => number
  monotonicMs: () => number
}

type LobbyOf = (tag: string) => Lobby
/** Completes a session before anybody sees it. */
export type Prepare = (session: Session) => Promise<void>

/**
 * The live sessions: at most one of each conference, each run by the server that holds its lease. Callers that open
 * or end a session MUST hold the mutex of its conference.
 */
export class SessionRegistry {
  readonly #parts: RegistryParts
  readonly #byTag = new Map<string, Session>()
  readonly #byId = new Map<number, Session>()

  constructor(parts: RegistryParts) {
    this.#parts = parts
  }

  /** The owner that is stored with the sessions of this server; null while it runs none. */
  get owner(): string | null {
    return this.#parts.leases.owner
  }

  /** The sessions that this server runs. */
  get all(): Session[] {
    return [...this.#byId.values()]
  }

  /** The number of `all`. Costs the same with any number: it is read whenever the members of a cluster are listed. */
  get size(): number {
    return this.#byId.size
  }

  /** The sessions of `all` whose lease this server holds at this moment. */
  get held(): Session[] {
    return this.all.filter(({ lease }) => this.#parts.leases.check(lease) === 'held')
  }

  /** The session of the conference, if this server runs it and holds its lease at this moment. */
  getByTag = (tag: string): Session | undefined => this.#ifHeld(this.#byTag.get(tag))

  /** The session, under the conditions of getByTag. */
  get = (sessionId: number): Session | undefined => this.#ifHeld(this.#byId.get(sessionId))

  /** `get` that throws `elsewhere` while it is not sure whether this server still holds the lease. */
  find(sessionId: number): Session | undefined {
    const session = this.#byId.get(sessionId)
    if (session) assertHeld(this.#parts.leases.check(session.lease) === 'held')
    return session
  }

  /** The session, while it is not sure whether this server still holds its lease. */
  getUnsure(sessionId: number): Session | undefined {
    const session = this.#byId.get(sessionId)
    return session && this.#parts.leases.check(session.lease) === 'unsure' ? session : undefined
  }

  /** The session of the conference, even while its lease is uncertain; undefined once the lease is lost. */
  getRunning(tag: string): Session | undefined {
    const session = this.#byTag.get(tag)
    return session && this.#parts.leases.check(session.lease) !== 'lost' ? session : undefined
  }

  async locate(tag: string): Promise<SessionLocation> {
    const session = this.getByTag(tag)
    return session ? { is: 'local', session } : this.#locateElsewhere(tag)
  }

  /** Whether a session of the conference is open on any server. */
  async isLive(tag: string): Promise<boolean> {
    return this.#byTag.has(tag) || (await this.#parts.leases.findOwner({ tag })) !== null
  }

  /** The live ones among the conferences, as isLive says. */
  async listLive(tags: readonly string[]): Promise<ReadonlySet<string>> {
    const [here, others] = [
      tags.filter(tag => this.#byTag.has(tag)),
      tags.filter(tag => !this.#byTag.has(tag)),
    ]
    return new Set([...here, ...(await this.#parts.leases.listOpen(others))])
  }

  /** The state after the last event published; null when this server does not run the session. */
  state = (sessionId: number): { state: SessionState; version: number } | null => {
    const session = this.#byId.get(sessionId)
    return session ? { state: presentSession(session), version: session.version } : null
  }

  /** Opens the session of a conference that this server does not run yet. Null: another server runs it. */
  async open(tag: string, lobby: Lobby, prepare: Prepare): Promise<Session | null> {
    const result = await this.#parts.leases.acquire(tag, this.#parts.clock())
    return result.is === 'held' ? null : this.#add(result, lobby, prepare)
  }

  /** The sessions that nobody runs; each is opened by `openVacant`. */
  listVacant(): Promise<LeasedSession[]> {
    return this.#parts.leases.acquireVacant()
  }

  /** Runs a session that `listVacant` has given; null when this server runs it already, or has lost it again. */
  async openVacant(leased: LeasedSession, lobbyOf: LobbyOf, prepare: Prepare): Promise<Session | null> {
    const { tag, sessionId } = leased.stored
    const known = this.#byId.get(sessionId)
    if (known && known.lease.incarnation >= leased.lease.incarnation) return null
    return this.#add(leased, lobbyOf(tag), prepare)
  }

  /** Renews the leases and gives the sessions that are lost. Nothing may be stored for them any more. */
  async renewLeases(): Promise<Session[]> {
    await this.#parts.leases.renew()
    return this.all.filter(({ lease }) => this.#parts.leases.check(lease) === 'lost')
  }

  /** Hands over all sessions of this server. */
  releaseAll(): Promise<void> {
    return this.#parts.leases.releaseAll()
  }

  /** Sessions are acquired again after `releaseAll`. */
  resumeLeases(): Promise<void> {
    return this.#parts.leases.resume()
  }

  /** Removes a session if it is closed, and releases its lease. True when this call has removed it. */
  end(session: Session): boolean {
    if (!isClosed(session.lifecycle) || !this.has(session)) return false
    this.#byId.delete(session.id)
    if (this.#byTag.get(session.tag) === session) this.#byTag.delete(session.tag)
    void this.#parts.leases.release(session.lease)
    return true
  }

  /**
   * The session that this server ran under a lease that it has lost without noticing, when it acquires the session
   * again.
   */
  formerOf(session: Session): Session | undefined {
    const known = this.#byId.get(session.id)
    return known === session ? undefined : known
  }

  has(session: Session): boolean {
    return this.#byId.get(session.id) === session
  }

  /** The lease of the session is lost. */
  lose(session: Session): void {
    session.lifecycle = onLeaseLost(session.lifecycle)
  }

  #ifHeld(session: Session | undefined): Session | undefined {
    return session && this.#parts.leases.check(session.lease) === 'held' ? session : undefined
  }

  async #add({ lease, stored }: LeasedSession, lobby: Lobby, prepare: Prepare): Promise<Session> {
    try {
      const tail = await readTail(this.#parts.chat, stored.chatId)
      const session = restoreSession(stored, lease, tail, lobby, this.#parts.monotonicMs())
      await prepare(session)
      assertHeld(this.#parts.leases.check(lease) === 'held')
      this.#byTag.set(session.tag, session)
      this.#byId.set(session.id, session)
      return session
    } catch (error) {
      void this.#parts.leases.release(lease)
      throw error
    }
  }

  async #locateElsewhere(tag: string): Promise<SessionLocation> {
    const { leases } = this.#parts
    const owner = await leases.findOwner({ tag })
    if (owner === null) return { is: 'none' }
    // Acquired without being opened: nobody runs it.
    const isUnopened = owner.is === 'server' && owner.id === leases.serverId && !this.#byTag.has(tag)
    return owner.is === 'nobody' || isUnopened ? { is: 'vacant' } : { is: 'remote', owner }
  }
}
