import type { AccessVersion } from '../../access-version.ts'
import type { Sessions } from '../../accounts/sessions.ts'
import type { Integration } from '../../hooks.ts'
import type { Authenticator } from '../ports.ts'

/** Signed-in users come in, and the bearers of a signed link with what the link gives. */
export function createAuthenticator(
  sessions: Sessions,
  integration: Integration,
  accessVersion: AccessVersion,
): Authenticator {
  // A link may have been replaced, its room closed (rule W15).
  const admit = async (joinToken: string | undefined, userId: number) =>
    joinToken === undefined ? null : integration.verifyJoinToken(joinToken, userId)
  return {
    async login(accessToken, joinToken) {
      const { user, sessionId } = await sessions.identify(accessToken)
      return { user, authSessionId: sessionId, joinToken, admission: await admit(joinToken, user.id) }
    },
    async renew({ authSessionId, joinToken }) {
      const user = await sessions.check(authSessionId)
      return { user, admission: await admit(joinToken, user.id) }
    },
    accessVersion: accessVersion.read,
  }
}
