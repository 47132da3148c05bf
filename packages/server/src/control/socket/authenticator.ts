import type { AuthSessions } from '../../accounts/auth-sessions.ts'
import type { Integration } from '../../hooks.ts'
import type { AccessVersion } from '../../platform/access-version.ts'
import type { Authenticator } from '../ports.ts'

/** Authenticates users by their access tokens; a signed link, if given, also grants admission to its room. */
export function createAuthenticator(
  sessions: AuthSessions,
  integration: Integration,
  accessVersion: AccessVersion,
): Authenticator {
  const admissionOf = async (joinToken: string | undefined, userId: number) =>
    joinToken === undefined ? null : integration.verifyJoinToken(joinToken, userId)
  return {
    login: async (accessToken, joinToken) => {
      const { user, sessionId } = await sessions.identify(accessToken)
      return { user, authSessionId: sessionId, joinToken, admission: await admissionOf(joinToken, user.id) }
    },
    // Verifies the link again: it may have been replaced, or its room closed (rule W15).
    renew: async ({ authSessionId, joinToken }) => {
      const user = await sessions.check(authSessionId)
      return { user, admission: await admissionOf(joinToken, user.id) }
    },
    accessVersion: accessVersion.read,
  }
}
