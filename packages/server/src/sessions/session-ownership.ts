import { ensure } from '@lectern/protocol'
import type { Admissions } from './admissions.ts'
import type { SessionEventBus } from './domain-events.ts'
import { abandon } from './ending.ts'
import { isClosed } from './lifecycle.ts'
import type { SessionDependencies } from './ports.ts'
import { LeaseLost } from './refusals.ts'
import type { Session } from './session.ts'
import type { SessionRegistry } from './session-registry.ts'

interface Dependencies extends SessionDependencies {
  registry: SessionRegistry
  domainEvents: SessionEventBus
}

/** How sessions come to this server and leave it. Callers MUST hold the mutex of the conference. */
export class SessionOwnership {
  readonly #deps: Dependencies
  readonly #admissions: Admissions
  #isStopped = false

  constructor(deps: Dependencies, admissions: Admissions) {
    this.#deps = deps
    this.#admissions = admissions
  }

  /**
   * The session of the conference, if one is open, acquired if nobody runs it. Throws `elsewhere` when another server
   * does.
   */
  async find(tag: string): Promise<Session | undefined> {
    const location = await this.#deps.registry.locate(tag)
    switch (location.is) {
      case 'local':
        return location.session
      case 'none':
        return undefined
      case 'remote':
        throw new LeaseLost()
      case 'vacant':
        return this.open(tag)
    }
  }

  /** Throws `elsewhere`. */
  async open(tag: string): Promise<Session> {
    ensure(!this.#isStopped, 'temporarily_unavailable', 'The server is about to stop.')
    const session = await this.#deps.registry.open(tag, this.#admissions.lobbyOf(tag))
    if (!session) throw new LeaseLost()
    return this.#opened(session)
  }

  /** Runs a session that was vacant; null when that is not possible any more. */
  async openVacant(...vacant: Parameters<SessionRegistry['openVacant']>): Promise<Session | null> {
    const session = await this.#deps.registry.openVacant(...vacant)
    return session && this.#opened(session)
  }

  /**
   * Runs work that may close the session, and removes the session when it is closed. A session whose lease is lost stops
   * at once: nothing is stored, and its clients connect again.
   */
  async settle<T>(session: Session, work: () => T | Promise<T>): Promise<T> {
    try {
      return await work()
    } catch (error) {
      if (error instanceof LeaseLost) this.#deps.registry.lose(session)
      throw error
    } finally {
      if (isClosed(session.lifecycle)) await this.#close(session)
    }
  }

  /** Stops the session here, so that another server can acquire it. */
  async lose(session: Session): Promise<void> {
    this.#deps.registry.lose(session)
    await this.#close(session)
  }

  get isStopped(): boolean {
    return this.#isStopped
  }

  /** Nothing is opened any more, until `resume`. */
  stop(): void {
    this.#isStopped = true
  }

  resume(): void {
    this.#isStopped = false
  }

  /** People who wait for a conference here, while another server runs its session, come back there. */
  async checkWaiters(tag: string): Promise<void> {
    if ((await this.#deps.registry.locate(tag)).is === 'remote') this.#moveWaiters(tag)
  }

  #moveWaiters(tag: string): void {
    const connectionIds = this.#admissions.takeWaiters(tag)
    if (connectionIds.length > 0) this.#deps.domainEvents.publish('waiters-misplaced', { connectionIds })
  }

  #opened(session: Session): Session {
    this.#deps.media.openRoom({ sessionId: session.id, incarnation: session.lease.incarnation })
    this.#admissions.sessionOpened(session)
    return session
  }

  async #close(session: Session): Promise<void> {
    const { registry, domainEvents } = this.#deps
    const { lifecycle, id: sessionId } = session
    // Whatever connections are inside are closed before they could be taken for people who left.
    if (lifecycle.is === 'lost' && registry.has(session)) {
      domainEvents.publish('session-lost', { sessionId })
      this.#moveWaiters(session.tag)
      abandon(this.#deps, session)
    }
    if (!registry.end(session) || lifecycle.is !== 'ended') return
    domainEvents.publish('session-ended', { sessionId })
    await this.#admissions.sessionEnded(session, lifecycle.reason)
  }
}
