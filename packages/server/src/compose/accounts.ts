import { Accounts } from '../accounts/accounts.ts'
import { AuthSessions } from '../accounts/auth-sessions.ts'
import { FailureLimiter, type FailureNotice } from '../accounts/failure-limiter.ts'
import { Invitations, Inviter, invitationPath } from '../accounts/invitations.ts'
import { Jwt } from '../accounts/jwt.ts'
import { Keys } from '../accounts/keys.ts'
import { OwnAccount } from '../accounts/own-account.ts'
import { PasswordLogin } from '../accounts/password-login.ts'
import { PasswordReset } from '../accounts/password-reset.ts'
import { PasswordVerifier } from '../accounts/password-verifier.ts'
import { hashesAreWeak } from '../accounts/passwords.ts'
import { acceptedSecrets } from '../platform/config/jwt-secrets.ts'
import type { Mailer } from '../platform/mail/mailer.ts'
import { resetMail } from '../platform/mail/texts.ts'
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
  mailer: Mailer | null,
) {
  const { config, clock, log, domainEvents } = context
  const keys = new Keys(config.Server.JwtSecret, acceptedSecrets(config.Server), clock)
  if (!keys.configured)
    log.warn('[Server] JwtSecret is not set: nobody can sign in, and no partner gets a token')
  if (hashesAreWeak()) log.warn('LECTERN_WEAK_PASSWORD_HASHES is set: new passwords are protected badly')
  const jwt = new Jwt(keys, clock)
  const guestExpiryDays = config.Conferences.GuestExpiryDays
  const sessions = new AuthSessions({ store: authSessions, jwt, keys, clock, guestExpiryDays })
  const limiter = config.Limits.Enabled
    ? new FailureLimiter(config.Limits, clock, cluster.bus<FailureNotice>('sign-in'))
    : null
  const accounts = new Accounts(users, clock)
  accounts.onRenamed(user => domainEvents.publish('account-renamed', { user }))
  const verifier = new PasswordVerifier(sessions, limiter)
  const changes = new RateLimiter<number>(clock, config.Limits.Enabled ? CHANGES_PER_MINUTE : null, 60)
  const inviter = new Inviter(store, clock)
  return {
    keys,
    jwt,
    accounts,
    sessions,
    passwordLogin: new PasswordLogin({ users, sessions, verifier, isEnabled: config.Oidc.PasswordSignIn }),
    ownAccount: new OwnAccount({
      ...{ accounts, users, sessions: authSessions, verifier, changes, clock },
      sendsMail: mailer !== null,
      hasPasswords: config.Oidc.PasswordSignIn,
    }),
    inviter,
    passwordReset: composePasswordReset(context, users, inviter, mailer),
    invitations: new Invitations({
      store,
      sessions,
      verifier,
      clock,
      isEnabled: config.Oidc.PasswordSignIn,
    }),
  }
}

/** Null: the server sends no mail, or people have no password. */
function composePasswordReset(
  { config, clock, log, lifetime, url }: ServerContext,
  users: Stores['users'],
  inviter: Inviter,
  mailer: Mailer | null,
): PasswordReset | null {
  const { Mail, Oidc, Limits } = config
  if (!mailer || !Oidc.PasswordSignIn) return null
  const reset = new PasswordReset({
    users,
    inviter,
    send: ({ email, login, displayName: name, language }, { token }) =>
      mailer.send({
        to: email,
        ...resetMail(language ?? Mail.Language, {
          name,
          login,
          link: `${url.public()}${invitationPath(token)}`,
        }),
      }),
    clock,
    isLimited: Limits.Enabled,
    log,
  })
  return lifetime.own('password resets', reset, each => each.close())
}
