import { KeyedMutex } from '@lectern/common'
import { ensure, Refusal } from '@lectern/protocol'
import { openBoard } from './board/open-board.ts'
import type { SessionEventBus } from './domain-events.ts'
import type { LeasedSession } from './leases.ts'
import { abandon, end, sweep } from './lifecycle/ending.ts'
import { isClosed, isEnding } from './lifecycle/lifecycle.ts'
import { announceTakenOver, takeOver } from './lifecycle/takeover.ts'
import type { Admissions } from './lobby/admissions.ts'
import { findInsider, type Insider } from './participants/insider.ts'
import { type PlatformAction, type PlatformResult, performForPlatform } from './platform-actions.ts'
import type { Conference, EndReason, SessionParts, SessionRef, TranscriptionOptions } from './ports.ts'
import { cancelTranscription, requestTranscription } from './recording/transcription.ts'
import { LeaseLost } from './refusals.ts'
import { type Session, toOwnSession, userIdsIn } from './session.ts'
import type { Prepare, SessionRegistry } from './session-registry.ts'

/** The state that all parts of the live sessions share. */
export interface RuntimeParts extends SessionParts {
  registry: SessionRegistry
  domainEvents: SessionEventBus
}

/**
 * The sessions of conferences: runs all work on one conference in sequence, as the only owner of the mutex, and decides
 * how sessions come to this server and leave it.
 */
export class ConferenceSessions {
  readonly #parts: RuntimeParts
  readonly #admissions: Admissions
  readonly #mutex = new KeyedMutex()
  #isStopped = false

  constructor(parts: RuntimeParts, admissions: Admissions) {
    this.#parts = parts
    this.#admissions = admissions
  }

