import { type Static, Type } from 'typebox'
import { Id, strict } from '../scalars.ts'
import { StoredDisplayName } from './fields.ts'
import { CONTACTS_MAX } from './messaging-limits.ts'

export const PRESENCES = ['online', 'away', 'in_call', 'offline'] as const
export type Presence = (typeof PRESENCES)[number]
const PresenceSchema = Type.Enum(PRESENCES, {
  description:
    'in_call: inside a conference. away: all pages are hidden. Only of contacts; offline for all others.',
})

export const CONTACT_STATES = ['contact', 'incoming', 'outgoing', 'blocked'] as const
export type ContactState = (typeof CONTACT_STATES)[number]

export const Contact = Type.Object(
  {
    user_id: Id,
    login: Type.String({
      description: 'Of contacts and of those who ask to become one; empty for all others.',
    }),
    display_name: StoredDisplayName,
    state: Type.Enum(CONTACT_STATES, {
      description: 'incoming: they ask to become a contact. outgoing: this account has asked them.',
    }),
    muted: Type.Boolean({ description: 'No notifications outside of the page; counters go on.' }),
    presence: PresenceSchema,
  },
  strict,
)
export type Contact = Static<typeof Contact>

/** The part of an account's state that is about contacts. */
export const contactsState = {
  contacts: Type.Array(Contact, { maxItems: CONTACTS_MAX, description: 'In no particular order.' }),
}

export const contactEvents = {
  'contact.changed': Type.Object({ contact: Contact }, strict),
  'contact.removed': Type.Object({ user_id: Id }, strict),
  'presence.changed': Type.Object({ user_id: Id, presence: PresenceSchema }, strict),
}
