import type { Networks } from '../platform/networks.ts'
import { networksOf } from '../platform/networks.ts'
import type { AuthSessions } from './auth-sessions.ts'
import type { FailureLimiter } from './failure-limiter.ts'
import { hashPassword, verifyPassword } from './passwords.ts'
import type { User } from './ports.ts'
import { signInQueue } from './sign-in-queue.ts'

/** The sender of a password. */
export interface PasswordCaller {
  address: string
  userAgent: string | undefined
  /** Aborts when the client disconnects. */
  signal: AbortSignal
}

/** About three seconds of hashing; a client that would wait longer is refused and retries. */
const WAITING_MAX = 10

/**
 * Verifies and hashes passwords. A hash takes tens of milliseconds of a core and 32 MiB, so at most two are computed at
 * once: one for callers who have proven something before, by a sign-in from the same network or a secret link; and one
 * for all others, who cannot delay the former.
 */
export class PasswordVerifier {
  readonly #sessions: Pick<AuthSessions, 'isKnownNetwork'>
  readonly #limiter: FailureLimiter | null
  readonly #known = signInQueue(1, WAITING_MAX)
  readonly #unknown = signInQueue(1, WAITING_MAX)

  /** Without a limiter failures are not limited. */
  constructor(sessions: Pick<AuthSessions, 'isKnownNetwork'>, limiter: FailureLimiter | null) {
    this.#sessions = sessions
    this.#limiter = limiter
  }

  /**
   * Whether this is the user's password; the work is the same for an unknown user. A wrong one counts as a failed sign-in
   * of the login. Throws `rate_limited`, and `temporarily_unavailable` if the queue is full.
   */
  async verify(login: string, user: User | null, password: string, caller: PasswordCaller): Promise<boolean> {
    const networks: Networks = networksOf(caller.address)
    const isKnown = await this.#sessions.isKnownNetwork(user, networks.narrow)
    const revertFailure = this.#limiter?.reserve(login, networks, isKnown)
    const verify = () => verifyPassword(password, user?.passwordHash ?? null)
    const matches = await (isKnown ? this.#known : this.#unknown).run(verify, caller.signal).catch(error => {
      revertFailure?.() // nothing was verified
      throw error
    })
    if (matches) revertFailure?.()
    return matches
  }

  /** Hashes the password of a caller who may set it. Throws `temporarily_unavailable` if the queue is full. */
  hash(password: string, { signal }: PasswordCaller): Promise<string> {
    return this.#known.run(() => hashPassword(password), signal)
  }
}
