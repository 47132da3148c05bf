import { createHmac } from 'node:crypto'
import type { TurnAccess } from './ports.ts'

export interface TurnSettings {
  urls: string[]
  secret: string
}

const TTL_SECONDS = 6 * 3600

/** Credentials that coturn's `use-auth-secret` accepts until they expire (draft-uberti-behave-turn-rest). */
export function turnCredentials(secret: string, user: string, expiresAt: number) {
  const username = `${expiresAt}:${user}`
  return { username, credential: createHmac('sha1', secret).update(username).digest('base64') }
}

/** Credentials for the TURN servers, valid from now on; null when no servers are configured. */
export function turnAccess(
  { urls, secret }: TurnSettings,
  user: string,
  nowMs: number,
  ttlSeconds = TTL_SECONDS,
): TurnAccess | null {
  if (urls.length === 0 || !secret) return null
  const expiresAt = Math.floor(nowMs / 1000) + ttlSeconds
  return { servers: [{ urls, ...turnCredentials(secret, user, expiresAt) }], ttlMs: ttlSeconds * 1000 }
}
