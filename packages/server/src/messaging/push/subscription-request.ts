import { ECDH } from 'node:crypto'
import { ensure } from '@lectern/protocol'
import { PUSH_ENDPOINT_MAX, PUSH_TOKEN_MAX, type PushSubscriptionUpdate } from '@lectern/protocol/control'
import type { PushSubscription } from './ports.ts'

type Described = Omit<PushSubscription, 'clientId' | 'updatedAt'>

/** The change that a `push_subscription_update` requests. */
export type SubscriptionRequest =
  | { is: 'store'; subscription: Described; replaces: string | null }
  | { is: 'remove'; endpoint: string }
  /** A report that there is no permission or no support, with nothing stored before. */
  | { is: 'note' }

const P256DH_BYTES = 65
const AUTH_BYTES = 16
const SUBSCRIPTION_JSON_MAX_BYTES = 8_192
const USER_AGENT_MAX = 512
const PLATFORM_MAX = 64
const PERMISSIONS: readonly unknown[] = ['granted', 'denied', 'default', 'unsupported']

/** Rules PUSH-1 to PUSH-5 and PUSH-20. Throws `invalid_argument`. */
export function parseSubscriptionRequest(body: PushSubscriptionUpdate): SubscriptionRequest {
  const provider = body.provider || 'webpush'
  const token = body.token ?? ''
  const endpoint = provider === 'native_push' ? token : agreeing('endpoint', body)
  const replaces = body.previous_endpoint || null
  const permission = permissionOf(body)
  // Whichever of the two an unknown provider uses.
  const address = provider === 'webpush' ? endpoint : endpoint || token
  if (address === '') {
    if (replaces !== null) return { is: 'remove', endpoint: replaces }
    const name = provider === 'webpush' ? 'endpoint' : 'token'
    ensure(
      permission !== 'granted',
      'invalid_argument',
      `${name} is required, or previous_endpoint to remove it.`,
    )
    return { is: 'note' }
  }
  const max = provider === 'webpush' ? PUSH_ENDPOINT_MAX : PUSH_TOKEN_MAX
  ensure(
    address.length <= max && !address.includes('\0'),
    'invalid_argument',
    `endpoint and token must have at most ${max} characters, without NUL.`,
  )
  const subscription: Described = {
    endpoint: address,
    provider,
    ...keysOf(provider, body),
    permission,
    platform: textOf(body.platform, PLATFORM_MAX) || (provider === 'webpush' ? 'web' : ''),
    userAgent: textOf(body.user_agent, USER_AGENT_MAX),
    expirationTime: expirationOf(body.expiration_time),
    subscriptionJson: diagnosticJson(body.subscription),
  }
  return { is: 'store', subscription, replaces }
}

function permissionOf({ supported, permission }: PushSubscriptionUpdate): Described['permission'] {
  if (supported === false) return 'unsupported'
  if (permission === undefined || permission === null) return 'granted'
  return PERMISSIONS.includes(permission) ? (permission as Described['permission']) : 'default'
}

/** In code points, without NUL, which not every database can store. */
const textOf = (value: unknown, max: number): string =>
  typeof value === 'string' ? [...value.replaceAll('\0', '')].slice(0, max).join('') : ''

/** Many languages write 0 for what is absent. */
const expirationOf = (value: unknown): number | null =>
  typeof value === 'number' && value >= 1 && value <= Number.MAX_SAFE_INTEGER ? Math.floor(value) : null

/** Empty when it is too large, or nothing that a database can store. */
function diagnosticJson(subscription: unknown): string {
  const json = JSON.stringify(fieldsOf(subscription))
  const isStorable = Buffer.byteLength(json) <= SUBSCRIPTION_JSON_MAX_BYTES && !json.includes('\\u0000')
  return isStorable ? json : '{}'
}

function keysOf(provider: string, body: PushSubscriptionUpdate) {
  if (provider !== 'webpush') return { token: body.token ?? '', p256dh: '', auth: '' }
  const p256dh = agreeing('p256dh', body)
  const auth = agreeing('auth', body)
  ensure(
    isPublicKey(p256dh),
    'invalid_argument',
    'p256dh must be a public key of the curve P-256, base64url.',
  )
  ensure(
    bytesOf(auth).length === AUTH_BYTES,
    'invalid_argument',
    `auth must be ${AUTH_BYTES} bytes, base64url.`,
  )
  return { token: '', p256dh, auth }
}

/** A field of the body, or of its `subscription`; empty if it is in neither. */
function agreeing(field: 'endpoint' | 'p256dh' | 'auth', body: PushSubscriptionUpdate): string {
  const subscription = fieldsOf(body.subscription)
  const fields = field === 'endpoint' ? subscription : fieldsOf(subscription.keys)
  const normalize = field === 'endpoint' ? (text: string) => text : toBase64Url
  const [outer, inner] = [body[field], fields[field]].map(each =>
    typeof each === 'string' ? normalize(each) : undefined,
  )
  ensure(
    outer === undefined || inner === undefined || outer === inner,
    'invalid_argument',
    `${field} must equal that of subscription.`,
  )
  return outer ?? inner ?? ''
}

const fieldsOf = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {}

/** Without padding. */
const toBase64Url = (key: string) => key.replace(/=+$/, '').replaceAll('+', '-').replaceAll('/', '_')

/** None for what is not base64url: decoders skip other characters. */
const bytesOf = (key: string) => Buffer.from(/^[\w-]*$/.test(key) ? key : '', 'base64url')

/** Whether it is an uncompressed point of the curve: encryption would fail for any other. */
function isPublicKey(key: string): boolean {
  const bytes = bytesOf(key)
  if (bytes.length !== P256DH_BYTES || bytes[0] !== 4) return false
  try {
    ECDH.convertKey(bytes, 'prime256v1')
    return true
  } catch {
    return false
  }
}
