import type { Contacts } from './contacts.ts'
import type { Members } from './members.ts'
import type { Messages } from './messages.ts'
import type { PresenceRegistry } from './presence.ts'
import type { ConversationStore } from './stores/conversations.ts'

/** The interface of messaging for other parts of the server. */
export interface Messaging {
  messages: Messages
  contacts: Contacts
  members: Members
  conversations: Pick<ConversationStore, 'page'>
  presence: PresenceRegistry
  /** A device of the account was silent until its time was over. */
  onVanished: (userId: number) => void
}
