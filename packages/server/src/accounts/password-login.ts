import { ensure } from '@lectern/protocol'
import { networksOf } from '../networks.ts'
import { BoundedQueue } from './bounded-queue.ts'
import type { FailureLimiter } from './failure-limiter.ts'
import { verifyPassword } from './passwords.ts'
import type { User, UserStore } from './ports.ts'
import type { Sessions, Tokens } from './sessions.ts'

interface Parts {
  users: UserStore
  sessions: Sessions
  /** Null: failures are not limited. */
  limiter: FailureLimiter | null
}

interface Caller {
  address: string
  userAgent: string | undefined
  /** Aborts when the client disconnects. */
  signal: AbortSignal
}

/** About three seconds of hashing; a client that would wait longer is refused and retries. */
const WAITING_MAX = 10

/**
 * Sign-in by password. A hash takes tens of milliseconds of a core and 32 MiB, so at most two are computed at once: one for
 * callers from networks where the account has signed in before, one for all others, who cannot delay the former.
 */
export class PasswordLogin {
  readonly #parts: Parts
  readonly #known = new BoundedQueue(1, WAITING_MAX)
  readonly #unknown = new BoundedQueue(1, WAITING_MAX)

  constructor(parts: Parts) {
    this.#parts = parts
  }

  /**
   * Refuses a wrong login and a wrong password with the same error after the same work. Throws `invalid_credentials`,
   * `account_deleted`, `account_disabled`, `rate_limited`, and `temporarily_unavailable` if the queue is full.
   */
  async signIn(login: string, password: string, caller: Caller): Promise<{ user: User; tokens: Tokens }> {
    const { users, sessions, limiter } = this.#parts
    sessions.ensureConfigured()
    const normalizedLogin = login.toLowerCase()
    const networks = networksOf(caller.address)
    const user = await users.findByLogin(normalizedLogin)
    const isKnown = await sessions.isKnownNetwork(user, networks.narrow)
    const revertFailure = limiter?.reserve(normalizedLogin, networks, isKnown)
    const verify = () => verifyPassword(password, user?.passwordHash ?? null)
    const matches = await (isKnown ? this.#known : this.#unknown).run(verify, caller.signal).catch(error => {
      revertFailure?.() // nothing was verified
      throw error
    })
    ensure(user && matches, 'invalid_credentials', 'The login or the password is wrong.')
    revertFailure?.()
    ensure(user.deletedAt === null, 'account_deleted')
    ensure(user.disabledAt === null, 'account_disabled')
    return {
      user,
      tokens: await sessions.open(user, { network: networks.narrow, userAgent: caller.userAgent }),
    }
  }
}
