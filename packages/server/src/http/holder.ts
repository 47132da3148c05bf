import { ensure } from '@lectern/protocol'
import type { Accounts } from '../accounts/accounts.ts'
import type { User } from '../accounts/ports.ts'
import type { Sessions } from '../accounts/sessions.ts'
import type { Integration } from '../hooks.ts'

/** Who sends an access token: a user, or the technical user of a partner's service account. */
export interface Holder {
  user: User
  /** Of a service token; null for a user's own. */
  scopes: string[] | null
}

interface Parts {
  accounts: Accounts
  sessions: Sessions
  integration: Integration
}

/** For what both kinds of tokens open. Throws what the door of either throws. */
export async function identifyHolder(
  { accounts, sessions, integration }: Parts,
  token: string,
): Promise<Holder> {
  const caller = await integration.identify(token)
  if (!caller) return { user: await sessions.authenticate(token), scopes: null }
  const user = await accounts.find(caller.clientId)
  ensure(user, 'unauthenticated')
  return { user, scopes: caller.scopes }
}
