import { cleanDisplayName, ensure, Refusal } from '@lectern/protocol'
import { type Clock, unixSeconds } from '../platform/clock.ts'
import type { RateLimiter } from '../platform/rate-limiter.ts'
import type { Accounts } from './accounts.ts'
import { ensureOwnLogin } from './partner-person.ts'
import type { PasswordCaller, PasswordVerifier } from './password-verifier.ts'
import type { AuthSession, User, UserChanges } from './ports.ts'
import type { AuthSessionStore } from './stores/auth-sessions.ts'
import type { UserStore } from './stores/users.ts'

/** Sign-ins in a list; a browser has one, so that more are of little use to anybody. */
const LIST_MAX = 100

/** A caller, and the sign-in that the caller's token belongs to. */
export interface SignedIn {
  user: User
  sessionId: string
}

interface OwnAccountOptions {
  accounts: Accounts
  users: UserStore
  sessions: AuthSessionStore
  verifier: PasswordVerifier
  /** Limits changes of each account, because others are notified of some. */
  changes: RateLimiter<number>
  /** Whether the server has a mail server. */
  sendsMail: boolean
  /** Whether people sign in with passwords; workers always do. */
  hasPasswords: boolean
  clock: Clock
}

/** Absent fields are not changed. */
type OwnChanges = Pick<UserChanges, 'displayName' | 'language' | 'missedCallMails'>

/**
 * Users' changes to their own accounts. Every method throws `permission_denied` for accounts without a login of their
 * own, and every change `rate_limited` if there were too many.
 */
export class OwnAccount {
  readonly #parts: OwnAccountOptions

  constructor(parts: OwnAccountOptions) {
    this.#parts = parts
  }

  get sendsMail(): boolean {
    return this.#parts.sendsMail
  }

  /** Whether the account can sign in with a password. */
  readonly hasPassword = ({ kind, passwordHash }: User): boolean =>
    passwordHash !== null && (this.#parts.hasPasswords || kind === 'worker')

  /** Throws `invalid_argument` for an empty name, and for mails that could not be sent. */
  async update(user: User, { displayName, language, missedCallMails }: OwnChanges): Promise<User> {
    ensureOwnLogin(user)
    const name = displayName === undefined ? undefined : cleanDisplayName(displayName)
    ensure(name !== '', 'invalid_argument', 'The field display_name must have a visible character.')
    const canGetMail = this.sendsMail && user.email !== null
    ensure(canGetMail || !missedCallMails, 'invalid_argument', 'No mail can be sent to this account.')
    const changes = { displayName: name, language, missedCallMails }
    if (Object.values(changes).every(value => value === undefined)) return user
    this.#chargeChange(user)
    return this.#parts.accounts.update(user, changes)
  }

  /**
   * Ends all other sign-ins and removes an invitation of the account, together with the change. Throws `no_password`,
   * `password_sign_in_disabled`, `wrong_password`, which counts as a failed sign-in, and what `PasswordVerifier` throws.
   */
  async changePassword(
    { user, sessionId }: SignedIn,
    passwords: { current: string; next: string },
    caller: PasswordCaller,
  ): Promise<void> {
    ensureOwnLogin(user)
    ensure(user.passwordHash !== null, 'no_password')
    ensure(this.hasPassword(user), 'password_sign_in_disabled')
    const { users, verifier, clock } = this.#parts
    ensure(await verifier.verify(user.login, user, passwords.current, caller), 'wrong_password')
    const changed = await users.changePassword(user.id, {
      passwordHash: await verifier.hash(passwords.next, caller),
      at: unixSeconds(clock),
      keptSessionId: sessionId,
      replacedHash: user.passwordHash,
    })
    ensure(changed, 'wrong_password', 'The password was changed elsewhere in the meantime.')
  }

  /** The newest active sign-ins, last used first, and the number of all. */
  async listSignIns({ user }: SignedIn): Promise<{ signIns: AuthSession[]; total: number }> {
    ensureOwnLogin(user)
    const { sessions, clock } = this.#parts
    const now = unixSeconds(clock)
    const [signIns, total] = await Promise.all([
      sessions.listActive(user.id, now, LIST_MAX),
      sessions.countActive(user.id, now),
    ])
    return { signIns, total }
  }

  /** Ends the sign-in. Throws `sign_in_not_found` if it is not one of this account; one that has ended is not an error. */
  async endSignIn({ user }: SignedIn, id: string): Promise<void> {
    ensureOwnLogin(user)
    this.#chargeChange(user)
    const { sessions, clock } = this.#parts
    const found = await sessions.find(id)
    ensure(found?.session.userId === user.id, 'sign_in_not_found')
    await sessions.revoke(id, unixSeconds(clock))
  }

  /** Ends all sign-ins except the caller's, and returns their number. */
  endOtherSignIns({ user, sessionId }: SignedIn): Promise<number> {
    ensureOwnLogin(user)
    this.#chargeChange(user)
    return this.#parts.sessions.revokeAllOf(user.id, unixSeconds(this.#parts.clock), sessionId)
  }

  #chargeChange(user: User): void {
    const waitMs = this.#parts.changes.take(user.id, 1)
    if (waitMs === 0) return
    const seconds = Math.ceil(waitMs / 1000)
    throw new Refusal('rate_limited', `Too many changes; try again in ${seconds} s.`, {
      retryAfterMs: seconds * 1000,
    })
  }
}
