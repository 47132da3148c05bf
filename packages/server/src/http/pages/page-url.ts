import type { IncomingMessage } from 'node:http'

type Head = Pick<IncomingMessage, 'method' | 'headers'>

/** A browser that opens a page, not a program. */
export const acceptsPage = ({ method, headers }: Head, url: string): boolean =>
  method === 'GET' && (headers.accept ?? '').includes('text/html') && !/^\/api\b/.test(url)

/**
 * The URL of a page whose percent signs decode: links are copied with signs too many, of which the page reads the part
 * that it can. Programs get an error instead.
 */
export function pageUrl(request: Head, url: string): string {
  if (!url.includes('%') || !acceptsPage(request, url)) return url
  const [path = '', ...query] = url.split('?')
  return canDecode(path) ? url : [path.replaceAll('%', '%25'), ...query].join('?')
}

/** Uses the result: the bundler takes decoding for free of effects, and drops it otherwise. */
function canDecode(path: string): boolean {
  try {
    return decodeURIComponent(path) !== ''
  } catch {
    return false
  }
}
