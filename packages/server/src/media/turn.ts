import { createHmac } from 'node:crypto'

export interface TurnSettings {
  urls: string[]
  secret: string
}

export interface IceServers {
  ice_servers: { urls: string[]; username: string; credential: string }[]
  ice_servers_ttl_ms?: number
}

const TTL_SECONDS = 6 * 3600

/** Credentials that coturn's `use-auth-secret` accepts until they expire (draft-uberti-behave-turn-rest). */
export function turnCredentials(secret: string, user: string, expiresAt: number) {
  const username = `${expiresAt}:${user}`
  return { username, credential: createHmac('sha1', secret).update(username).digest('base64') }
}

/** The TURN servers for a browser, with short-lived credentials; empty when none are configured. */
export function iceServers({ urls, secret }: TurnSettings, userId: string, nowMs: number): IceServers {
  if (urls.length === 0 || !secret) return { ice_servers: [] }
  const expiresAt = Math.floor(nowMs / 1000) + TTL_SECONDS
  return {
    ice_servers: [{ urls, ...turnCredentials(secret, userId, expiresAt) }],
    ice_servers_ttl_ms: TTL_SECONDS * 1000,
  }
}
