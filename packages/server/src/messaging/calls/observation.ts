import type { Call, CallEvent } from './call-state.ts'
import { personOf, ringingIdsOf } from './call-state.ts'
import { ALONE_GRACE_MS, ENTER_GRACE_MS, INVITER_GRACE_MS } from './limits.ts'

/** Facts about an open call at one moment. */
export interface CallFacts {
  isInviterOffline: boolean
  /** The session of the conference is open. */
  isLive: boolean
  /** The accounts inside the conference. */
  inside: ReadonlySet<number>
  /** Accounts of the call that were deleted. */
  deleted: ReadonlySet<number>
}

/** The memory about an open call from one check to the next; a restart clears it. */
export interface Observation {
  inviterOfflineSinceMs: number | null
  /** Fewer than two people are inside. */
  aloneSinceMs: number | null
  wasLive: boolean
  /** Two people were inside. */
  haveMet: boolean
  /** Everybody who was seen inside and did not leave since. */
  inside: ReadonlySet<number>
}

export const NOTHING_SEEN: Observation = {
  inviterOfflineSinceMs: null,
  aloneSinceMs: null,
  wasLive: false,
  haveMet: false,
  inside: new Set(),
}

/** The observation of a call after a check that found these facts. */
export function observe(before: Observation, facts: CallFacts, nowMs: number): Observation {
  // A wait begins again at most when the clock is set back: it is not longer by as much.
  const since = (is: boolean, startedAtMs: number | null) =>
    is ? Math.min(startedAtMs ?? nowMs, nowMs) : null
  return {
    inviterOfflineSinceMs: since(facts.isInviterOffline, before.inviterOfflineSinceMs),
    aloneSinceMs: since(facts.inside.size < 2, before.aloneSinceMs),
    wasLive: before.wasLive || facts.isLive,
    haveMet: before.haveMet || facts.inside.size > 1,
    inside: facts.inside,
  }
}

/** The events of the call that follow from the observation (rules CALL-8 and CALL-10 to CALL-13), in this order. */
export function dueEvents(
  call: Call,
  { before, now, facts }: { before: Observation; now: Observation; facts: CallFacts },
  nowMs: number,
): CallEvent[] {
  const entered = [...facts.inside].filter(id => isOut(call, id))
  const left = [...before.inside].filter(id => !facts.inside.has(id) && isIn(call, id))
  const events: CallEvent[] = [
    ...entered.map(userId => ({ is: 'accept', userId, answerId: null }) as const),
    ...left.map(userId => ({ is: 'leave', userId }) as const),
    ...ringingIdsOf(call)
      .filter(id => facts.deleted.has(id))
      .map(userId => ({ is: 'withdraw', userId }) as const),
  ]
  if (hasPassed(call.ringUntilMs - call.createdAtMs, call.createdAtMs, nowMs)) events.push({ is: 'timeout' })
  if (isInviterGone(call, now, facts, nowMs)) events.push({ is: 'abandon' })
  if (call.state.is === 'active' && isOver(call, call.state.answeredAtMs, now, facts, nowMs))
    events.push({ is: 'complete' })
  return events
}

function isInviterGone(call: Call, now: Observation, facts: CallFacts, nowMs: number): boolean {
  if (facts.deleted.has(call.inviter.userId)) return true
  return now.inviterOfflineSinceMs !== null && nowMs - now.inviterOfflineSinceMs >= INVITER_GRACE_MS
}

/** The session is over, nobody came, or whoever is left is alone in a conference that exists for the call. */
function isOver(
  call: Call,
  answeredAtMs: number,
  now: Observation,
  { isLive }: CallFacts,
  nowMs: number,
): boolean {
  if (!isLive && now.wasLive) return true
  if (now.aloneSinceMs === null || (isLive && !call.ownsConference)) return false
  const hadTime = hasPassed(ENTER_GRACE_MS, answeredAtMs, nowMs) && nowMs - now.aloneSinceMs >= ENTER_GRACE_MS
  const isLeftAlone = now.haveMet && nowMs - now.aloneSinceMs >= ALONE_GRACE_MS
  return (hadTime || isLeftAlone) && ringingIdsOf(call).length === 0
}

/** Also where the clock was set back by more than that, for longer than clocks of servers differ. */
const hasPassed = (durationMs: number, sinceMs: number, nowMs: number) =>
  Math.abs(nowMs - sinceMs) >= durationMs

/** Invited, and not in the call. */
const isOut = (call: Call, userId: number) => {
  const person = personOf(call, userId)
  return person !== undefined && person.state.is !== 'accepted'
}

const isIn = (call: Call, userId: number) => personOf(call, userId)?.state.is === 'accepted'
