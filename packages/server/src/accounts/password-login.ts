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
  /** Aborted when the caller has hung up. */
  signal: AbortSignal
}

/** Some three seconds of hashing; who would wait longer is better told to come back. */
const WAITING_MAX = 10

/**
 * Sign-in by password. A hash takes tens of milliseconds of a core and 32 MiB, so at most two are made at once: one for
 * callers from networks of earlier sign-ins of the account, one for everybody else, who cannot delay the former.
 */
export class PasswordLogin {
  readonly #parts: Parts
  readonly #known = new BoundedQueue(1, WAITING_MAX)
  readonly #unknown = new BoundedQueue(1, WAITING_MAX)

  constructor(parts: Parts) {
    this.#parts = parts
  }

  /**
   * The same refusal and the same work for a wrong login and a wrong password. Throws `invalid_credentials`,
   * `account_deleted`, `rate_limited`, and `temporarily_unavailable` while too many wait.
   */
  async signIn(login: string, password: string, caller: Caller): Promise<{ user: User; tokens: Tokens }> {
    const { users, sessions, limiter } = this.#parts
    sessions.ensureConfigured()
    const normal = login.toLowerCase()
    const networks = networksOf(caller.address)
    const user = await users.findByLogin(normal)
    const isKnown = await sessions.isKnownNetwork(user, networks.narrow)
    const takeBack = limiter?.reserve(normal, networks, isKnown)
    const verify = () => verifyPassword(password, user?.passwordHash ?? null)
    const matches = await (isKnown ? this.#known : this.#unknown).run(verify, caller.signal).catch(error => {
      takeBack?.() // nothing was verified
      throw error
    })
    ensure(user && matches, 'invalid_credentials', 'The login or the password is wrong.')
    takeBack?.()
    ensure(user.deletedAt === null, 'account_deleted')
    return { user, tokens: await sessions.open(user, networks.narrow) }
  }
}
