import type { ContactStore } from './stores/contacts.ts'
import type { ConversationStore } from './stores/conversations.ts'

export interface AcquaintanceStores {
  contacts: Pick<ContactStore, 'hasRelation'>
  conversations: Pick<ConversationStore, 'haveCommon'>
}

/**
 * Whether the account knows the other one: by a conversation in common, a contact, a request or a block. Ids can be
 * guessed, and whoever finds a person by one learns the name.
 */
export const isAcquainted = async (
  { contacts, conversations }: AcquaintanceStores,
  userId: number,
  otherId: number,
): Promise<boolean> =>
  (await contacts.hasRelation(userId, otherId)) || (await conversations.haveCommon(userId, otherId))
