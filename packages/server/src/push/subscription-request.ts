import { ECDH } from 'node:crypto'
import { ensure } from '@lectern/protocol'
import type { PushSubscriptionUpdate } from '@lectern/protocol/control'
import type { PushSubscription } from './ports.ts'

type Described = Omit<PushSubscription, 'clientId' | 'updatedAt'>

/** What a `push_subscription_update` demands. */
export type SubscriptionRequest =
  | { is: 'store'; subscription: Described; replaces: string | null }
  | { is: 'remove'; endpoint: string }
  /** A report that there is no permission or no support, with nothing stored before. */
  | { is: 'note' }

const P256DH_BYTES = 65
const AUTH_BYTES = 16
const SUBSCRIPTION_JSON_MAX_BYTES = 8_192

/** Rules PUSH-1 to PUSH-5. Throws `invalid_argument`. */
export function parseSubscriptionRequest(body: PushSubscriptionUpdate): SubscriptionRequest {
  const provider = body.provider ?? 'webpush'
  const endpoint = provider === 'webpush' ? agreeing('endpoint', body) : (body.token ?? '')
  const replaces = body.previous_endpoint || null
  const permission = body.supported === false ? 'unsupported' : (body.permission ?? 'granted')
  if (endpoint === '') {
    if (replaces !== null) return { is: 'remove', endpoint: replaces }
    const name = provider === 'webpush' ? 'endpoint' : 'token'
    ensure(
      permission !== 'granted',
      'invalid_argument',
      `${name} is required, or previous_endpoint to remove it.`,
    )
    return { is: 'note' }
  }
  const json = JSON.stringify(body.subscription ?? {})
  ensure(
    Buffer.byteLength(json) <= SUBSCRIPTION_JSON_MAX_BYTES,
    'invalid_argument',
    `subscription must have at most ${SUBSCRIPTION_JSON_MAX_BYTES} bytes.`,
  )
  const subscription: Described = {
    endpoint,
    provider,
    ...keysOf(provider, body),
    permission,
    platform: body.platform ?? (provider === 'webpush' ? 'web' : ''),
    userAgent: body.user_agent ?? '',
    expirationTime: body.expiration_time ?? null,
    subscriptionJson: json,
  }
  return { is: 'store', subscription, replaces }
}

function keysOf(provider: Described['provider'], body: PushSubscriptionUpdate) {
  if (provider === 'native_push') return { token: body.token ?? '', p256dh: '', auth: '' }
  const p256dh = withoutPadding(agreeing('p256dh', body))
  const auth = withoutPadding(agreeing('auth', body))
  ensure(
    isPublicKey(p256dh),
    'invalid_argument',
    'p256dh must be a public key of the curve P-256, base64url.',
  )
  ensure(
    Buffer.from(auth, 'base64url').length === AUTH_BYTES,
    'invalid_argument',
    `auth must be ${AUTH_BYTES} bytes, base64url.`,
  )
  return { token: '', p256dh, auth }
}

/** A field of the body, or of its `subscription`; empty if it is in neither. */
function agreeing(field: 'endpoint' | 'p256dh' | 'auth', body: PushSubscriptionUpdate): string {
  const { subscription } = body
  const inner = field === 'endpoint' ? subscription?.endpoint : subscription?.keys?.[field]
  const outer = body[field]
  ensure(
    outer === undefined || inner === undefined || outer === inner,
    'invalid_argument',
    `${field} must equal that of subscription.`,
  )
  return outer ?? inner ?? ''
}

const withoutPadding = (key: string) => key.replace(/=+$/, '')

/** Whether it is an uncompressed point of the curve: encryption would fail for any other. */
function isPublicKey(key: string): boolean {
  const bytes = Buffer.from(key, 'base64url')
  if (bytes.length !== P256DH_BYTES || bytes[0] !== 4) return false
  try {
    ECDH.convertKey(bytes, 'prime256v1')
    return true
  } catch {
    return false
  }
}
