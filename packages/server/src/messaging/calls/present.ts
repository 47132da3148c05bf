import type { CallInfo } from '@lectern/protocol/control'
import type { Call } from './call-state.ts'

/** A call as everybody who follows it sees it. */
export const presentCall = (call: Call): CallInfo => ({
  call_id: String(call.id),
  conference_tag: call.tag,
  video: call.video,
  inviter: { user_id: String(call.inviter.userId), display_name: call.inviter.displayName },
  people: call.people.map(({ userId, displayName, state }) => ({
    user_id: String(userId),
    display_name: displayName,
    state: state.is,
  })),
  state: call.state.is,
  reason: call.state.is === 'ended' ? call.state.reason : null,
  created_at_ms: call.createdAtMs,
  ring_until_ms: call.ringUntilMs,
  answered_at_ms: call.state.is === 'ringing' ? null : call.state.answeredAtMs,
  ended_at_ms: call.state.is === 'ended' ? call.state.endedAtMs : null,
  revision: call.revision,
})
