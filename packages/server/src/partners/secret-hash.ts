import { createHash, createHmac, randomBytes } from 'node:crypto'
import type { Keys, SecretKeys } from '../accounts/keys.ts'
import { type Clock, unixSeconds } from '../platform/clock.ts'
import { equalSecrets } from '../platform/constant-time.ts'
import type { ServiceAccount } from './ports.ts'

/** Begins the ids of secrets that have none in the store; ids in the store never begin with it unless they were derived. */
const DERIVED = '~'

/** `hmac-sha256:<base64url(HMAC-SHA256(JwtSecret, client_secret))>` (docs/install.md#partners). */
export const hashSecret = (keys: Pick<SecretKeys, 'secret'>, clientSecret: string): string =>
  `hmac-sha256:${createHmac('sha256', keys.secret).update(clientSecret).digest('base64url')}`

/** The hash of a secret that replaces another one, with an id: tokens that name none were not issued with it. */
export const hashNewSecret = (keys: Keys, clientSecret: string): string =>
  `${hashSecret(keys, clientSecret)}#${randomBytes(12).toString('base64url')}`

/** The same secret under the present JwtSecret, with the id that it had; null if it has that hash already. */
export function rehashSecret(keys: Keys, stored: string, clientSecret: string): string | null {
  const present = hashSecret(keys, clientSecret)
  if (stored.startsWith('plain:') || equalSecrets(parse(keys, stored).hash, present)) return null
  return `${present}#${secretId(keys, stored)}`
}

/** Names a stored secret in tokens. It stays the same when the secret is hashed again, and does not reveal it. */
export function secretId(keys: SecretKeys | Keys, stored: string): string {
  const { hash, id } = parse(keys, stored)
  return id ?? DERIVED + createHash('sha256').update(hash).digest('base64url').slice(0, 16)
}

/** Whether a stored hash belongs to the secret, with any accepted JwtSecret. */
export function secretMatches(keys: Keys, stored: string, clientSecret: string): boolean {
  const { hash } = parse(keys, stored)
  return keys.accepted.some(each => equalSecrets(hash, hashSecret(each, clientSecret)))
}

/** The secrets that are valid now: the present one first, then the one before while it is being replaced. */
export function validSecrets({ secretHash, previous }: ServiceAccount, clock: Clock): string[] {
  const isValid = previous !== undefined && previous.expiresAt > unixSeconds(clock)
  return isValid ? [secretHash, previous.secretHash] : [secretHash]
}

/**
 * Whether a token was issued with one of these secrets. Tokens of earlier versions name none: they end with the secrets that were
 * not made by a replacement since.
 */
export function isIssuedWith(keys: Keys, secrets: readonly string[], id: unknown): boolean {
  // A plain secret has another id with each JwtSecret.
  const ids = secrets.flatMap(stored => keys.accepted.map(each => secretId(each, stored)))
  return id === undefined ? ids.some(each => each.startsWith(DERIVED)) : ids.includes(String(id))
}

/** Padding is optional in base64url; operators may have written the row manually. */
const STORED = /^(hmac-sha256:[^#=]*)=*(?:#(.+))?$/s

function parse(keys: Pick<SecretKeys, 'secret'>, stored: string): { hash: string; id?: string | undefined } {
  const plain = /^plain:(.+)$/s.exec(stored)?.[1]
  if (plain !== undefined) return { hash: hashSecret(keys, plain) }
  const [, hash = stored, id] = STORED.exec(stored) ?? []
  return { hash, id }
}
