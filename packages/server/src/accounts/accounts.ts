import { randomBytes } from 'node:crypto'
import { type Capability, ensure } from '@lectern/protocol'
import { type Clock, unixSeconds } from '../clock.ts'
import type { User, UserStore } from './ports.ts'

/** Who people are: guests, and accounts that a partner's links lead to. */
export class Accounts {
  readonly #users: UserStore
  readonly #clock: Clock
  readonly #renamed: ((user: User) => void)[] = []

  constructor(users: UserStore, clock: Clock) {
    this.#users = users
    this.#clock = clock
  }

  async addGuest(displayName: string): Promise<User> {
    const user = await this.#add(`guest-${randomBytes(10).toString('hex')}`, displayName || 'Guest', 'guest')
    ensure(user, 'temporarily_unavailable') // 80 random bits were taken: not in this world
    return user
  }

  /**
   * The account behind a login that only its caller can have made, found or created. Two callers at once get
   * the same one.
   */
  async findOrAddPerson(login: string, displayName: string): Promise<User> {
    const user = (await this.#add(login, displayName, 'ordinary')) ?? (await this.#users.findByLogin(login))
    ensure(user, 'temporarily_unavailable')
    return user
  }

  /**
   * The account of a worker that the server starts itself. Found, it is as the operator left it. Throws
   * `permission_denied` when the login is somebody else's.
   */
  async findOrAddWorker(login: string, capability: Capability): Promise<User> {
    const user =
      (await this.#add(login, login, 'worker', [capability])) ?? (await this.#users.findByLogin(login))
    ensure(user, 'temporarily_unavailable')
    ensure(user.deletedAt === null, 'account_deleted')
    ensure(user.kind === 'worker', 'permission_denied', `The account ${login} is not a worker's.`)
    return user
  }

  listByCapability(capability: Capability): Promise<User[]> {
    return this.#users.listByCapability(capability)
  }

  find(id: number): Promise<User | null> {
    return this.#users.find(id)
  }

  async rename(user: User, displayName: string): Promise<User> {
    if (displayName === '' || displayName === user.displayName) return user
    const renamed = await this.#users.update(user.id, { displayName })
    if (!renamed) return user
    for (const tell of this.#renamed) tell(renamed)
    return renamed
  }

  /** The listener hears of each name that was stored, and must not throw. */
  onRenamed(listener: (user: User) => void): void {
    this.#renamed.push(listener)
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
