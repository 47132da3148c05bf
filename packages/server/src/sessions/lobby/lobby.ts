import { LOBBY_MAX, type LobbyStatus, type WaitingPerson, type WaitReason } from '@lectern/protocol/control'
import { isClosed } from '../lifecycle/lifecycle.ts'
import { DENIED_FOR_MS, DENIED_MAX } from '../limits.ts'
import type { ConnectedUser, SessionParts } from '../ports.ts'
import { assertOrRefuse } from '../refusals.ts'
import { emit, type Lobby, type Session, type Waiter } from '../session.ts'
import type { AdmissionSubject } from './admission-rules.ts'

export const makeLobby = (tag: string): Lobby => ({
  tag,
  waiters: new Map(),
  denied: new Map(),
  isStale: false,
})

export const isIdle = ({ waiters, denied }: Lobby) => waiters.size === 0 && denied.size === 0

export const presentWaiter = ({ userId, displayName, reason, sinceMs }: Waiter): WaitingPerson => ({
  user_id: String(userId),
  display_name: displayName,
  reason,
  waiting_since_ms: sinceMs,
})

/** A lobby, and the session whose moderators see it, if one is open. */
export interface LobbyContext {
  parts: Pick<SessionParts, 'events' | 'clock' | 'monotonicMs'>
  lobby: Lobby
  session: Session | undefined
}

/** A repeated wait of the same account keeps its position. */
export function wait(
  context: LobbyContext,
  person: ConnectedUser & AdmissionSubject,
  reason: WaitReason,
): void {
  const { parts, lobby } = context
  const { userId, displayName, isGuest, role, connectionId } = person
  const known = lobby.waiters.get(userId)
  if (!known) assertOrRefuse(lobby.waiters.size < LOBBY_MAX, 'lobby_full')
  const connections = (known?.connections ?? new Set()).add(connectionId)
  const sinceMs = known?.sinceMs ?? parts.clock()
  const beganAtMs = known?.beganAtMs ?? parts.monotonicMs()
  // Without a link on this connection, the one of an earlier connection counts.
  const { linkRole, hasSharedLink = false } = person.linkRole === null && known ? known : person
  const waiter = { userId, displayName, linkRole, hasSharedLink, isGuest, role, reason }
  lobby.waiters.set(userId, { ...waiter, connections, sinceMs, beganAtMs })
  if (known?.displayName !== displayName || known.reason !== reason) announce(context, userId)
}

export function changeReason(context: LobbyContext, waiter: Waiter, reason: WaitReason): void {
  if (waiter.reason === reason) return
  waiter.reason = reason
  announce(context, waiter.userId)
  notify(context, waiter.userId, 'waiting', reason)
}

/** Ends the wait of an account on all its connections. After `left` it is not notified: it left by itself. */
export function stopWaiting(
  context: LobbyContext,
  { userId }: Pick<Waiter, 'userId'>,
  status: Exclude<LobbyStatus['status'], 'waiting'> | 'left',
): void {
  const { parts, lobby, session } = context
  if (!lobby.waiters.delete(userId)) return
  const isPublished =
    status === 'admitted' || status === 'denied' || status === 'left' || status === 'timed_out'
  if (session && !isClosed(session.lifecycle) && isPublished)
    emit(parts, session, 'lobby.left', { user_id: String(userId), reason: status })
  if (status !== 'left') notify(context, userId, status)
}

export function deny(context: LobbyContext, waiter: Waiter): void {
  const { parts, lobby } = context
  // Bounded: beyond the limit the oldest denial is forgotten and ends earlier.
  if (lobby.denied.size >= DENIED_MAX) lobby.denied.delete(lobby.denied.keys().next().value as number)
  lobby.denied.set(waiter.userId, parts.monotonicMs() + DENIED_FOR_MS)
  stopWaiting(context, waiter, 'denied')
}

export function announce({ parts, lobby, session }: LobbyContext, userId: number): void {
  const waiter = lobby.waiters.get(userId)
  if (waiter && session && !isClosed(session.lifecycle))
    emit(parts, session, 'lobby.waiting', { person: presentWaiter(waiter) })
}

function notify(
  { parts, lobby }: LobbyContext,
  userId: number,
  status: LobbyStatus['status'],
  reason?: WaitReason,
): void {
  const body = { conference_tag: lobby.tag, status, ...(reason && { reason }) }
  parts.events.notifyAccount(userId, { name: 'lobby.status', body })
}
