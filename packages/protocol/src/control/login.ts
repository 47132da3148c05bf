import { type Static, Type } from 'typebox'
import { CAPABILITIES, USER_KINDS } from '../accounts.ts'
import { DISPLAY_NAME_MAX } from '../display-name.ts'
import { LINK_TOKEN_MAX } from '../link.ts'
import { LOGIN_ERROR_CODES } from './login-errors.ts'
import { ProtocolOffer, ProtocolSelection } from './offer.ts'
import { strict } from './scalars.ts'
import { MESSAGE_MAX } from './shared.ts'

/** The first frame of a connection and its result (docs/control-protocol.md#login). */

export const LoginContent = Type.Object(
  {
    access_token: Type.String({ minLength: 1, maxLength: 8192 }),
    join_token: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: LINK_TOKEN_MAX,
        description: 'The secret of a signed link; sent at every login.',
      }),
    ),
    client: Type.Object(
      {
        name: Type.String({ minLength: 1, maxLength: 64 }),
        version: Type.String({ minLength: 1, maxLength: 64 }),
        platform: Type.String({ minLength: 1, maxLength: 64 }),
      },
      strict,
    ),
    protocol_offer: Type.Optional(ProtocolOffer),
  },
  strict,
)
export type LoginContent = Static<typeof LoginContent>

/** Equal to the user of the HTTP API. */
const User = Type.Object(
  {
    user_id: Type.Integer(),
    login: Type.String(),
    display_name: Type.String({ maxLength: DISPLAY_NAME_MAX }),
    kind: Type.Enum(USER_KINDS),
    capabilities: Type.Array(Type.Enum(CAPABILITIES)),
  },
  strict,
)

const LoginError = Type.Object(
  { code: Type.Enum(LOGIN_ERROR_CODES), message: Type.String({ maxLength: MESSAGE_MAX }) },
  strict,
)

export const LoginResultContent = Type.Union([
  Type.Object(
    { ok: Type.Literal(true), user: User, protocol_selection: Type.Optional(ProtocolSelection) },
    strict,
  ),
  Type.Object({ ok: Type.Literal(false), error: LoginError }, strict),
])
export type LoginResultContent = Static<typeof LoginResultContent>

export type LoginFrame = { login: LoginContent }
export type LoginResultFrame = { login_result: LoginResultContent }
