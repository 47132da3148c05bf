import { Refusal } from '@lectern/protocol'
import type { WaitReason } from '@lectern/protocol/control'
import { WAIT_MAX_MS, WAITS_OF_CONNECTION_MAX } from '../limits.ts'
import { resolveRole } from '../participants/roles.ts'
import { isMember, isRemoved } from '../policy.ts'
import type { Conference, ConnectedUser, EndReason, SessionParts } from '../ports.ts'
import { assertOrRefuse, ConferenceRefusal } from '../refusals.ts'
import type { Lobby, Session } from '../session.ts'
import type { SessionRegistry } from '../session-registry.ts'
import { type AdmissionContext, type AdmissionSubject, decideAdmission } from './admission-rules.ts'
import { announce, changeReason, isIdle, type LobbyContext, makeLobby, stopWaiting, wait } from './lobby.ts'

/** A request to enter a conference, with everything that the decision depends on. */
export interface EvaluatedEntry {
  conference: Conference
  context: AdmissionContext
  user: ConnectedUser & AdmissionSubject
}

/**
 * All lobbies: who enters a conference, who waits, and when a wait ends. Callers MUST hold the mutex of the conference:
 * closing a room then also ends the waits that begin here.
 */
export class Admissions {
  readonly #parts: SessionParts
  readonly #registry: Pick<SessionRegistry, 'getRunning'>
  readonly #lobbies = new Map<string, Lobby>()
  readonly #tagsOf = new Map<string, Set<string>>()

  constructor(parts: SessionParts, registry: Pick<SessionRegistry, 'getRunning'>) {
    this.#parts = parts
    this.#registry = registry
  }

