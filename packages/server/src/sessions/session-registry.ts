import type { SessionState } from '@lectern/protocol/control'
import { readTail } from './chat.ts'
import type { LeasedSession, ServerId, SessionLeases } from './leases.ts'
import { isClosed, onLeaseLost } from './lifecycle.ts'
import type { Lobby } from './lobby-state.ts'
import type { ChatStore } from './ports.ts'
import { presentSession } from './present.ts'
import { restoreSession, type Session } from './session.ts'

/** Where a session runs. With local leases only, no session is remote. */
export type SessionLocation =
  | { is: 'local'; session: Session }
  | { is: 'remote'; owner: ServerId }
  | { is: 'none' }

interface RegistryDependencies {
  leases: SessionLeases
  chat: Pick<ChatStore, 'page'>
  clock: () => number
}

type LobbyOf = (tag: string) => Lobby

/**
 * The live sessions: at most one of each conference, each run by the server that holds its lease. Callers that open
 * or end a session MUST hold the mutex of its conference.
 */
export class SessionRegistry {
  readonly #deps: RegistryDependencies
  readonly #byTag = new Map<string, Session>()
  readonly #byId = new Map<number, Session>()

  constructor(deps: RegistryDependencies) {
    this.#deps = deps
  }

  /** The sessions that this server runs. */
  get all(): Session[] {
    return [...this.#byId.values()]
  }

  /** The session of the conference, if this server runs it. */
  getByTag = (tag: string): Session | undefined => this.#byTag.get(tag)

  /** The session, if this server runs it. */
  get = (sessionId: number): Session | undefined => this.#byId.get(sessionId)

  async locate(tag: string): Promise<SessionLocation> {
    const session = this.#byTag.get(tag)
    return session ? { is: 'local', session } : this.#locateElsewhere({ tag })
  }

  async locateById(sessionId: number): Promise<SessionLocation> {
    const session = this.#byId.get(sessionId)
    return session ? { is: 'local', session } : this.#locateElsewhere({ sessionId })
  }

  /** Whether a session of the conference is open on any server. */
  async isLive(tag: string): Promise<boolean> {
    return this.#byTag.has(tag) || (await this.#deps.leases.findOwner({ tag })) !== null
  }

  /** The state after the last event published; null when this server does not run the session. */
  state = (sessionId: number): { state: SessionState; version: number } | null => {
    const session = this.#byId.get(sessionId)
    return session ? { state: presentSession(session), version: session.version } : null
  }

  /** Opens the session of a conference that this server does not run yet. */
  async open(tag: string, lobby: Lobby): Promise<Exclude<SessionLocation, { is: 'none' }>> {
    const result = await this.#deps.leases.acquire(tag, this.#deps.clock())
    if (result.is === 'held') return { is: 'remote', owner: result.owner }
    return { is: 'local', session: await this.#add(result, lobby) }
  }

  /** Takes over the sessions that a stopped server has left open. */
  async restore(lobbyOf: LobbyOf): Promise<Session[]> {
    const sessions: Session[] = []
    for (const leased of await this.#deps.leases.acquireExpired())
      sessions.push(await this.#add(leased, lobbyOf(leased.stored.tag)))
    return sessions
  }

  /** Renews all leases and gives the sessions that were lost, which are closed here. */
  async renewLeases(): Promise<Session[]> {
    const lost = await this.#deps.leases.renew(this.all.map(({ lease }) => lease))
    return lost.flatMap(({ sessionId }) => {
      const session = this.#byId.get(sessionId)
      if (!session) return []
      session.lifecycle = onLeaseLost(session.lifecycle)
      return [session]
    })
  }

  /** Removes a session if it is closed, and releases its lease. True when this call has removed it. */
  end(session: Session): boolean {
    if (!isClosed(session.lifecycle) || !this.#byId.delete(session.id)) return false
    if (this.#byTag.get(session.tag) === session) this.#byTag.delete(session.tag)
    // A lease that cannot be released runs out by itself.
    if (session.lifecycle.is === 'ended') this.#deps.leases.release(session.lease).catch(() => {})
    return true
  }

  async #add({ lease, stored }: LeasedSession, lobby: Lobby): Promise<Session> {
    const tail = await readTail(this.#deps.chat, stored.chatId)
    const session = restoreSession(stored, lease, tail, lobby, this.#deps.clock())
    this.#byTag.set(session.tag, session)
    this.#byId.set(session.id, session)
    return session
  }

  async #locateElsewhere(key: { tag: string } | { sessionId: number }): Promise<SessionLocation> {
    const owner = await this.#deps.leases.findOwner(key)
    return owner === null ? { is: 'none' } : { is: 'remote', owner }
  }
}