  get size(): { sessions: number; participants: number; waiting: number } {
    const sessions = this.#parts.registry.all
    const participants = sessions.reduce((sum, session) => sum + session.participants.size, 0)
    return { sessions: sessions.length, participants, waiting: this.#admissions.waiting }
  }

  /** Whether this server runs the session now; acquires it if nobody does. Throws `elsewhere`. */
  ensureHere({ tag, sessionId }: SessionRef): Promise<boolean> {
    return this.run(tag, async () => (await this.#find(tag))?.id === sessionId)
  }

  /** Ends the open session of the conference, if there is one, and every wait for it. Throws `elsewhere`. */
  end(tag: string, reason: Exclude<EndReason, 'empty'>): Promise<void> {
    return this.run(tag, async () => {
      const session = await this.#find(tag)
      if (session) await this.settle(session, () => end(this.#parts, session, reason))
      this.#admissions.dismiss(tag, reason)
    })
  }

  /** Ends every wait for the conference on this server. */
  dismissWaiters(tag: string, reason: Exclude<EndReason, 'empty'>): Promise<void> {
    return this.run(tag, () => this.#admissions.dismiss(tag, reason))
  }

  /** MUST be called when the entry of the conference has changed: admits those who need not wait any more. */
  reevaluateLobby(tag: string): Promise<void> {
    return this.run(tag, () => this.#admissions.reevaluate(tag))
  }

  /**
   * Starts a transcription for administrators, also in a partner's room. False when there is no open session. Throws
   * `elsewhere`.
   */
  async startTranscription(tag: string, options: TranscriptionOptions): Promise<boolean> {
    const start = async (session: Session) => {
      await requestTranscription(this.#parts, session, options)
      return true
    }
    return (await this.ifOngoing(tag, start)) ?? false
  }

  /** Stops a transcription, with the conditions of startTranscription. */
  async stopTranscription(tag: string): Promise<boolean> {
    const stop = async (session: Session) => {
      await cancelTranscription(this.#parts, session)
      return true
    }
    return (await this.ifOngoing(tag, stop)) ?? false
  }

  /** For the partner whose room it is. Null when there is no open session. Throws `elsewhere`. */
  performForPlatform(tag: string, action: PlatformAction): Promise<PlatformResult | null> {
    return performForPlatform(this.#parts, this, tag, action)
  }

  /** The accounts inside. Throws `elsewhere`. */
  async listInside(tag: string): Promise<ReadonlySet<number>> {
    return (await this.ifOngoing(tag, async session => userIdsIn(session))) ?? new Set()
  }

  /** Null: the account is not inside. Throws `elsewhere`. */
  findInside(tag: string, userId: number): Promise<Insider | null> {
    return this.ifOngoing(tag, async session => findInsider(session, userId))
  }

  /** The result of work on the open session of the conference; null when there is none. Throws `elsewhere`. */
  ifOngoing<T>(tag: string, work: (session: Session) => Promise<T>): Promise<T | null> {
    return this.run(tag, async () => {
      const session = await this.findOngoing(tag)
      return session ? this.settle(session, () => work(session)) : null
    })
  }

  /** Runs work on a conference, which need not have a session. */
  run<T>(tag: string, work: () => T | Promise<T>): Promise<T> {
    return this.#mutex.run(tag, work)
  }

  /** Runs work on a session, which may end it. */
  change<T>(session: Session, work: () => T | Promise<T>): Promise<T> {
    return this.run(session.tag, () => this.settle(session, work))
  }

  /**
   * The session of the conference; one whose end was decided before is ended first. MUST be called within `run`, as all
   * that follow. Throws `elsewhere`.
   */
  async findOngoing(tag: string): Promise<Session | undefined> {
    const session = await this.#find(tag)
    if (!session || !isEnding(session.lifecycle)) return session
    await this.settle(session, () => sweep(this.#parts, session))
  }

  /** Throws `elsewhere`. */
  async open(tag: string): Promise<Session> {
    ensure(!this.#isStopped, 'temporarily_unavailable', 'The server is about to stop.')
    const lobby = this.#admissions.lobbyOf(tag)
    const session = await this.#open(prepare => this.#parts.registry.open(tag, lobby, prepare))
    if (!session) throw new LeaseLost()
    return session
  }

  /** Runs a session that was vacant; null when that is not possible any more. */
  openVacant(leased: LeasedSession): Promise<Session | null> {
    const { registry } = this.#parts
    return this.#open(prepare => registry.openVacant(leased, this.#admissions.lobbyOf, prepare))
  }

  /**
   * Runs work that may close the session, and removes the session when it is closed. A session whose lease is lost stops
   * at once: nothing is stored, and its clients connect again.
   */
  async settle<T>(session: Session, work: () => T | Promise<T>): Promise<T> {
    try {
      return await work()
    } catch (error) {
      if (error instanceof LeaseLost) this.#parts.registry.lose(session)
      throw error
    } finally {
      if (isClosed(session.lifecycle)) await this.#close(session)
    }
  }

  /** Stops the session here, so that another server can acquire it. */
  async lose(session: Session): Promise<void> {
    this.#parts.registry.lose(session)
    await this.#close(session)
  }

  /** Publishes that people are inside, once for each incarnation. */
  reportStart(session: Session, { kind, settings }: Conference): void {
    if (session.isStarted) return
    session.isStarted = true
    this.#parts.domainEvents.publish('session-started', { session: toOwnSession(session), kind, settings })
  }

  /** Moves people who wait for a conference here to the server that runs its session. */
  async checkWaiters(tag: string): Promise<void> {
    if ((await this.#parts.registry.locate(tag)).is === 'remote') this.#moveWaiters(tag)
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

  /** The open session of the conference, acquired if nobody runs it. Throws `elsewhere` when another server does. */
  async #find(tag: string): Promise<Session | undefined> {
    const location = await this.#parts.registry.locate(tag)
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

  #moveWaiters(tag: string): void {
    const connectionIds = this.#admissions.takeWaiters(tag)
    if (connectionIds.length > 0) this.#parts.domainEvents.publish('waiters-misplaced', { connectionIds })
  }

  async #open(open: (prepare: Prepare) => Promise<Session | null>): Promise<Session | null> {
    let prepared: Session | undefined
    try {
      const session = await open(async each => {
        prepared = each
        const former = this.#parts.registry.formerOf(each)
        if (former) await this.lose(former) // its connections belong to the lease that is lost
        each.conference = await this.#conferenceOf(each)
        each.board = await openBoard(this.#parts, each)
        await takeOver(this.#parts, each)
      })
      if (session) this.#opened(session)
      return session
    } catch (error) {
      if (prepared) this.#parts.media.releaseRoom(prepared.id)
      throw error
    }
  }

  /** Null: the room is closed, and about to end its session. */
  #conferenceOf({ tag }: Session): Promise<Conference | null> {
    return this.#parts.directory.find(tag).catch(error => {
      if (error instanceof Refusal) return null
      throw error
    })
  }

  #opened(session: Session): void {
    this.#parts.media.openRoom({ sessionId: session.id, incarnation: session.lease.incarnation })
    announceTakenOver(this.#parts, session)
    this.#admissions.sessionOpened(session)
  }

  async #close(session: Session): Promise<void> {
    const { registry, domainEvents } = this.#parts
    const { lifecycle, id: sessionId } = session
    // The media, which continues, is released first; then the connections are closed, or they would count as people who
    // left.
    if (lifecycle.is === 'lost' && registry.has(session)) {
      this.#parts.media.releaseRoom(sessionId)
      domainEvents.publish('session-lost', { sessionId })
      this.#moveWaiters(session.tag)
      abandon(this.#parts, session)
    }
    if (!registry.end(session) || lifecycle.is !== 'ended') return
    domainEvents.publish('session-ended', { sessionId })
    await this.#admissions.sessionEnded(session, lifecycle.reason)
  }
}
