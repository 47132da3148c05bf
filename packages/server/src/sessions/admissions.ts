import { Refusal } from '@lectern/protocol'
import type { WaitReason } from '@lectern/protocol/control'
import { accountRole, admissionOf, type Circumstances, type Entrant, roleOf } from './admission.ts'
import { Lobbies } from './lobbies.ts'
import type { Lobby } from './lobby.ts'
import { isRemoved } from './policy.ts'
import type { Conference, ConnectedUser, EndReason, SessionDependencies } from './ports.ts'
import { assertOrRefuse, ConferenceRefusal } from './refusals.ts'
import type { Session } from './session.ts'

/** Who wants to come in, and what they come to. */
export interface Candidacy {
  conference: Conference
  circumstances: Circumstances
  entrant: ConnectedUser & Entrant
}

/**
 * Who enters a conference, who waits, and when a wait is over. Everything here is to be called within the turn of
 * the conference: a room that closes meanwhile ends what begins here.
 */
export class Admissions {
  readonly #deps: SessionDependencies
  readonly #openSession: (tag: string) => Session | undefined
  readonly #lobbies: Lobbies

  constructor(deps: SessionDependencies, openSession: (tag: string) => Session | undefined) {
    this.#deps = deps
    this.#openSession = openSession
    this.#lobbies = new Lobbies(deps)
  }

  get waiting(): number {
    return this.#lobbies.size
  }

  lobbyOf = (tag: string): Lobby => this.#lobbies.of(tag)

  /** Where the connection may wait. */
  tagsOf = (connectionId: string): string[] => this.#lobbies.tagsOf(connectionId)

  /** Throws `conference_not_found`, what the directory throws, or the refusal of somebody who was removed. */
  async consider(tag: string, session: Session | undefined, person: ConnectedUser): Promise<Candidacy> {
    const conference = await this.#deps.directory.find(tag)
    if (!conference) throw new Refusal('conference_not_found')
    assertOrRefuse(!session || !isRemoved(session, person), 'removed')
    const circumstances = await this.#circumstances(conference, session)
    const role = roleOf(accountRole(conference, person.userId), person.linkRole)
    return { conference, circumstances, entrant: { ...person, role } }
  }

  /** Throws unless they may enter now. */
  demandEntry({ circumstances, entrant }: Candidacy): void {
    const admission = admissionOf(circumstances, entrant)
    if (admission !== 'enter') throw new ConferenceRefusal(admission)
  }

  /** Why they wait from now on; null when they need not. */
  wait({ conference, circumstances, entrant }: Candidacy): WaitReason | null {
    const admission = admissionOf(circumstances, entrant)
    if (admission === 'enter') return null
    if (admission === 'plain_link_closed') throw new ConferenceRefusal(admission)
    this.#lobbies.enter(conference.tag, circumstances.session, entrant, admission)
    return admission
  }

  /** Nobody is inside yet. */
  sessionOpened(session: Session): void {
    this.#lobbies.announceAll(session.tag, session)
  }

  /** Somebody is inside: the wait of the account is over, on its other connections too. */
  entered(session: Session, userId: number): void {
    this.#lobbies.stop(session.tag, session, userId, 'admitted')
  }

  leave(tag: string, connectionId: string): void {
    this.#lobbies.leave(tag, this.#openSession(tag), connectionId)
    this.#forgetIdle(tag)
  }

  /** Whoever need not wait any more is asked in. What fails is tried again by the sweep. */
  async reconsider(tag: string): Promise<void> {
    const lobby = this.#lobbies.of(tag)
    lobby.isStale = lobby.waiters.size > 0
    if (!lobby.isStale) return
    try {
      const conference = await this.#deps.directory.find(tag)
      if (!conference) this.dismiss(tag, 'closed')
      else this.#lobbies.reconsider(tag, await this.#circumstances(conference, this.#openSession(tag)))
      lobby.isStale = false
    } catch (error) {
      if (error instanceof Refusal && error.code === 'room_cancelled') this.dismiss(tag, 'cancelled')
      if (error instanceof Refusal && error.code === 'room_closed') this.dismiss(tag, 'closed')
    }
  }

  /** What the people in the lobby wait for does not come. */
  dismiss(tag: string, status: Exclude<EndReason, 'empty'>): void {
    this.#lobbies.dismiss(tag, status)
    this.#forgetIdle(tag)
  }

  /** The session is over, and not open any more. */
  async sessionEnded({ tag, kind, ending }: Session): Promise<void> {
    if (ending === 'closed' || ending === 'cancelled') this.dismiss(tag, ending)
    // In a conference that users made anybody may begin the next session, so nobody waits for it.
    else if (ending === 'ended' && kind === 'ordinary') this.dismiss(tag, ending)
    else await this.reconsider(tag)
    this.#forgetIdle(tag)
  }

  /** The conferences whose lobby has to be swept. */
  due = (): string[] => this.#lobbies.due()

  async sweep(tag: string): Promise<void> {
    this.#lobbies.sweep(tag, this.#openSession(tag))
    if (this.#lobbies.of(tag).isStale) await this.reconsider(tag)
    this.#forgetIdle(tag)
  }

  #forgetIdle(tag: string): void {
    if (!this.#openSession(tag)) this.#lobbies.forgetIdle(tag)
  }

  async #circumstances(conference: Conference, session: Session | undefined): Promise<Circumstances> {
    const { kind, tag } = conference
    const isHeld = !session && kind === 'partner' && (await this.#deps.sessions.lastEnd(tag)) === 'ended'
    return { conference, session, isHeld }
  }
}
