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
  try {
    decodeURIComponent(path)
    return url
  } catch {
    return [path.replaceAll('%', '%25'), ...query].join('?')
  }
}
