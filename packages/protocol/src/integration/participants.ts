import { type Static, Type } from 'typebox'
import { DisplayName, TokenPair } from '../accounts.ts'
import { Nullable, Result } from '../schema.ts'

/** Accepts any string: invalid tokens are reported with the error codes of links. */
export const JoinParams = Type.Object({
  token: Type.String({ description: 'The secret of a signed link: the last part of its address.' }),
})

export const ParticipantRequest = Type.Object({ display_name: Type.Optional(Nullable(DisplayName)) })

/** The person that a link signed in (docs/partner-api.md#sign-in-by-link). */
export const ParticipantResponse = Type.Object({
  result: Result,
  login: Type.String(),
  user_id: Type.Integer(),
  ...TokenPair,
  expires_in: Type.Integer({ description: 'Seconds until the access token expires.' }),
})
export type ParticipantResponse = Static<typeof ParticipantResponse>
