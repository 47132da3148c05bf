import type { IncomingMessage } from 'node:http'
import { UPLOADS_PATH } from '@lectern/protocol'

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']

/**
 * tus 1.0.0, section X-HTTP-Method-Override: the method of an upload's request that passes a proxy without PATCH. Called
 * before the route is chosen, so that everything depends on that method. Returns the URL, unchanged.
 */
export function takeOverriddenMethod(request: IncomingMessage): string {
  const { url = '/', headers } = request
  const method = String(headers['x-http-method-override'] ?? '').toUpperCase()
  if (url.startsWith(UPLOADS_PATH) && METHODS.includes(method)) request.method = method
  return url
}
