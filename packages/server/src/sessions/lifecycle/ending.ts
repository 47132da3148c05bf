import type { CommandContext } from '../command.ts'
import { leave } from '../participants/membership.ts'
import { canEnd } from '../policy.ts'
import type { EndReason, SessionDependencies } from '../ports.ts'
import { assertHeld, assertOrRefuse } from '../refusals.ts'
import { emit, type Participant, type Session } from '../session.ts'
import { dueEnd, isClosed, onEndDecided, onEndStored } from './lifecycle.ts'
import { closeUnclaimedMedia, hasUnclaimedMedia } from './takeover.ts'

/** Ends the session for everybody. A failed end is retried by the sweep, with the first reason. */
export async function end(deps: SessionDependencies, session: Session, reason: EndReason): Promise<void> {
  session.lifecycle = onEndDecided(session.lifecycle, reason)
  if (session.lifecycle.is !== 'ending') return
  const decided = session.lifecycle.reason
  assertHeld(await deps.sessions.end(session.lease, deps.clock(), decided))
  session.lifecycle = onEndStored(session.lifecycle)
  session.participants.clear()
  session.publications.clear()
  emit(deps, session, 'session.ended', { reason: decided })
  deps.events.close(session.id)
  deps.media.closeRoom(session.id)
  // Nobody reads those of a session that has ended.
  deps.participants
    .clear(session.lease)
    .catch(deps.onFailure('participants of a session that has ended were not removed from the store'))
}

/** Stops a session that another server runs now: nothing is stored, and its clients connect to the other server. */
export function abandon(deps: Pick<SessionDependencies, 'events'>, session: Session): void {
  session.participants.clear()
  session.publications.clear()
  deps.events.close(session.id)
}

export async function endBySelf({ deps, session, self }: CommandContext): Promise<void> {
  assertOrRefuse(canEnd(self), 'not_moderator')
  await end(deps, session, 'ended')
}

/** Removes participants whose grace time is over, and ends a session that is due. */
export async function sweep(deps: SessionDependencies, session: Session): Promise<void> {
  if (isClosed(session.lifecycle)) return
  if (hasUnclaimedMedia(deps, session)) closeUnclaimedMedia(deps, session)
  if (session.lifecycle.is !== 'ending')
    for (const participant of [...session.participants.values()])
      if (isLost(deps, participant)) leave(deps, session, participant, 'lost')
  const reason = dueEnd(session.lifecycle, deps.clock(), deps.graceMs)
  if (reason) await end(deps, session, reason)
}

/** Cheap: it runs for every session every second. */
export function isDue(deps: SessionDependencies, session: Session): boolean {
  if (isClosed(session.lifecycle)) return false
  if (dueEnd(session.lifecycle, deps.clock(), deps.graceMs)) return true
  if (hasUnclaimedMedia(deps, session)) return true
  for (const participant of session.participants.values()) if (isLost(deps, participant)) return true
  return false
}

const isLost = ({ clock, graceMs }: SessionDependencies, { presence }: Pick<Participant, 'presence'>) =>
  presence.is === 'away' && clock() - presence.sinceMs >= graceMs
