import type { WaitReason } from '@lectern/protocol/control'
import { type AdmissionContext, type AdmissionSubject, decideAdmission } from './admission.ts'
import { WAIT_MAX_MS, WAITS_OF_CONNECTION_MAX } from './limits.ts'
import { announce, assertNotDenied, changeReason, type LobbyContext, stopWaiting, wait } from './lobby.ts'
import { isIdle, type Lobby, makeLobby } from './lobby-state.ts'
import type { ConnectedUser, EndReason, SessionDependencies } from './ports.ts'
import { assertOrRefuse } from './refusals.ts'
import type { Session } from './session.ts'

/** All lobbies, and which connections wait in them. Callers MUST hold the mutex of the conference. */
export class Lobbies {
  readonly #deps: SessionDependencies
  readonly #byTag = new Map<string, Lobby>()
  readonly #tagsOf = new Map<string, Set<string>>()

  constructor(deps: SessionDependencies) {
    this.#deps = deps
  }

  /** The number of waiting accounts, counted once for each conference. */
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

  /** The conferences for which the connection has waited; some of these waits may be over. */
  tagsOf = (connectionId: string): string[] => [...(this.#tagsOf.get(connectionId) ?? [])]

  enter(
    tag: string,
    session: Session | undefined,
    person: ConnectedUser & AdmissionSubject,
    reason: WaitReason,
  ): void {
    const context = this.#context(tag, session)
    assertNotDenied(context, person)
    const waits = this.#waitsOf(person.connectionId)
    assertOrRefuse(waits.has(tag) || waits.size < WAITS_OF_CONNECTION_MAX, 'too_many_waits')
    wait(context, person, reason)
    this.#tagsOf.set(person.connectionId, waits.add(tag))
  }

  /** Ends the wait of one connection; the account still waits on its others. */
  leave(tag: string, session: Session | undefined, connectionId: string): void {
    this.#tagsOf.get(connectionId)?.delete(tag)
    if (this.#tagsOf.get(connectionId)?.size === 0) this.#tagsOf.delete(connectionId)
    const context = this.#context(tag, session)
    for (const waiter of context.lobby.waiters.values())
      if (waiter.connections.delete(connectionId) && waiter.connections.size === 0)
        stopWaiting(context, waiter, 'left')
  }

  /** Publishes the lobby to a session that has just started. */
  announceAll(tag: string, session: Session): void {
    const context = this.#context(tag, session)
    for (const userId of context.lobby.waiters.keys()) announce(context, userId)
  }

  stop(tag: string, session: Session, userId: number, status: 'admitted'): void {
    stopWaiting(this.#context(tag, session), { userId }, status)
  }

  /** Admits those who need not wait any more, and updates the reasons of the others. */
  reevaluate(tag: string, admissionContext: AdmissionContext): void {
    const context = this.#context(tag, admissionContext.session)
    context.lobby.isStale = false
    for (const waiter of [...context.lobby.waiters.values()]) {
      const admission = decideAdmission(admissionContext, waiter)
      if (admission === 'enter') stopWaiting(context, waiter, 'admitted')
      else if (admission === 'plain_link_closed') stopWaiting(context, waiter, 'closed')
      else changeReason(context, waiter, admission)
    }
  }

  /** Ends all waits of the conference. */
  dismiss(tag: string, status: Exclude<EndReason, 'empty'>): void {
    const context = this.#context(tag, undefined)
    for (const waiter of [...context.lobby.waiters.values()]) stopWaiting(context, waiter, status)
  }

  /** Forgets all waits of the conference without ending them, and gives their connections. */
  take(tag: string): string[] {
    const lobby = this.of(tag)
    const connectionIds = [...lobby.waiters.values()].flatMap(({ connections }) => [...connections])
    lobby.waiters.clear()
    return connectionIds
  }

  waitedFor(): string[] {
    return [...this.#byTag.values()].filter(({ waiters }) => waiters.size > 0).map(({ tag }) => tag)
  }

  /** The conferences whose lobbies have something to do by now. Cheap: it runs every second. */
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

  /** Deletes the lobby if it holds nothing. No session may be open, for an open one refers to it. */
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
