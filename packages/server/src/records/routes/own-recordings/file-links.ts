import { ensure } from '@lectern/protocol'
import type { FastifyRequest } from 'fastify'
import type { AuthSessions } from '../../../accounts/auth-sessions.ts'
import type { Jwt } from '../../../accounts/jwt.ts'
import type { User } from '../../../accounts/ports.ts'
import { AuthPolicy } from '../../../http/auth-policy.ts'
import { bearerToken } from '../../../http/bearer.ts'

const LINK_SECONDS = 10 * 60

/** The sign-in of a caller. */
interface SignedIn {
  user: User
  sessionId: string
}

interface FileLinksOptions {
  jwt: Jwt
  sessions: Pick<AuthSessions, 'authenticate' | 'identify' | 'check'>
}

/**
 * Links to single files, for elements that send no header, such as <video>. A link contains no access token: it opens one
 * file, for ten minutes, and only while the sign-in that requested it lasts (rules PLAY-1 to PLAY-3).
 */
export function createFileLinks({ jwt, sessions }: FileLinksOptions) {
  const readLink = async (link: string, { params }: FastifyRequest): Promise<User> => {
    const { sid, blob } = await jwt.verify('lectern:file', link)
    ensure(blob === (params as { blob_id?: string }).blob_id, 'unauthenticated')
    return sessions.check(String(sid))
  }
  return {
    expiresIn: LINK_SECONDS,
    signedIn: new AuthPolicy<SignedIn>('signed in', [{ user: [] }], request =>
      sessions.identify(bearerToken(request)),
    ),
    /** A user access token, or the query parameter `link`. */
    file: new AuthPolicy<User>('file', [{ user: [] }], request => {
      const { link } = request.query as { link?: string | string[] }
      if (request.headers.authorization !== undefined || typeof link !== 'string')
        return sessions.authenticate(bearerToken(request))
      return readLink(link, request)
    }),
    create: (sessionId: string, blobId: string): Promise<string> =>
      jwt.sign('lectern:file', { sid: sessionId, blob: blobId }, LINK_SECONDS),
  }
}
