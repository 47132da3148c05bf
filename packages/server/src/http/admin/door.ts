import { ensure } from '@lectern/protocol'
import type { FastifyRequest } from 'fastify'
import { claimedAudience, type Jwt } from '../../accounts/jwt.ts'
import type { Sessions } from '../../accounts/sessions.ts'
import { bearerToken } from '../bearer.ts'

/**
 * Lets in users with the capability `admin`, and the operator's own command line, whose tokens are made with the key
 * of the configuration.
 */
export async function demandAdmin(
  request: FastifyRequest,
  { sessions, jwt }: { sessions: Sessions; jwt: Jwt },
): Promise<void> {
  const token = bearerToken(request)
  if (claimedAudience(token) === 'lectern:operator') return void (await jwt.verify('lectern:operator', token))
  const { capabilities } = await sessions.authenticate(token)
  ensure(capabilities.includes('admin'), 'permission_denied', 'This needs the capability admin.')
}
