import { ensure, Refusal } from '@lectern/protocol'
import { MISSED_CALLS_MAX } from '@lectern/protocol/control'
import { applyEvent, type Call, type CallEvent, refusalOf, ringingIdsOf } from './call-state.ts'
import type { CallParts } from './dependencies.ts'

type ChangeCallOptions = Pick<CallParts, 'store' | 'sessions' | 'notifier' | 'clock'>

/** More changes than one call can have: more retries mean a defect. */
const ATTEMPTS_MAX = 100

/**
 * Applies an event to a call, stores and publishes it. A call that was changed meanwhile is read again, so that of two
 * events at the same time one comes first (rule CALL-7). Throws a Refusal for what the person cannot do any more, and
 * for a call that has not the expected revision when the event is applied (rule K6).
 */
export async function changeCall(
  parts: ChangeCallOptions,
  call: Call,
  event: CallEvent,
  expectedRevision?: string,
): Promise<Call> {
  let current = call
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
    assertRevision(current, expectedRevision)
    if (event.is === 'accept' || event.is === 'decline') {
      const refusal = refusalOf(current, event)
      if (refusal) throw new Refusal(refusal)
    }
    const changed = applyEvent(current, event, parts.clock())
    if (changed === current) return current
    const saved = await parts.store.save(changed)
    if (saved) {
      await publishChange(parts, current, saved)
      return saved
    }
    current = (await parts.store.find(call.id)) ?? current
  }
  throw new Error(`call ${call.id} could not be changed`)
}

/** Passes when no revision is expected, or the expected one is present. */
export function assertRevision({ revision }: Call, expected: string | undefined): void {
  ensure(expected === undefined || expected === String(revision), 'other_version')
}

async function publishChange(
  { store, sessions, notifier }: ChangeCallOptions,
  before: Call,
  call: Call,
): Promise<void> {
  notifier.changed(before, call)
  for (const userId of newlyMissed(before, call))
    notifier.missed(userId, await store.countMissed(userId, MISSED_CALLS_MAX))
  const isOver = call.state.is === 'ended' && call.ownsConference
  if (isOver && (await store.listOpen({ tag: call.tag })).length === 0) await sessions.end(call.tag)
}

function newlyMissed(before: Call, { people }: Call): number[] {
  const rang = ringingIdsOf(before)
  return people
    .filter(each => each.state.is === 'missed' && rang.includes(each.userId))
    .map(each => each.userId)
}
