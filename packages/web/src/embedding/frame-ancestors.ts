import { backoffMs, sleep } from '@lectern/common'
import type { Api } from '../api/api.ts'

const RETRY = { firstMs: 1_000, maxMs: 10_000, jitter: 0.5 }

/**
 * The sources of the server's `frame-ancestors`. Waits until the server says: the page around this one knows nothing of the
 * room before, and may load while the server restarts.
 */
export async function fetchFrameAncestors(
  api: Pick<Api, 'get'>,
  wait: (ms: number) => Promise<void> = sleep,
): Promise<string[]> {
  for (let failures = 0; ; failures++) {
    const answer = await api.get('/api/v1.0/server_info')
    const sources = answer.is === 'ok' && (answer.body as { frame_ancestors?: unknown }).frame_ancestors
    if (Array.isArray(sources)) return sources.filter(each => typeof each === 'string')
    await wait(backoffMs(failures, RETRY))
  }
}

/**
 * Whether an origin matches a source of CSP's `frame-ancestors` (CSP Level 3, 6.7.2.8). `own` is the origin of this page.
 *
 * The browser has applied the same list to all pages around this one; this decides whose messages are believed.
 */
export function isFrameAncestor(origin: string, sources: readonly string[], own: string): boolean {
  const url = URL.canParse(origin) ? new URL(origin) : null
  // "null", the origin of sandboxed pages and files, is nobody's.
  if (!url || !/^https?:$/.test(url.protocol)) return false
  return sources.some(source => matches(url, source.toLowerCase(), own))
}

function matches(url: URL, source: string, own: string): boolean {
  if (source === "'self'") return url.origin === own
  if (source === '*') return true
  const scheme = /^(https?):$/.exec(source)?.[1]
  if (scheme) return matchesScheme(url, scheme)
  const parts = /^(https?):\/\/(\*\.)?([^*/:[\]]+|\[[0-9a-f:]+\])(?::(\d+|\*))?$/.exec(source)
  if (!parts) return false
  const [, requiredScheme = '', wildcard, host = '', port] = parts
  const isHost = wildcard ? url.hostname.endsWith(`.${host}`) : url.hostname === host
  return isHost && matchesScheme(url, requiredScheme) && matchesPort(url, requiredScheme, port)
}

/** A source with http covers https, too. */
const matchesScheme = ({ protocol }: URL, scheme: string) =>
  protocol === `${scheme}:` || (scheme === 'http' && protocol === 'https:')

const DEFAULT_PORTS: Record<string, string> = { 'http:': '80', 'https:': '443' }

function matchesPort(url: URL, scheme: string, port: string | undefined): boolean {
  if (port === '*') return true
  const actual = url.port || DEFAULT_PORTS[url.protocol]
  const required = port ?? DEFAULT_PORTS[`${scheme}:`]
  return actual === required || (required === '80' && actual === '443' && url.protocol === 'https:')
}
