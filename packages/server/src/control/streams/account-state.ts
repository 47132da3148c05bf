import type { AccountEventName, AccountState, EventBody } from '@lectern/protocol/control'
import type { User } from '../../accounts/ports.ts'

export type AccountEvent = { [N in AccountEventName]: { name: N; body: EventBody<N> } }[AccountEventName]

/** Something in the store has changed: the servers where the account is open read it again. */
export interface AccountRefresh {
  name: 'refresh'
  body: { source: string; keys: string[] }
}

/** Messages of the event bus to the servers where an account is open. */
export type AccountNotice = AccountEvent | AccountRefresh

/** State that is read again because of an event: at once, or later to verify that nothing was lost. */
export interface StaleKey {
  key: string
  isUrgent: boolean
}

/**
 * A part of the state of accounts, which another folder keeps in the store. Whoever changes it there requests a
 * refresh of its keys, so that the state converges although notices are lost, repeated or reordered.
 */
export interface AccountStateSource {
  /** The part as it is now, for accounts of every kind. */
  load(user: User): Promise<Partial<AccountState>>
  /** The keys of everything in that part, with those whose values are counted over all of them. */
  keysOf(part: Partial<AccountState>): string[]
  /** An event with the absolute value of each key whose value in the state is not the one in the store. */
  refresh(keys: readonly string[], state: AccountState): Promise<{ key: string; event: AccountEvent }[]>
  /** The state to read again after an event; null: none. `state` is the one before the event. */
  staleAfter(event: AccountEvent, state: AccountState): StaleKey | null
}

/** The state of an account without conversations, contacts and calls. */
export const emptyAccountState = ({ id, displayName }: Pick<User, 'id' | 'displayName'>): AccountState => ({
  user_id: String(id),
  display_name: displayName,
  conversations: [],
  unread_conversations: 0,
  unmuted_unread_conversations: 0,
  contacts: [],
  calls: [],
  missed_calls: 0,
})
