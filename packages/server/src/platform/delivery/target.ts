import { isIP } from 'node:net'
import { ensure } from '@lectern/protocol'
import { isPublicAddress, queryNameServers } from './address.ts'

const RESOLVE_WITHIN_MS = 3_000
/** `URL` repairs addresses such as `https:\\host` and `https:///host`, in which other parsers find another host or none. */
const WELL_FORMED = /^\w+:\/\/[^\s\\/?#][^\s\\]*$/

/** `URL` leaves some of them out, others refuse them. */
const CONTROL_CHARACTER = /\p{Cc}/u

/** The URL of a text that every parser reads alike, without a user name or password; null for another one. */
export function parseWellFormed(text: string): URL | null {
  const url = WELL_FORMED.test(text) && !CONTROL_CHARACTER.test(text) ? URL.parse(text) : null
  return url && !url.username && !url.password ? url : null
}

/**
 * Refuses a url that is not https or leads to a private address (docs/webhooks.md#permitted-targets). A name that cannot be
 * resolved now is accepted: every delivery resolves and checks it again.
 */
export async function ensureTargetAllowed(
  url: string,
  allowInsecure: boolean,
  field = 'url',
): Promise<string> {
  const parsed = WELL_FORMED.test(url) && URL.canParse(url) ? new URL(url) : null
  ensure(
    parsed && /^https?:$/.test(parsed.protocol) && parsed.port !== '0',
    'invalid_argument',
    `${field} must be an https address.`,
  )
  ensure(
    !parsed.username && !parsed.password,
    'invalid_argument',
    `${field} must not hold a user name or password.`,
  )
  if (allowInsecure) return url
  ensure(parsed.protocol === 'https:', 'invalid_argument', `${field} must be an https address.`)
  const addresses = await resolve(hostOf(parsed))
  ensure(addresses.every(isPublicAddress), 'invalid_argument', `${field} must lead to a public address.`)
  return url
}

/** Whether a stored url is permitted as written; the addresses of its name are checked at every connection. */
export function isAllowedTarget(url: URL): boolean {
  const host = hostOf(url)
  return url.protocol === 'https:' && (isIP(host) === 0 || isPublicAddress(host))
}

const hostOf = (url: URL) => url.hostname.replace(/^\[|\]$/g, '')

async function resolve(host: string): Promise<string[]> {
  if (isIP(host)) return [host]
  if (/(^|\.)localhost\.?$/.test(host)) return ['127.0.0.1']
  const timeout = new Promise<never[]>(done => setTimeout(done, RESOLVE_WITHIN_MS, []).unref())
  const answers = queryNameServers(host).then(found => found.map(({ address }) => address))
  return Promise.race([answers.catch(() => []), timeout])
}
