import { type Static, Type } from 'typebox'
import { Nullable } from '../../schema.ts'
import { Id, strict } from '../scalars.ts'
import { CALL_LIST_MAX, CALL_PEOPLE_MAX, MISSED_CALLS_MAX, OPEN_CALLS_MAX } from './call-limits.ts'
import { StoredDisplayName, TimeMs } from './fields.ts'

/** Calls between accounts (docs/calls.md). */

export const CALL_STATES = ['ringing', 'active', 'ended'] as const
export const CALL_END_REASONS = ['cancelled', 'declined', 'missed', 'completed'] as const
export type CallEndReason = (typeof CALL_END_REASONS)[number]
export const CALL_PERSON_STATES = ['ringing', 'accepted', 'declined', 'busy', 'missed', 'left'] as const
export type CallPersonState = (typeof CALL_PERSON_STATES)[number]

export const CallPerson = Type.Object(
  {
    user_id: Id,
    display_name: StoredDisplayName,
    state: Type.Enum(CALL_PERSON_STATES, {
      description:
        'ringing; accepted: answered and not left yet; declined; busy: declined during another call, or too many calls were ringing; missed: not answered in time, or the call ended before; left: was in the call and left it.',
    }),
  },
  strict,
)
export type CallPerson = Static<typeof CallPerson>

export const CallInfo = Type.Object(
  {
    call_id: Id,
    conference_tag: Type.String({ ...Id, description: 'Where those who accept meet.' }),
    video: Type.Boolean({ description: 'Whether the inviter suggests to use cameras.' }),
    inviter: Type.Object({ user_id: Id, display_name: StoredDisplayName }, strict),
    people: Type.Array(CallPerson, { minItems: 1, maxItems: CALL_PEOPLE_MAX, description: 'The invited.' }),
    state: Type.Enum(CALL_STATES, {
      description: 'ringing: nobody has accepted yet; active: somebody has; ended.',
    }),
    reason: Type.Unsafe<CallEndReason | null>({
      type: ['string', 'null'],
      enum: [...CALL_END_REASONS, null],
      description:
        'Why the call ended; null before. completed: after it was active; cancelled: by the inviter; declined: by everybody; missed: by somebody, accepted by nobody.',
    }),
    created_at_ms: TimeMs,
    ring_until_ms: TimeMs,
    answered_at_ms: Nullable(TimeMs),
    ended_at_ms: Nullable(TimeMs),
    revision: Type.Integer({ minimum: 1, description: 'Grows with every change of the call.' }),
  },
  strict,
)
export type CallInfo = Static<typeof CallInfo>

export const MissedCalls = Type.Integer({
  minimum: 0,
  maximum: MISSED_CALLS_MAX,
  description: `Missed calls since the last call.seen; ${MISSED_CALLS_MAX}: that many or more.`,
})

/** The part of an account's state that calls are. */
export const callsState = {
  calls: Type.Array(CallInfo, {
    maxItems: OPEN_CALLS_MAX,
    description: 'Calls that have not ended, newest first.',
  }),
  missed_calls: MissedCalls,
}

const nothing = () => Type.Object({}, strict)
const call = () => Type.Object({ call: CallInfo }, strict)

export const callCommands = {
  'call.invite': Type.Object(
    {
      user_ids: Type.Array(Id, { minItems: 1, maxItems: CALL_PEOPLE_MAX, uniqueItems: true }),
      video: Type.Boolean(),
    },
    {
      ...strict,
      description:
        'Target `operation` with the id `new`: a new conference; target `conference`: a conference of the sender.',
    },
  ),
  'call.accept': nothing(),
  'call.decline': nothing(),
  'call.cancel': nothing(),
  'call.leave': nothing(),
  'call.get': nothing(),
  'call.list': Type.Object(
    {
      before: Type.Optional(Type.String({ ...Id, description: 'A call_id; absent: the newest.' })),
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: CALL_LIST_MAX })),
    },
    strict,
  ),
  'call.seen': Type.Object(
    { call_id: Id },
    { ...strict, description: 'Missed calls up to this one are not counted any more.' },
  ),
}

export const callData = {
  'call.invite': call(),
  'call.accept': call(),
  'call.decline': call(),
  'call.cancel': call(),
  'call.leave': call(),
  'call.get': call(),
  'call.list': Type.Object(
    {
      calls: Type.Array(CallInfo, { maxItems: CALL_LIST_MAX, description: 'Newest first.' }),
      has_more: Type.Boolean({ description: 'There are older calls than the last of these.' }),
    },
    strict,
  ),
  'call.seen': Type.Object({ missed_calls: MissedCalls }, strict),
}

export const callEvents = {
  'call.changed': Type.Object({ call: CallInfo }, strict),
  'call.unseen': Type.Object({ missed_calls: MissedCalls }, strict),
}