  /** The number of waiting accounts, counted once for each conference. */
  get waiting(): number {
    let waiters = 0
    for (const lobby of this.#lobbies.values()) waiters += lobby.waiters.size
    return waiters
  }

  lobbyOf = (tag: string): Lobby => {
    const lobby = this.#lobbies.get(tag) ?? makeLobby(tag)
    this.#lobbies.set(tag, lobby)
    return lobby
  }

  /** The conferences for which the connection has waited; some of these waits may be over. */
  tagsOf = (connectionId: string): string[] => [...(this.#tagsOf.get(connectionId) ?? [])]

  /** Throws `conference_not_found`, or what the directory throws. */
  async evaluate(tag: string, session: Session | undefined, person: ConnectedUser): Promise<EvaluatedEntry> {
    const conference = await this.#parts.directory.find(tag)
    if (!conference) throw new Refusal('conference_not_found')
    const context = await this.#admissionContext(conference, session)
    const role = resolveRole(conference, person)
    return { conference, context, user: { ...person, role } }
  }

  /** Null for a person who cannot enter now without waiting. */
  async findEntry(tag: string, session: Session, person: ConnectedUser): Promise<EvaluatedEntry | null> {
    try {
      const entry = await this.evaluate(tag, session, person)
      return decideAdmission(entry.context, entry.user) === 'enter' ? entry : null
    } catch (error) {
      if (error instanceof Refusal && error.code !== 'temporarily_unavailable') return null
      throw error
    }
  }

  /** Throws unless they may enter now. */
  assertMayEnter(entry: EvaluatedEntry): void {
    const { session } = entry.context
    assertOrRefuse(!session || !isRemoved(session, entry.user), 'removed')
    const admission = decideAdmission(entry.context, entry.user)
    if (admission !== 'enter') throw new ConferenceRefusal(admission)
    this.#assertNotDenied(entry)
  }

  /** Enters the lobby and gives the reason of the wait; null when no wait is needed. */
  wait(entry: EvaluatedEntry): WaitReason | null {
    const { conference, context, user } = entry
    const { tag } = conference
    const admission = decideAdmission(context, user)
    if (admission === 'plain_link_closed') throw new ConferenceRefusal(admission)
    this.#assertNotDenied(entry)
    if (admission === 'enter') return null
    const waits = this.#waitsOf(user.connectionId)
    assertOrRefuse(waits.has(tag) || waits.size < WAITS_OF_CONNECTION_MAX, 'too_many_waits')
    const lobbyContext = this.#lobbyContext(tag, context.session)
    const isNew = !lobbyContext.lobby.waiters.has(user.userId)
    wait(lobbyContext, user, admission)
    if (isNew && conference.kind === 'partner') this.#noteWaiting(tag, user)
    this.#tagsOf.set(user.connectionId, waits.add(tag))
    return admission
  }

  /** Publishes the lobby to a session that has just started. MUST be called before the first participant enters. */
  sessionOpened(session: Session): void {
    const context = this.#lobbyContext(session.tag, session)
    for (const userId of context.lobby.waiters.keys()) announce(context, userId)
  }

  /** Ends the wait of an account that is inside now, on its other connections too. */
  entered(session: Session, userId: number): void {
    stopWaiting(this.#lobbyContext(session.tag, session), { userId }, 'admitted')
  }

  /** Ends the wait of one connection; the account still waits on its others. */
  leave(tag: string, connectionId: string): void {
    this.#tagsOf.get(connectionId)?.delete(tag)
    if (this.#tagsOf.get(connectionId)?.size === 0) this.#tagsOf.delete(connectionId)
    const context = this.#lobbyContext(tag, this.#registry.getRunning(tag))
    for (const waiter of context.lobby.waiters.values())
      if (waiter.connections.delete(connectionId) && waiter.connections.size === 0)
        stopWaiting(context, waiter, 'left')
    this.#forgetIdle(tag)
  }

  /** Admits those who need not wait any more, and updates the reasons of the others. The sweep retries a failure. */
  async reevaluate(tag: string): Promise<void> {
    const lobby = this.#lobbies.get(tag)
    if (lobby) lobby.isStale = lobby.waiters.size > 0
    if (!lobby?.isStale) return
    try {
      const conference = await this.#parts.directory.find(tag)
      if (!conference) this.dismiss(tag, 'closed')
      else this.#decideAgain(tag, await this.#admissionContext(conference, this.#registry.getRunning(tag)))
      lobby.isStale = false
    } catch (error) {
      const code = error instanceof Refusal ? error.code : null
      if (code === 'room_cancelled') this.dismiss(tag, 'cancelled')
      else if (code === 'room_closed') this.dismiss(tag, 'closed')
      else this.#parts.onFailure('people who wait could not be considered yet')(error)
    }
  }

  /** Ends all waits of the conference. */
  dismiss(tag: string, status: Exclude<EndReason, 'empty'>): void {
    const context = this.#lobbyContext(tag, undefined)
    for (const waiter of [...context.lobby.waiters.values()]) stopWaiting(context, waiter, status)
    this.#forgetIdle(tag)
  }

  /** Removes all waits of the conference, which continue on another server, and returns their connections. */
  takeWaiters(tag: string): string[] {
    const { waiters } = this.lobbyOf(tag)
    const connectionIds = [...waiters.values()].flatMap(({ connections }) => [...connections])
    waiters.clear()
    this.#forgetIdle(tag)
    return connectionIds
  }

  /** The conferences without a session here for which people wait. */
  withoutSession(): string[] {
    const waitedFor = [...this.#lobbies.values()].filter(({ waiters }) => waiters.size > 0)
    return waitedFor.map(({ tag }) => tag).filter(tag => !this.#registry.getRunning(tag))
  }

  /** MUST be called when the registry does not hold the session any more. */
  async sessionEnded({ tag, conference }: Session, reason: EndReason): Promise<void> {
    if (reason === 'closed' || reason === 'cancelled') this.dismiss(tag, reason)
    // Anybody may start the next session of an ordinary conference, so nobody waits for it.
    else if (reason === 'ended' && conference?.kind === 'ordinary') this.dismiss(tag, reason)
    else await this.reevaluate(tag)
    this.#forgetIdle(tag)
  }

  /** The conferences whose lobbies have to be swept. Cheap: it runs every second. */
  due(): string[] {
    const now = this.#parts.monotonicMs()
    const due: string[] = []
    for (const [tag, lobby] of this.#lobbies) {
      const [first] = lobby.waiters.values()
      const [deniedUntil] = lobby.denied.values()
      const isTimedOut = first !== undefined && now - first.beganAtMs >= WAIT_MAX_MS
      if (lobby.isStale || isTimedOut || (deniedUntil !== undefined && deniedUntil <= now)) due.push(tag)
    }
    return due
  }

  async sweep(tag: string): Promise<void> {
    const context = this.#lobbyContext(tag, this.#registry.getRunning(tag))
    const now = this.#parts.monotonicMs()
    const { denied, waiters } = context.lobby
    for (const [userId, until] of denied) if (until <= now) denied.delete(userId)
    for (const waiter of [...waiters.values()])
      if (now - waiter.beganAtMs >= WAIT_MAX_MS) stopWaiting(context, waiter, 'timed_out')
    if (this.lobbyOf(tag).isStale) await this.reevaluate(tag)
    this.#forgetIdle(tag)
  }

  /** Rule A7 holds even where nobody has to wait any more. */
  #assertNotDenied({ conference, context: { session }, user }: EvaluatedEntry): void {
    if (user.role === 'moderator' || (session && isMember(session, user.userId))) return
    const deniedUntil = this.#lobbies.get(conference.tag)?.denied.get(user.userId) ?? 0
    assertOrRefuse(deniedUntil <= this.#parts.monotonicMs(), 'denied')
  }

  #decideAgain(tag: string, admissionContext: AdmissionContext): void {
    const context = this.#lobbyContext(tag, admissionContext.session)
    for (const waiter of [...context.lobby.waiters.values()]) {
      const admission = decideAdmission(admissionContext, waiter)
      if (admission === 'enter') stopWaiting(context, waiter, 'admitted')
      else if (admission === 'plain_link_closed') stopWaiting(context, waiter, 'closed')
      else changeReason(context, waiter, admission)
    }
  }

  #noteWaiting(tag: string, { userId, displayName, role }: ConnectedUser & AdmissionSubject): void {
    const { attendance, clock, onFailure } = this.#parts
    attendance
      .waiting(tag, { userId, displayName, role }, clock())
      .catch(onFailure('a partner is not notified of somebody who waits'))
  }

  /** Deletes the lobby if it holds nothing, unless a session refers to it. */
  #forgetIdle(tag: string): void {
    const lobby = this.#lobbies.get(tag)
    if (lobby && isIdle(lobby) && !this.#registry.getRunning(tag)) this.#lobbies.delete(tag)
  }

  #waitsOf(connectionId: string): Set<string> {
    const isWaiting = (tag: string) =>
      [...(this.#lobbies.get(tag)?.waiters.values() ?? [])].some(each => each.connections.has(connectionId))
    return new Set(this.tagsOf(connectionId).filter(isWaiting))
  }

  #lobbyContext = (tag: string, session: Session | undefined): LobbyContext => ({
    parts: this.#parts,
    lobby: session?.lobby ?? this.lobbyOf(tag),
    session,
  })

  async #admissionContext(conference: Conference, session: Session | undefined): Promise<AdmissionContext> {
    const { kind, tag } = conference
    const isHeldForModerator =
      !session && kind === 'partner' && (await this.#parts.sessions.lastEnd(tag)) === 'ended'
    return { conference, session, isHeldForModerator }
  }
}
