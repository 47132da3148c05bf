import { type Static, Type } from 'typebox'
import { Id, strict } from '../scalars.ts'
import { StoredDisplayName, text } from './fields.ts'
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

const OfUser = { user_id: Id }

/** The target is the account of the sender. */
export const contactCommands = {
  'contact.add': Type.Object(
    {
      login: Type.Optional(text(1, 64, 'The exact login, in upper or lower case.')),
      user_id: Type.Optional(Id),
    },
    {
      ...strict,
      minProperties: 1,
      maxProperties: 1,
      description: 'Asks somebody to become a contact, accepts their request, or lifts a block.',
    },
  ),
  'contact.remove': Type.Object(
    { ...OfUser, blocked: Type.Optional(Type.Boolean()) },
    {
      ...strict,
      description:
        'Removes a contact, declines or withdraws a request, lifts a block; or blocks the person, whoever it is.',
    },
  ),
  'contact.list': Type.Object({}, strict),
  'mute.set': Type.Object(
    { user_id: Type.Optional(Id), tag: Type.Optional(Id), muted: Type.Boolean() },
    {
      ...strict,
      minProperties: 2,
      maxProperties: 2,
      description: 'The direct conversation with a person, or that of a conference.',
    },
  ),
  'presence.update': Type.Object(
    { visible: Type.Boolean() },
    {
      ...strict,
      description: 'Whether the page of this connection is visible; at first it counts as visible.',
    },
  ),
}

export const contactData = {
  'contact.add': Type.Object({ contact: Contact }, strict),
  'contact.list': Type.Object(contactsState, strict),
}

export const contactEvents = {
  'contact.changed': Type.Object({ contact: Contact }, strict),
  'contact.removed': Type.Object({ user_id: Id }, strict),
  'presence.changed': Type.Object({ user_id: Id, presence: PresenceSchema }, strict),
}
