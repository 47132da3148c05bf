import type { FastifyInstance } from 'fastify'

/** For answers that are data: never a page, never stored, never embedded. */
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

/** For the hosted pages (docs/partner-api.md#embedding): the deployment says who may embed them; nothing loads from elsewhere. */
export function pageHeaders(frameAncestors: string[], publicUrl: string): Record<string, string> {
  const ancestors = frameAncestors.length > 0 ? frameAncestors.join(' ') : "'self'"
  // 'self' in connect-src covers WebSockets only in newer browsers.
  const sockets = publicUrl.replace(/^http/, 'ws')
  return {
    'content-security-policy': [
      "default-src 'none'",
      "script-src 'self'",
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
    // Older browsers; it cannot name an origin, so it is left out when one may embed the page.
    ...(frameAncestors.length === 0 && { 'x-frame-options': 'SAMEORIGIN' }),
    'permissions-policy':
      'camera=(self), microphone=(self), display-capture=(self), autoplay=(self), fullscreen=(self), geolocation=()',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    ...(publicUrl.startsWith('https:') && { 'strict-transport-security': 'max-age=31536000' }),
  }
}
