import type { CommandContext } from '../command.ts'
import { forgetOverdueHands, hasOverdueHands } from '../participants/hands.ts'
import { leave } from '../participants/membership.ts'
import { canEnd } from '../policy.ts'
import type { EndReason, SessionParts } from '../ports.ts'
import { assertHeld, assertOrRefuse } from '../refusals.ts'
import { emit, type Participant, type Session } from '../session.ts'
import { dueEnd, isClosed, onEndDecided, onEndStored } from './lifecycle.ts'
import { closeUnclaimedMedia, hasUnclaimedMedia } from './takeover.ts'

/** Ends the session for everybody. A failed end is retried by the sweep, with the first reason. */
export async function end(parts: SessionParts, session: Session, reason: EndReason): Promise<void> {
  session.lifecycle = onEndDecided(session.lifecycle, reason)
  if (session.lifecycle.is !== 'ending') return
  const decided = session.lifecycle.reason
  assertHeld(await parts.sessions.end(session.lease, endOf(parts, session), decided))
  session.lifecycle = onEndStored(session.lifecycle)
  session.participants.clear()
  session.publications.clear()
  emit(parts, session, 'session.ended', { reason: decided })
  parts.events.close(session.id)
  parts.media.closeRoom(session.id)
  // Nobody reads the participants of a session that has ended.
  parts.participants
    .clear(session.lease)
    .catch(parts.onFailure('participants of a session that has ended were not removed from the store'))
}

/** Not before it began, or anybody inside came, although the clock was set back. */
const endOf = ({ clock }: SessionParts, { startedAtMs, participants }: Session): number =>
  Math.max(clock(), startedAtMs, ...[...participants.values()].map(({ joinedAtMs }) => joinedAtMs))

/** Stops a session that another server runs now: nothing is stored, and its clients connect to the other server. */
export function abandon(parts: Pick<SessionParts, 'events'>, session: Session): void {
  session.participants.clear()
  session.publications.clear()
  parts.events.close(session.id)
}

export async function endBySelf({ parts, session, self }: CommandContext): Promise<void> {
  assertOrRefuse(canEnd(self), 'not_moderator')
  await end(parts, session, 'ended')
}

/** Removes participants whose grace time is over, and ends a session that is due. */
export async function sweep(parts: SessionParts, session: Session): Promise<void> {
  if (isClosed(session.lifecycle)) return
  if (hasUnclaimedMedia(parts, session)) closeUnclaimedMedia(parts, session)
  if (session.lifecycle.is !== 'ending')
    for (const participant of [...session.participants.values()])
      if (isLost(parts, participant)) leave(parts, session, participant, 'lost')
  if (hasOverdueHands(parts, session)) await forgetOverdueHands(parts, session)
  const reason = dueEnd(session.lifecycle, parts.monotonicMs(), parts.graceMs)
  if (reason) await end(parts, session, reason)
}

/** Cheap: it runs for every session every second. */
export function isDue(parts: SessionParts, session: Session): boolean {
  if (isClosed(session.lifecycle)) return false
  if (dueEnd(session.lifecycle, parts.monotonicMs(), parts.graceMs)) return true
  if (hasUnclaimedMedia(parts, session) || hasOverdueHands(parts, session)) return true
  for (const participant of session.participants.values()) if (isLost(parts, participant)) return true
  return false
}

const isLost = ({ monotonicMs, graceMs }: SessionParts, { presence }: Pick<Participant, 'presence'>) =>
  presence.is === 'away' && monotonicMs() - presence.sinceMs >= graceMs
