import type { CallRinging, DomainEvents, RingingStopped } from '../domain-events.ts'
import { type Call, type CallPerson, ringingIdsOf } from '../messaging/calls/call-state.ts'
import type { CallNow } from '../messaging/push/ports.ts'
import type { CallStore } from '../messaging/stores/calls.ts'

/** Publishes for whom a call rings now, and for whom it does not any more. */
export function publishRinging(domainEvents: DomainEvents, before: Call | null, call: Call): void {
  const [rang, rings] = [before ? ringingIdsOf(before) : [], ringingIdsOf(call)]
  const started = rings.filter(id => !rang.includes(id))
  const stopped = call.people.filter(({ userId: id }) => rang.includes(id) && !rings.includes(id))
  if (started.length > 0) {
    domainEvents.publish('call-ringing', { call: describe(call), userIds: started })
  }
  if (stopped.length > 0) {
    const people = stopped.map(({ userId, state }) => ({ userId, reason: STOP_REASONS[state.is] }))
    domainEvents.publish('ringing-stopped', { call: describe(call), people })
  }
}

const describe = ({ id, revision, video, inviter, ringUntilMs }: Call): CallRinging['call'] => ({
  id: String(id),
  revision,
  video,
  inviter,
  ringsUntilMs: ringUntilMs,
})

/** The notification that a stored call needs now; null: it was removed. */
export const describeCall =
  (store: Pick<CallStore, 'find'>) =>
  async (callId: number): Promise<CallNow | null> => {
    const call = await store.find(callId)
    if (!call) return null
    return {
      call: describe(call),
      ringing: ringingIdsOf(call),
      stopped: call.people
        .filter(({ state }) => state.is !== 'ringing')
        .map(({ userId, state }) => ({ userId, reason: STOP_REASONS[state.is] })),
    }
  }

/** Why it rings no more for somebody, by the state of the person. */
const STOP_REASONS = {
  ringing: 'missed',
  accepted: 'answered',
  left: 'answered',
  declined: 'declined',
  busy: 'declined',
  missed: 'missed',
} as const satisfies Record<CallPerson['state']['is'], RingingStopped['people'][number]['reason']>
