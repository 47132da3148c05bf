import type { WaitReason } from '@lectern/protocol/control'
import { admissionOf, type Circumstances, type Entrant } from './admission.ts'
import { WAIT_MAX_MS, WAITS_OF_CONNECTION_MAX } from './limits.ts'
import {
  announce,
  changeReason,
  demandNotDenied,
  isIdle,
  type Lobby,
  type LobbyContext,
  makeLobby,
  stopWaiting,
  wait,
} from './lobby.ts'
import type { ConnectedUser, EndReason, SessionDependencies } from './ports.ts'
import { assertOrRefuse } from './refusals.ts'
import type { Session } from './session.ts'

/** All lobbies, and which connections wait in them. Callers take care that each conference does one thing at a time. */
export class Lobbies {
  readonly #deps: SessionDependencies
  readonly #byTag = new Map<string, Lobby>()
  readonly #tagsOf = new Map<string, Set<string>>()

  constructor(deps: SessionDependencies) {
    this.#deps = deps
  }

  /** How many accounts wait, each conference for itself. */
  get size(): number {
    let waiters = 0
    for (const lobby of this.#byTag.values()) waiters += lobby.waiters.size
    return waiters
  }

  of(tag: string): Lobby {
    const lobby = this.#byTag.get(tag) ?? makeLobby(tag)
    this.#byTag.set(tag, lobby)
    return lobby
  }

  /** Where the connection has waited since it began; some of it may be over. */
  tagsOf = (connectionId: string): string[] => [...(this.#tagsOf.get(connectionId) ?? [])]

  enter(
    tag: string,
    session: Session | undefined,
    person: ConnectedUser & Entrant,
    reason: WaitReason,
  ): void {
    const context = this.#context(tag, session)
    demandNotDenied(context, person)
    const waits = this.#waitsOf(person.connectionId)
    assertOrRefuse(waits.has(tag) || waits.size < WAITS_OF_CONNECTION_MAX, 'too_many_waits')
    wait(context, person, reason)
    this.#tagsOf.set(person.connectionId, waits.add(tag))
  }

  /** One connection waits no more; the account does while another one waits. */
  leave(tag: string, session: Session | undefined, connectionId: string): void {
    this.#tagsOf.get(connectionId)?.delete(tag)
    if (this.#tagsOf.get(connectionId)?.size === 0) this.#tagsOf.delete(connectionId)
    const context = this.#context(tag, session)
    for (const waiter of context.lobby.waiters.values())
      if (waiter.connections.delete(connectionId) && waiter.connections.size === 0)
        stopWaiting(context, waiter, 'left')
  }

  /** A session has begun: its stream tells who waits already. */
  announceAll(tag: string, session: Session): void {
    const context = this.#context(tag, session)
    for (const userId of context.lobby.waiters.keys()) announce(context, userId)
  }

  stop(tag: string, session: Session, userId: number, status: 'admitted'): void {
    stopWaiting(this.#context(tag, session), { userId }, status)
  }

  /** Whoever need not wait any more is asked in; for the others the reason may be another one. */
  reconsider(tag: string, circumstances: Circumstances): void {
    const context = this.#context(tag, circumstances.session)
    context.lobby.isStale = false
    for (const waiter of [...context.lobby.waiters.values()]) {
      const admission = admissionOf(circumstances, waiter)
      if (admission === 'enter') stopWaiting(context, waiter, 'admitted')
      else if (admission === 'plain_link_closed') stopWaiting(context, waiter, 'closed')
      else changeReason(context, waiter, admission)
    }
  }

  /** Nobody needs to wait: what they wait for does not come. */
  dismiss(tag: string, status: Exclude<EndReason, 'empty'>): void {
    const context = this.#context(tag, undefined)
    for (const waiter of [...context.lobby.waiters.values()]) stopWaiting(context, waiter, status)
  }

  /** Where something is a matter of time. Quick, for it is asked every second. */
  due(): string[] {
    const now = this.#deps.clock()
    const due: string[] = []
    for (const [tag, lobby] of this.#byTag) {
      const [first] = lobby.waiters.values()
      const [deniedUntil] = lobby.denied.values()
      const isTimedOut = first !== undefined && now - first.sinceMs >= WAIT_MAX_MS
      if (lobby.isStale || isTimedOut || (deniedUntil !== undefined && deniedUntil <= now)) due.push(tag)
    }
    return due
  }

  sweep(tag: string, session: Session | undefined): void {
    const context = this.#context(tag, session)
    const now = this.#deps.clock()
    const { denied, waiters } = context.lobby
    for (const [userId, until] of denied) if (until <= now) denied.delete(userId)
    for (const waiter of [...waiters.values()])
      if (now - waiter.sinceMs >= WAIT_MAX_MS) stopWaiting(context, waiter, 'timed_out')
  }

  /** To be called when nobody may need the lobby any more. */
  forgetIdle(tag: string): void {
    const lobby = this.#byTag.get(tag)
    if (lobby && isIdle(lobby)) this.#byTag.delete(tag)
  }

  #waitsOf(connectionId: string): Set<string> {
    const isWaiting = (tag: string) =>
      [...(this.#byTag.get(tag)?.waiters.values() ?? [])].some(each => each.connections.has(connectionId))
    return new Set(this.tagsOf(connectionId).filter(isWaiting))
  }

  #context = (tag: string, session: Session | undefined): LobbyContext => ({
    deps: this.#deps,
    lobby: session?.lobby ?? this.of(tag),
    session,
  })
}
