import { type Static, Type } from 'typebox'
import { Nullable } from '../../schema.ts'
import { Id, strict } from '../scalars.ts'

/** The most people of one session with permissions of their own. */
export const PERSON_PERMISSIONS_MAX = 500

/** `screen` covers the audio of a shared screen. */
export const PERMITTED_SOURCES = ['microphone', 'camera', 'screen'] as const
export type PermittedSource = (typeof PERMITTED_SOURCES)[number]

const optional = () => Type.Optional(Type.Boolean())
const optionalOrNull = () => Type.Optional(Nullable(Type.Boolean()))

/** The permissions of participants who are not moderators. Whether they may write in the chat is its mode. */
export const Permissions = Type.Object(
  {
    microphone: Type.Boolean(),
    camera: Type.Boolean(),
    screen: Type.Boolean(),
    files: Type.Optional(
      Type.Boolean({ description: 'Files in the chat, for those who may write there; absent: permitted.' }),
    ),
  },
  { ...strict, description: 'What participants who are not moderators may send (rule MOD-1).' },
)
export type Permissions = Static<typeof Permissions>

/** One person's permissions, where they differ from everybody's. */
export const PersonPermissions = Type.Object(
  {
    user_id: Id,
    microphone: optional(),
    camera: optional(),
    screen: optional(),
    chat: optional(),
    files: optional(),
  },
  { ...strict, description: 'A field that is absent: as everybody (rule MOD-2).' },
)
export type PersonPermissions = Static<typeof PersonPermissions>

export const moderationCommands = {
  'conference.set_permissions': Type.Object(
    { microphone: optional(), camera: optional(), screen: optional(), files: optional() },
    { ...strict, minProperties: 1, description: 'What participants may send; moderators always may.' },
  ),
  'conference.set_spotlight': Type.Object(
    { user_id: Nullable(Id) },
    { ...strict, description: 'Shows a person large for everybody; null: nobody.' },
  ),
  'participant.set_permissions': Type.Object(
    {
      user_id: Id,
      microphone: optionalOrNull(),
      camera: optionalOrNull(),
      screen: optionalOrNull(),
      chat: optionalOrNull(),
      files: optionalOrNull(),
    },
    { ...strict, minProperties: 2, description: 'Exceptions for one person; null: as everybody.' },
  ),
  'participant.lower_hands': Type.Object({}, { ...strict, description: 'Lowers all raised hands.' }),
}

export const moderationEvents = {
  'conference.permissions': Type.Object({ permissions: Permissions }, strict),
  'conference.spotlight': Type.Object({ user_id: Nullable(Id) }, strict),
  'participant.permissions': Type.Object(
    { person: PersonPermissions },
    { ...strict, description: 'Only user_id: the person has the permissions of everybody.' },
  ),
}

export const moderationState = {
  permissions: Permissions,
  person_permissions: Type.Array(PersonPermissions, { maxItems: PERSON_PERMISSIONS_MAX }),
  spotlight_user_id: Nullable(Id),
}
