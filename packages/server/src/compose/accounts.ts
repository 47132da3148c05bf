import { Accounts } from '../accounts/accounts.ts'
import { FailureLimiter } from '../accounts/failure-limiter.ts'
import { Jwt } from '../accounts/jwt.ts'
import { Keys } from '../accounts/keys.ts'
import { PasswordLogin } from '../accounts/password-login.ts'
import { Sessions } from '../accounts/sessions.ts'
import type { ServerContext } from './context.ts'
import type { Stores } from './stores.ts'

export type AccountsPart = ReturnType<typeof composeAccounts>

/** Accounts, and how they sign in. */
export function composeAccounts(context: ServerContext, { users, authSessions }: Stores) {
  const { config, clock, log, domainEvents } = context
  const keys = new Keys(config.Server.JwtSecret)
  if (!keys.configured)
    log.warn('[Server] JwtSecret is not set: nobody can sign in, and no partner gets a token')
  const jwt = new Jwt(keys, clock)
  const guestExpiryDays = config.Conferences.GuestExpiryDays
  const sessions = new Sessions({ store: authSessions, jwt, keys, clock, guestExpiryDays })
  const limiter = config.Limits.Enabled ? new FailureLimiter(config.Limits, clock) : null
  const accounts = new Accounts(users, clock)
  accounts.onRenamed(user => domainEvents.publish('account-renamed', { user }))
  return { keys, jwt, accounts, sessions, passwordLogin: new PasswordLogin({ users, sessions, limiter }) }
}
