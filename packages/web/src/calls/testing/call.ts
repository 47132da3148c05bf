import type { AccountView } from '@lectern/control-client'
import type { CallInfo } from '@lectern/protocol/control/client'

/** Ben (8) calls Anna (7). */
export const aCall = (id: string, parts: Partial<CallInfo> = {}): CallInfo => ({
  call_id: id,
  conference_tag: `tag-${id}`,
  video: true,
  inviter: { user_id: '8', display_name: 'Ben' },
  people: [{ user_id: '7', display_name: 'Anna', state: 'ringing' }],
  state: 'ringing',
  reason: null,
  created_at_ms: 1_000,
  ring_until_ms: 46_000,
  answered_at_ms: null,
  ended_at_ms: null,
  revision: 1,
  ...parts,
})

/** Anna calls Ben. */
export const anOwnCall = (id: string, parts: Partial<CallInfo> = {}): CallInfo =>
  aCall(id, {
    inviter: { user_id: '7', display_name: 'Anna' },
    people: [{ user_id: '8', display_name: 'Ben', state: 'ringing' }],
    ...parts,
  })

/** The state of Anna's account with these calls. */
export const viewOf = (...calls: CallInfo[]): AccountView => ({
  user_id: '7',
  display_name: 'Anna',
  conversations: [],
  unread_conversations: 0,
  unmuted_unread_conversations: 0,
  contacts: [],
  calls,
  missed_calls: 0,
})
