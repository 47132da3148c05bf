import type { FastifyInstance } from 'fastify'

/** For responses that are data: never rendered, cached or embedded. */
export const API_HEADERS = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
}

export function useApiHeaders(app: FastifyInstance) {
  app.addHook('onRequest', (_request, reply, done) => {
    reply.headers(API_HEADERS)
    done()
  })
}

/**
 * For scripts, styles and images. The page that loads them decides what they may do; opened alone, they do nothing.
 * Workers follow the policy of their own script: the one of the background runs WebAssembly, which Firefox asks for
 * there, too.
 */
export const ASSET_HEADERS = {
  'content-security-policy': "default-src 'none'; script-src 'wasm-unsafe-eval'",
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
}

/** For the clients and the script of `<lectern-room>`, which pages of other origins load. */
export const CLIENT_HEADERS = {
  ...ASSET_HEADERS,
  'access-control-allow-origin': '*',
  'cross-origin-resource-policy': 'cross-origin',
}

/** For the hosted pages (docs/partner-api.md#embedding): configured origins may embed them; nothing loads from other origins. */
export function pageHeaders(frameAncestors: string[], publicUrl: string): Record<string, string> {
  const ancestors = frameAncestors.length > 0 ? frameAncestors.join(' ') : "'self'"
  // 'self' in connect-src covers WebSockets only in newer browsers.
  const sockets = publicUrl.replace(/^http/, 'ws')
  return {
    'content-security-policy': [
      "default-src 'none'",
      // WebAssembly, of the noise suppression and the background, but no `eval` of scripts.
      "script-src 'self' 'wasm-unsafe-eval'",
      "style-src 'self'",
      "img-src 'self' data: blob:",
      "media-src 'self' blob:",
      "font-src 'self'",
      `connect-src 'self' ${sockets}`,
      "worker-src 'self' blob:",
      "manifest-src 'self'",
      "base-uri 'none'",
      "form-action 'none'",
      `frame-ancestors ${ancestors}`,
    ].join('; '),
    // For older browsers. It cannot name an origin, so it is omitted if an origin may embed the page.
    ...(frameAncestors.length === 0 && { 'x-frame-options': 'SAMEORIGIN' }),
    'permissions-policy':
      'camera=(self), microphone=(self), display-capture=(self), autoplay=(self), fullscreen=(self), geolocation=()',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    ...(publicUrl.startsWith('https:') && { 'strict-transport-security': 'max-age=31536000' }),
  }
}
