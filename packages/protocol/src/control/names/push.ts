import { type Static, type TSchema, Type } from 'typebox'
import { strict } from '../scalars.ts'
import { text } from './fields.ts'

export const PUSH_ENDPOINT_MAX = 2048
export const PUSH_TOKEN_MAX = 4096
export const MAX_PUSH_SUBSCRIPTIONS = 20

/** Many languages write null for what is absent. */
const optional = <T extends TSchema>(schema: T) => Type.Optional(Type.Union([schema, Type.Null()]))

/** A registration is never lost for a detail: what is not as described counts as absent, or is cut (rule PUSH-20). */
const detail = (description: string) => Type.Optional(Type.Unknown({ description }))

const PushSubscriptionUpdate = Type.Object(
  {
    client_id: detail('Ignored: the account is that of the connection.'),
    provider: optional(
      text(
        0,
        64,
        'webpush (default, also if empty) or native_push; others are stored, and not notified yet.',
      ),
    ),
    endpoint: optional(
      text(
        0,
        PUSH_TOKEN_MAX,
        `webpush: the address at the push service, at most ${PUSH_ENDPOINT_MAX} characters; empty removes.`,
      ),
    ),
    previous_endpoint: optional(
      text(0, PUSH_TOKEN_MAX, 'The endpoint or token that this one replaces, or that is removed.'),
    ),
    p256dh: detail('webpush: the public key of the browser, a string in base64url; ignored for others.'),
    auth: detail(
      'webpush: the authentication secret of the browser, a string in base64url; ignored for others.',
    ),
    permission: detail(
      'Of the browser or the device: granted (default), denied, default or unsupported. Others count as default.',
    ),
    supported: detail('Boolean; false: permission is unsupported.'),
    platform: detail('web (default for webpush), android, ios, desktop, or another name.'),
    user_agent: detail('String, for diagnosis.'),
    expiration_time: detail('Integer, Unix milliseconds; null or 0: it does not expire.'),
    subscription: detail(
      "The browser's PushSubscription as JSON: endpoint and keys (p256dh, auth). Where these are also fields of the body, they MUST be equal.",
    ),
    token: optional(text(0, PUSH_TOKEN_MAX, 'native_push: the registration token; empty removes.')),
  },
  { description: 'See docs/push.md. Further fields are ignored.' },
)
export type PushSubscriptionUpdate = Static<typeof PushSubscriptionUpdate>

export const pushCommands = { push_subscription_update: PushSubscriptionUpdate }

export const pushData = {
  push_subscription_update: Type.Object(
    {
      status: Type.Enum(['stored', 'removed', 'noted'], {
        description: 'noted: there was nothing to store or to remove.',
      }),
    },
    strict,
  ),
}
