import { Mutex, pollUntil } from '@lectern/common'
import {
  type AdminUserChangeRequest,
  type AdminUserCreateRequest,
  cleanDisplayName,
  ensure,
  type UserState,
} from '@lectern/protocol'
import type { Accounts } from '../accounts/accounts.ts'
import type { User, UserFilter } from '../accounts/ports.ts'
import { type Clock, unixSeconds } from '../clock.ts'
import type { AuthSessionStore } from '../db/auth-sessions.ts'
import type { UserStore } from '../db/users.ts'
import type { UserAdminService } from '../operator/users.ts'
import type { Page } from '../paging.ts'

interface Parts {
  users: UserStore
  sessions: AuthSessionStore
  service: UserAdminService
  accounts: Pick<Accounts, 'rename'>
  /** Runs the work unless another server runs work of that name now; false if so. */
  exclusively: (name: string, work: () => Promise<unknown>) => Promise<boolean>
  clock: Clock
}

/** While another server removes an administrator. */
const RETRY_MS = 20
const WAIT_MS = 5_000

export const stateOf = ({ disabledAt, deletedAt }: User): UserState =>
  deletedAt !== null ? 'deleted' : disabledAt !== null ? 'disabled' : 'active'

/** Accounts for administrators. At least one administrator remains (rule ADMIN-2). */
export class UserAdministration {
  readonly #parts: Parts
  readonly #mutex = new Mutex()

  constructor(parts: Parts) {
    this.#parts = parts
  }

  list(filter: UserFilter, page: Page): Promise<User[]> {
    return this.#parts.users.page(filter, page)
  }

  /** Also a deleted account. Throws `user_not_found`. */
  async find(id: number): Promise<User> {
    const user = await this.#parts.users.find(id)
    ensure(user, 'user_not_found')
    return user
  }

  countSignIns(user: User): Promise<number> {
    return this.#parts.sessions.countActive(user.id, unixSeconds(this.#parts.clock))
  }

  /**
   * Invites the person, sets the given password, or generates one. `token` is that of the invitation. Throws
   * `login_taken` or `invalid_argument`.
   */
  async create({
    login,
    display_name,
    kind,
    capabilities,
    password,
    invite,
  }: AdminUserCreateRequest): Promise<{ user: User; password?: string; token?: string }> {
    const { service, users } = this.#parts
    const name = cleanDisplayName(display_name ?? '') || undefined
    const settings = { ...(name !== undefined && { name }), ...(capabilities && { capabilities }) }
    if (!invite)
      return service.add(login, { ...settings, ...(kind && { kind }), ...(password && { password }) })
    const isOrdinary = password === undefined && (kind ?? 'ordinary') === 'ordinary'
    ensure(isOrdinary, 'invalid_argument', 'Only an ordinary account without a password is invited.')
    ensure(!(await users.findByLogin(login.toLowerCase())), 'login_taken')
    return service.invite(login, settings)
  }

  /** A new link with which the person sets the password. Throws `user_not_found` or `invalid_argument`. */
  async invite(id: number): Promise<{ user: User; token: string; expiresAt: number }> {
    return this.#parts.service.invite((await this.#findActive(id)).login)
  }

  /** Throws `user_not_found`, `last_administrator` or `invalid_argument`. */
  change(id: number, request: AdminUserChangeRequest): Promise<User> {
    const { display_name: name, capabilities, password, disabled } = request
    const change = async (user: User) => {
      const changed = await this.#parts.service.set(user.login, {
        ...(name !== undefined && { name }),
        ...(capabilities && { capabilities }),
        ...(password !== undefined && { password }),
        ...(disabled !== undefined && { disabled }),
      })
      // Notifies sessions of the new name.
      if (name !== undefined) await this.#parts.accounts.rename(user, changed.displayName)
      return changed
    }
    const mayRemoveAdministrator = disabled || (capabilities && !capabilities.includes('admin'))
    return mayRemoveAdministrator ? this.#unlessLast(id, change) : this.#findActive(id).then(change)
  }

  /** Ends the sign-ins of the account, too. Throws `user_not_found` or `last_administrator`. */
  delete(id: number): Promise<User> {
    return this.#unlessLast(id, user => this.#parts.service.remove(user.login))
  }

  async endSignIns(id: number): Promise<User> {
    const user = await this.find(id)
    await this.#parts.sessions.revokeAllOf(user.id, unixSeconds(this.#parts.clock))
    return user
  }

  async #findActive(id: number): Promise<User> {
    const user = await this.find(id)
    ensure(user.deletedAt === null, 'user_not_found')
    return user
  }

  /** One change after another, on all servers: two administrators may remove each other at the same time. */
  #unlessLast(id: number, change: (user: User) => Promise<User>): Promise<User> {
    return this.#mutex.run(async () => {
      let changed: User | undefined
      const attempt = () =>
        this.#parts.exclusively('removals of administrators', async () => {
          const user = await this.#findActive(id)
          await this.#assertNotLastAdministrator(user)
          changed = await change(user)
        })
      await pollUntil(attempt, { intervalMs: RETRY_MS, timeoutMs: WAIT_MS })
      ensure(changed, 'temporarily_unavailable')
      return changed
    })
  }

  async #assertNotLastAdministrator(user: User): Promise<void> {
    if (!user.capabilities.includes('admin') || user.disabledAt !== null) return
    const administrators = await this.#parts.users.listByCapability('admin')
    const others = administrators.filter(({ id, disabledAt }) => id !== user.id && disabledAt === null)
    ensure(others.length > 0, 'last_administrator')
  }
}
