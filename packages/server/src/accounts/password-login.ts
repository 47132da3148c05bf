import { ensure } from '@lectern/protocol'
import { networksOf } from '../platform/networks.ts'
import type { AuthSessions, Tokens } from './auth-sessions.ts'
import type { PasswordCaller, PasswordVerifier } from './password-verifier.ts'
import type { User } from './ports.ts'
import type { UserStore } from './stores/users.ts'

interface PasswordLoginOptions {
  users: UserStore
  sessions: AuthSessions
  verifier: PasswordVerifier
  /** False: workers only. */
  isEnabled: boolean
}

/** Sign-in by password. */
export class PasswordLogin {
  readonly #parts: PasswordLoginOptions

  constructor(parts: PasswordLoginOptions) {
    this.#parts = parts
  }

  /**
   * Refuses a wrong login and a wrong password with the same error after the same work. Throws `invalid_credentials`,
   * `account_deleted`, `account_disabled`, `password_sign_in_disabled`, `rate_limited`, and `temporarily_unavailable` if too many passwords wait.
   */
  async signIn(
    login: string,
    password: string,
    caller: PasswordCaller,
  ): Promise<{ user: User; tokens: Tokens }> {
    const { users, sessions, verifier, isEnabled } = this.#parts
    sessions.ensureConfigured()
    const normalizedLogin = login.toLowerCase()
    const user = await users.findByLogin(normalizedLogin)
    const matches = await verifier.verify(normalizedLogin, user, password, caller)
    // After the verification, and for wrong logins as well: the answer MUST NOT reveal which logins are workers'.
    ensure(isEnabled || (matches && user?.kind === 'worker'), 'password_sign_in_disabled')
    ensure(user && matches, 'invalid_credentials', 'The login or the password is wrong.')
    ensure(user.deletedAt === null, 'account_deleted')
    ensure(user.disabledAt === null, 'account_disabled')
    const { userAgent, address } = caller
    return { user, tokens: await sessions.open(user, { network: networksOf(address).narrow, userAgent }) }
  }
}
