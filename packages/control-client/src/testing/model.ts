import type { AccountState, ChatMessage, SessionState } from '@lectern/protocol/control/client'
import { emptySession } from './empty-session.ts'

export const USER_ID = '7'
export const SESSION_ID = '1'
export const ACCOUNT = `account:${USER_ID}`
export const SESSION = `session:${SESSION_ID}`

/** The state of the scripted server, changed by its own code and not by the client's reducers. */
export class Model {
  account: AccountState = {
    user_id: USER_ID,
    display_name: 'Anna',
    conversations: [],
    unread_conversations: 0,
    unmuted_unread_conversations: 0,
    contacts: [],
    calls: [],
    missed_calls: 0,
  }
  session: SessionState = emptySession()
  /** All stored chat messages. */
  stored: ChatMessage[] = []

  join(id: string): SessionState['participants'][number] {
    const participant = {
      participant_id: id,
      user_id: USER_ID,
      display_name: this.account.display_name,
      role: 'participant' as const,
      presence: 'here' as const,
      hand_raised_at_ms: null,
      joined_at_ms: 2,
    }
    this.session.participants.push(participant)
    return participant
  }

  addMessage(text: string): ChatMessage {
    const id = `m${this.stored.length + 1}`
    const message = {
      message_id: id,
      user_id: USER_ID,
      display_name: 'Anna',
      text,
      sent_at_ms: 3,
      edited_at_ms: null,
      deleted: false,
    }
    this.stored.push(message)
    this.session.messages.push(message)
    if (this.session.messages.length > 100) {
      this.session.messages.shift()
      this.session.has_older_messages = true
    }
    return message
  }
}
