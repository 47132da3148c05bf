import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import { ensure } from '@lectern/protocol'
import ipaddr from 'ipaddr.js'

const RESOLVE_WITHIN_MS = 3_000

/** Only ordinary addresses of the public internet: no private, loopback, link-local, reserved or multicast. */
function isPublicAddress(address: string): boolean {
  const parsed = ipaddr.process(address) // an IPv4-mapped one is told by its IPv4 address
  // The library takes all unassigned IPv6 space for ordinary; the public internet is 2000::/3.
  const isAssigned = parsed instanceof ipaddr.IPv4 || parsed.match(ipaddr.IPv6.parse('2000::'), 3)
  return isAssigned && parsed.range() === 'unicast'
}

/**
 * Refuses a webhook url that is not https or leads to a private address (design §6). A name that cannot be
 * resolved now is accepted: every delivery resolves and checks it again.
 */
export async function ensureTargetAllowed(url: string, allowInsecure: boolean): Promise<string> {
  const parsed = URL.canParse(url) ? new URL(url) : null
  ensure(parsed && /^https?:$/.test(parsed.protocol), 'invalid_argument', 'url must be an https address.')
  ensure(
    !parsed.username && !parsed.password,
    'invalid_argument',
    'url must not hold a user name or password.',
  )
  if (allowInsecure) return url
  ensure(parsed.protocol === 'https:', 'invalid_argument', 'url must be an https address.')
  const addresses = await resolve(parsed.hostname.replace(/^\[|\]$/g, ''))
  ensure(addresses.every(isPublicAddress), 'invalid_argument', 'url must lead to a public address.')
  return url
}

async function resolve(host: string): Promise<string[]> {
  if (isIP(host)) return [host]
  if (/(^|\.)localhost\.?$/.test(host)) return ['127.0.0.1']
  const timeout = new Promise<never[]>(done => setTimeout(done, RESOLVE_WITHIN_MS, []).unref())
  const answers = lookup(host, { all: true }).then(found => found.map(({ address }) => address))
  return Promise.race([answers.catch(() => []), timeout])
}
