import { type Static, Type } from 'typebox'
import { DisplayName } from '../../accounts.ts'
import { Result } from '../../schema.ts'
import { RoomParams } from '../rooms.ts'
import { AfterQuery, Metadata, NextAfter } from './conventions.ts'

export const PERSON_ROLES = ['teacher', 'assistant', 'student', 'observer'] as const
export type PersonRole = (typeof PERSON_ROLES)[number]

/** People of a room. */
export const ROOM_PEOPLE_MAX = 500

export const RoomPersonParams = Type.Object({
  ...RoomParams.properties,
  person_external_id: Type.String({
    minLength: 1,
    format: 'person-id',
    pattern: '^(?!\\.{1,2}$)',
    description: 'Your own id of the person, 1 to 255 bytes, percent-encoded in the path.',
  }),
})

export const RoomPersonRequest = Type.Object({
  display_name: Type.Optional(DisplayName),
  role: Type.Optional(
    Type.Enum(PERSON_ROLES, {
      description: 'Teachers and assistants are moderators; observers send nothing. By default `student`.',
    }),
  ),
  metadata: Type.Optional(Metadata),
})
export type RoomPersonRequest = Static<typeof RoomPersonRequest>

const person = {
  external_id: Type.String(),
  display_name: Type.String(),
  role: Type.Enum(PERSON_ROLES),
  metadata: Metadata,
  join_url: Type.String({ description: 'The personal link: whoever has it enters as this person.' }),
}

/** A person of a room, with the personal link. */
export const InvitedPerson = Type.Object(person)
export type InvitedPerson = Static<typeof InvitedPerson>

export const InvitedPersonResponse = Type.Object({ result: Result, ...person })
export const PeopleQuery = Type.Object(AfterQuery)
export const PeopleResponse = Type.Object({
  result: Result,
  people: Type.Array(InvitedPerson, { description: 'In the order in which they were added.' }),
  next: NextAfter,
})
