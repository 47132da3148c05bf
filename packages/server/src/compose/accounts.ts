import { Accounts } from '../accounts/accounts.ts'
import { FailureLimiter, type FailureNotice } from '../accounts/failure-limiter.ts'
import { Invitations, Inviter } from '../accounts/invitations.ts'
import { Jwt } from '../accounts/jwt.ts'
import { Keys } from '../accounts/keys.ts'
import { OwnAccount } from '../accounts/own-account.ts'
import { PasswordLogin } from '../accounts/password-login.ts'
import { PasswordVerifier } from '../accounts/password-verifier.ts'
import { hashesAreWeak } from '../accounts/passwords.ts'
import { Sessions } from '../accounts/sessions.ts'
import { acceptedSecrets } from '../platform/config/jwt-secrets.ts'
import { RateLimiter } from '../platform/rate-limiter.ts'
import type { Cluster } from './cluster/cluster.ts'
import type { ServerContext } from './context.ts'
import type { Stores } from './stores.ts'

/** Far more than a person creates manually. */
const CHANGES_PER_MINUTE = 30

export type AccountsPart = ReturnType<typeof composeAccounts>

/** Accounts, and how they sign in. */
export function composeAccounts(
  context: ServerContext,
  { users, authSessions, invitations: store }: Stores,
  cluster: Pick<Cluster, 'bus'>,
) {
  const { config, clock, log, domainEvents } = context
  const keys = new Keys(config.Server.JwtSecret, acceptedSecrets(config.Server), clock)
  if (!keys.configured)
    log.warn('[Server] JwtSecret is not set: nobody can sign in, and no partner gets a token')
  if (hashesAreWeak()) log.warn('LECTERN_WEAK_PASSWORD_HASHES is set: new passwords are protected badly')
  const jwt = new Jwt(keys, clock)
  const guestExpiryDays = config.Conferences.GuestExpiryDays
  const sessions = new Sessions({ store: authSessions, jwt, keys, clock, guestExpiryDays })
  const limiter = config.Limits.Enabled
    ? new FailureLimiter(config.Limits, clock, cluster.bus<FailureNotice>('sign-in'))
    : null
  const accounts = new Accounts(users, clock)
  accounts.onRenamed(user => domainEvents.publish('account-renamed', { user }))
  const verifier = new PasswordVerifier(sessions, limiter)
  const changes = new RateLimiter<number>(clock, config.Limits.Enabled ? CHANGES_PER_MINUTE : null, 60)
  return {
    keys,
    jwt,
    accounts,
    sessions,
    passwordLogin: new PasswordLogin({ users, sessions, verifier, isEnabled: config.Oidc.PasswordSignIn }),
    ownAccount: new OwnAccount({ accounts, users, sessions: authSessions, verifier, changes, clock }),
    inviter: new Inviter(store, clock),
    invitations: new Invitations({
      store,
      sessions,
      verifier,
      clock,
      isEnabled: config.Oidc.PasswordSignIn,
    }),
  }
}
