import type { Sessions } from '../accounts/sessions.ts'
import type { Integration } from '../hooks.ts'
import type { Door } from './ports.ts'

/** Signed-in users come in, and the bearers of a signed link with what the link gives. */
export const openDoor = (sessions: Sessions, integration: Integration): Door => ({
  async login(accessToken, joinToken) {
    const { user, sessionId } = await sessions.identify(accessToken)
    // Looked at anew at every login: a link may have been replaced, its room closed (contract §2.2 rule 2).
    const admission = joinToken === undefined ? null : await integration.admit(joinToken, user.id)
    return { user, authSessionId: sessionId, admission }
  },
  check: authSessionId => sessions.check(authSessionId),
})
