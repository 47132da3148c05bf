import { randomBytes } from 'node:crypto'
import { type Capability, cleanDisplayName, ensure } from '@lectern/protocol'
import { type Clock, unixSeconds } from '../platform/clock.ts'
import type { User, UserChanges } from './ports.ts'
import type { UserStore } from './stores/users.ts'

/** Creates and finds accounts: guests, persons of partner links, and embedded workers. */
export class Accounts {
  readonly #users: UserStore
  readonly #clock: Clock
  readonly #renameListeners: ((user: User) => void)[] = []

  constructor(users: UserStore, clock: Clock) {
    this.#users = users
    this.#clock = clock
  }

  async addGuest(displayName: string): Promise<User> {
    const name = cleanDisplayName(displayName) || 'Guest'
    const user = await this.#add(`guest-${randomBytes(10).toString('hex')}`, name, 'guest')
    ensure(user, 'temporarily_unavailable') // a collision of 80 random bits
    return user
  }

  /**
   * Finds or creates the account of a login that only this caller generates. Concurrent callers get the same account.
   */
  async findOrAddPerson(login: string, displayName: string): Promise<User> {
    const user = (await this.#add(login, displayName, 'ordinary')) ?? (await this.#users.findByLogin(login))
    ensure(user, 'temporarily_unavailable')
    return user
  }

  /**
   * Finds or creates the account of a worker that the server starts itself. An existing account is not changed, a deleted one is
   * restored: its login could never be used again, and nothing would be recorded any more. Throws `permission_denied` if the login
   * belongs to an account that is not a worker.
   */
  async findOrAddWorker(login: string, capability: Capability): Promise<User> {
    const user =
      (await this.#add(login, login, 'worker', [capability])) ?? (await this.#users.findByLogin(login))
    ensure(user, 'temporarily_unavailable')
    const isWorker = user.kind === 'worker'
    if (user.deletedAt !== null) {
      const restored = isWorker ? await this.#users.restoreWorker(user.id, login, [capability]) : null
      ensure(restored, 'account_deleted')
      return restored
    }
    ensure(isWorker, 'permission_denied', `The account ${login} is not a worker.`)
    return user
  }

  listByCapability(capability: Capability): Promise<User[]> {
    return this.#users.listByCapability(capability)
  }

  find(id: number): Promise<User | null> {
    return this.#users.find(id)
  }

  listByIds(ids: readonly number[]): Promise<User[]> {
    return this.#users.listByIds(ids)
  }

  async rename(user: User, displayName: string): Promise<User> {
    if (displayName === '' || displayName === user.displayName) return user
    return this.update(user, { displayName })
  }

  /** Stores the changes together. Returns the given user if the account was removed meanwhile. */
  async update(user: User, changes: UserChanges): Promise<User> {
    const updated = await this.#users.update(user.id, changes)
    if (!updated) return user
    if (updated.displayName !== user.displayName)
      for (const listener of this.#renameListeners) listener(updated)
    return updated
  }

  /** The listener is called after each stored change of a name, and MUST NOT throw. */
  onRenamed(listener: (user: User) => void): void {
    this.#renameListeners.push(listener)
  }

  #add(
    login: string,
    displayName: string,
    kind: User['kind'],
    capabilities: Capability[] = [],
  ): Promise<User | null> {
    const createdAt = unixSeconds(this.#clock)
    return this.#users.add({ login, displayName, kind, passwordHash: null, capabilities, createdAt })
  }
}
