import { type Static, Type } from 'typebox'
import { strict } from '../scalars.ts'
import { text } from './fields.ts'

export const PUSH_PROVIDERS = ['webpush', 'native_push'] as const
export const PUSH_PERMISSIONS = ['granted', 'denied', 'default', 'unsupported'] as const
export const PUSH_PLATFORMS = ['web', 'android', 'ios', 'desktop'] as const

export const PUSH_ENDPOINT_MAX = 2048
export const PUSH_TOKEN_MAX = 4096
export const PUSH_USER_AGENT_MAX = 512
export const MAX_PUSH_SUBSCRIPTIONS = 20

const key = (description: string) =>
  Type.String({ maxLength: 128, pattern: '^[A-Za-z0-9_-]*={0,2}$', description })
const P256dh = key('webpush: the public key of the browser, base64url.')
const Auth = key('webpush: the authentication secret of the browser, base64url.')
const Endpoint = text(0, PUSH_ENDPOINT_MAX, 'webpush: the address at the push service; empty removes.')

const PushSubscriptionUpdate = Type.Object(
  {
    client_id: Type.Optional(
      Type.Unknown({ description: 'Ignored: the account is that of the connection.' }),
    ),
    provider: Type.Optional(Type.Enum(PUSH_PROVIDERS, { description: 'Default: webpush.' })),
    endpoint: Type.Optional(Endpoint),
    previous_endpoint: Type.Optional(
      text(0, PUSH_TOKEN_MAX, 'The endpoint or token that this one replaces, or that is removed.'),
    ),
    p256dh: Type.Optional(P256dh),
    auth: Type.Optional(Auth),
    permission: Type.Optional(
      Type.Enum(PUSH_PERMISSIONS, { description: 'Of the browser or the device. Default: granted.' }),
    ),
    supported: Type.Optional(Type.Boolean({ description: 'false: permission is unsupported.' })),
    platform: Type.Optional(Type.Enum(PUSH_PLATFORMS, { description: 'Default: web for webpush.' })),
    user_agent: Type.Optional(text(0, PUSH_USER_AGENT_MAX, 'For diagnosis.')),
    expiration_time: Type.Optional(
      Type.Union([Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }), Type.Null()], {
        description: 'Unix milliseconds; null: it does not expire.',
      }),
    ),
    subscription: Type.Optional(
      Type.Object(
        {
          endpoint: Type.Optional(Endpoint),
          keys: Type.Optional(
            Type.Object(
              { p256dh: Type.Optional(P256dh), auth: Type.Optional(Auth) },
              { description: 'base64url.' },
            ),
          ),
        },
        {
          description:
            "The browser's PushSubscription as JSON. Fields beside the body's own MUST equal them.",
        },
      ),
    ),
    token: Type.Optional(text(0, PUSH_TOKEN_MAX, 'native_push: the registration token; empty removes.')),
  },
  { ...strict, description: 'See docs/push.md.' },
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
