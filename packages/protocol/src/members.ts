import { Type } from 'typebox'
import { Result, Text } from './schema.ts'

const Member = {
  user_id: Type.Integer(),
  display_name: Type.String(),
}

export const ConferenceMember = Type.Object({
  ...Member,
  owner: Type.Boolean({ description: 'The owner of the conference, who is always a member.' }),
  invited: Type.Boolean({
    description: 'Added by the owner, without having agreed yet by joining the conference or writing there.',
  }),
})

export const MemberListResponse = Type.Object({
  result: Result,
  members: Type.Array(ConferenceMember, { description: 'By name.' }),
})

export const MemberRequest = Type.Object(
  {
    login: Type.Optional(Type.String({ minLength: 1, maxLength: 64, format: 'text' })),
    user_id: Type.Optional(Type.Integer({ minimum: 1 })),
  },
  { minProperties: 1, maxProperties: 1 },
)

export const MemberResponse = Type.Object({ result: Result, ...ConferenceMember.properties })

/** The most users that a search finds. */
export const SEARCH_MAX = 20

export const UserSearchQuery = Type.Object({
  search: Text(64, 'The beginning of a login or of a word of a name.'),
})

/** A user of the directory. */
export const FoundUser = Type.Object({ ...Member, login: Type.String() })

export const UserSearchResponse = Type.Object({
  result: Result,
  users: Type.Array(FoundUser, {
    description: `By name, at most ${SEARCH_MAX}, without the account that searches.`,
  }),
})
