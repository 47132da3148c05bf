import { Refusal } from '@lectern/protocol'
import type { WaitReason } from '@lectern/protocol/control'
import { type AdmissionContext, type AdmissionSubject, decideAdmission } from './admission.ts'
import { Lobbies } from './lobbies.ts'
import type { Lobby } from './lobby-state.ts'
import { isRemoved } from './policy.ts'
import type { Conference, ConnectedUser, EndReason, SessionDependencies } from './ports.ts'
import { assertOrRefuse, ConferenceRefusal } from './refusals.ts'
import { resolveRole } from './roles.ts'
import type { Session } from './session.ts'

/** A request to enter a conference, with everything that the decision depends on. */
export interface EvaluatedEntry {
  conference: Conference
  context: AdmissionContext
  user: ConnectedUser & AdmissionSubject
}

/**
 * Decides who enters a conference, who waits, and when a wait ends. Callers MUST hold the mutex of the conference:
 * closing a room then also ends the waits that begin here.
 */
export class Admissions {
  readonly #deps: SessionDependencies
  readonly #getSession: (tag: string) => Session | undefined
  readonly #lobbies: Lobbies

  constructor(deps: SessionDependencies, getSession: (tag: string) => Session | undefined) {
    this.#deps = deps
    this.#getSession = getSession
    this.#lobbies = new Lobbies(deps)
  }

  get waiting(): number {
    return this.#lobbies.size
  }

  lobbyOf = (tag: string): Lobby => this.#lobbies.of(tag)

  /** The conferences in whose lobbies the connection may be. */
  tagsOf = (connectionId: string): string[] => this.#lobbies.tagsOf(connectionId)

  /** Throws `conference_not_found`, what the directory throws, or the refusal of somebody who was removed. */
  async evaluate(tag: string, session: Session | undefined, person: ConnectedUser): Promise<EvaluatedEntry> {
    const conference = await this.#deps.directory.find(tag)
    if (!conference) throw new Refusal('conference_not_found')
    assertOrRefuse(!session || !isRemoved(session, person), 'removed')
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
  assertMayEnter({ context, user }: EvaluatedEntry): void {
    const admission = decideAdmission(context, user)
    if (admission !== 'enter') throw new ConferenceRefusal(admission)
  }

  /** Enters the lobby and gives the reason of the wait; null when no wait is needed. */
  wait({ conference, context, user }: EvaluatedEntry): WaitReason | null {
    const admission = decideAdmission(context, user)
    if (admission === 'enter') return null
    if (admission === 'plain_link_closed') throw new ConferenceRefusal(admission)
    this.#lobbies.enter(conference.tag, context.session, user, admission)
    return admission
  }

  /** MUST be called before the first participant enters. */
  sessionOpened(session: Session): void {
    this.#lobbies.announceAll(session.tag, session)
  }

  /** Ends the wait of an account that is inside now, on its other connections too. */
  entered(session: Session, userId: number): void {
    this.#lobbies.stop(session.tag, session, userId, 'admitted')
  }

  leave(tag: string, connectionId: string): void {
    this.#lobbies.leave(tag, this.#getSession(tag), connectionId)
    this.#forgetIdle(tag)
  }

  /** Admits those who need not wait any more. The sweep retries a failure. */
  async reevaluate(tag: string): Promise<void> {
    const lobby = this.#lobbies.of(tag)
    lobby.isStale = lobby.waiters.size > 0
    if (!lobby.isStale) return
    try {
      const conference = await this.#deps.directory.find(tag)
      if (!conference) this.dismiss(tag, 'closed')
      else this.#lobbies.reevaluate(tag, await this.#admissionContext(conference, this.#getSession(tag)))
      lobby.isStale = false
    } catch (error) {
      const code = error instanceof Refusal ? error.code : null
      if (code === 'room_cancelled') this.dismiss(tag, 'cancelled')
      else if (code === 'room_closed') this.dismiss(tag, 'closed')
      else this.#deps.onFailure('people who wait could not be considered yet')(error)
    }
  }

  /** Ends all waits of the conference. */
  dismiss(tag: string, status: Exclude<EndReason, 'empty'>): void {
    this.#lobbies.dismiss(tag, status)
    this.#forgetIdle(tag)
  }

  /** Removes all waits of the conference, which continue on another server, and returns their connections. */
  takeWaiters(tag: string): string[] {
    const connectionIds = this.#lobbies.take(tag)
    this.#forgetIdle(tag)
    return connectionIds
  }

  /** The conferences without a session here for which people wait. */
  withoutSession = (): string[] => this.#lobbies.waitedFor().filter(tag => !this.#getSession(tag))

  /** MUST be called when the registry does not hold the session any more. */
  async sessionEnded({ tag, conference }: Session, reason: EndReason): Promise<void> {
    if (reason === 'closed' || reason === 'cancelled') this.dismiss(tag, reason)
    // Anybody may start the next session of an ordinary conference, so nobody waits for it.
    else if (reason === 'ended' && conference?.kind === 'ordinary') this.dismiss(tag, reason)
    else await this.reevaluate(tag)
    this.#forgetIdle(tag)
  }

  /** The conferences whose lobbies have to be swept. */
  due = (): string[] => this.#lobbies.due()

  async sweep(tag: string): Promise<void> {
    this.#lobbies.sweep(tag, this.#getSession(tag))
    if (this.#lobbies.of(tag).isStale) await this.reevaluate(tag)
    this.#forgetIdle(tag)
  }

  #forgetIdle(tag: string): void {
    if (!this.#getSession(tag)) this.#lobbies.forgetIdle(tag)
  }

  async #admissionContext(conference: Conference, session: Session | undefined): Promise<AdmissionContext> {
    const { kind, tag } = conference
    const isHeldForModerator =
      !session && kind === 'partner' && (await this.#deps.sessions.lastEnd(tag)) === 'ended'
    return { conference, session, isHeldForModerator }
  }
}
