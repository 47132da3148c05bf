import type { RaisedHand, SessionParts } from '../ports.ts'
import { assertHeld } from '../refusals.ts'
import type { Participant, Session } from '../session.ts'

/** Raised hands are stored, so that they keep their order across a restart of the server (rule H5). */

/** `changed`: the hand of one participant as it is to be. */
function handsUp(
  { participants, unclaimedHands }: Session,
  changed?: { id: string; raisedAtMs: number | null },
): RaisedHand[] {
  const unclaimed = [...unclaimedHands].map(([userId, raisedAtMs]) => ({ userId, raisedAtMs }))
  const present = [...participants.values()].flatMap(({ id, userId, handRaisedAtMs }) => {
    const raisedAtMs = id === changed?.id ? changed.raisedAtMs : handRaisedAtMs
    return raisedAtMs === null ? [] : [{ userId, raisedAtMs }]
  })
  return [...unclaimed, ...present]
}

/** Raises or lowers the hand; null lowers it. Stored first: an acknowledged hand is not lost. */
export async function setHand(
  { sessions }: Pick<SessionParts, 'sessions'>,
  session: Session,
  participant: Participant,
  raisedAtMs: number | null,
): Promise<void> {
  assertHeld(await sessions.saveHands(session.lease, handsUp(session, { id: participant.id, raisedAtMs })))
  participant.handRaisedAtMs = raisedAtMs
}

/** Lowers all hands; returns whose were raised. Stored first, as in setHand. */
export async function lowerHands(
  { sessions }: Pick<SessionParts, 'sessions'>,
  session: Session,
): Promise<Participant[]> {
  assertHeld(await sessions.saveHands(session.lease, []))
  session.unclaimedHands.clear()
  const raised = [...session.participants.values()].filter(({ handRaisedAtMs }) => handRaisedAtMs !== null)
  for (const participant of raised) participant.handRaisedAtMs = null
  return raised
}

/** The time since which the hand of a person who joins is up: from before a restart of the server, for the grace time. */
export function claimHand(
  { monotonicMs, graceMs }: Pick<SessionParts, 'monotonicMs' | 'graceMs'>,
  session: Session,
  userId: number,
): number | null {
  const raisedAtMs = session.unclaimedHands.get(userId)
  session.unclaimedHands.delete(userId)
  return raisedAtMs === undefined || monotonicMs() - session.openedAtMs >= graceMs ? null : raisedAtMs
}

/** Whether hands are kept of people who have not come back in time. */
export const hasOverdueHands = (
  { monotonicMs, graceMs }: Pick<SessionParts, 'monotonicMs' | 'graceMs'>,
  { unclaimedHands, openedAtMs }: Session,
): boolean => unclaimedHands.size > 0 && monotonicMs() - openedAtMs >= graceMs

/** Or they would be up when these people come back after another restart. */
export async function forgetOverdueHands(
  { sessions }: Pick<SessionParts, 'sessions'>,
  session: Session,
): Promise<void> {
  assertHeld(await sessions.saveHands(session.lease, handsUp({ ...session, unclaimedHands: new Map() })))
  session.unclaimedHands.clear()
}

/** Lowers the hand of a participant who leaves. A save that fails is made good by the next one. */
export function forgetHand(
  { sessions, onFailure }: Pick<SessionParts, 'sessions' | 'onFailure'>,
  session: Session,
  { handRaisedAtMs }: Participant,
): void {
  if (handRaisedAtMs !== null)
    sessions.saveHands(session.lease, handsUp(session)).catch(onFailure('a lowered hand was not stored'))
}
