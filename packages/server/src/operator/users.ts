import { randomBytes } from 'node:crypto'
import type { UserKind } from '@lectern/protocol'
import { hashPassword } from '../accounts/passwords.ts'
import type { User, UserStore } from '../accounts/ports.ts'
import { type Clock, unixSeconds } from '../clock.ts'
import { checkCapabilities, checkName, checkPassword, OperatorError } from './checks.ts'

const LOGIN = /^[a-z0-9][a-z0-9._@+-]{0,63}$/

export interface UserSettings {
  name?: string
  password?: string
  capabilities?: string[]
  /** A disabled account cannot sign in. */
  disabled?: boolean
}

/** Manages accounts for the operator. Every method throws OperatorError for an invalid request. */
export class UserAdminService {
  readonly #users: UserStore
  readonly #clock: Clock

  constructor(users: UserStore, clock: Clock) {
    this.#users = users
    this.#clock = clock
  }

  /** Generates and returns a password if none is given; only its hash is stored. */
  async add(
    login: string,
    settings: UserSettings & { kind?: UserKind },
  ): Promise<{ user: User; password?: string }> {
    const normal = login.toLowerCase()
    if (!LOGIN.test(normal))
      throw new OperatorError(`Invalid login "${login}": use letters, digits and . _ @ + -`)
    const generated = settings.password === undefined ? randomBytes(12).toString('base64url') : undefined
    const user = await this.#users.add({
      login: normal,
      displayName: checkName(settings.name ?? login),
      kind: settings.kind ?? 'ordinary',
      passwordHash: await hashPassword(checkPassword(settings.password ?? generated ?? '')),
      capabilities: checkCapabilities(settings.capabilities ?? []),
      createdAt: unixSeconds(this.#clock),
    })
    if (!user) throw new OperatorError(`The login ${normal} is already taken.`, 'login_taken')
    return { user, ...(generated !== undefined && { password: generated }) }
  }

  /** A new password ends all sessions of the account, and disabling it does. */
  async set(login: string, { name, password, capabilities, disabled }: UserSettings): Promise<User> {
    if ([name, password, capabilities, disabled].every(value => value === undefined))
      throw new OperatorError('Nothing to change: specify a name, a password, capabilities or the state.')
    const displayName = name === undefined ? undefined : checkName(name)
    const checked = capabilities && checkCapabilities(capabilities)
    const { id, kind, disabledAt } = await this.find(login)
    if (disabled && kind === 'guest')
      throw new OperatorError('A guest has no password to come back with: delete the account instead.')
    const now = unixSeconds(this.#clock)
    if (password !== undefined) {
      const passwordHash = await hashPassword(checkPassword(password))
      await this.#users.changePassword(id, { passwordHash, at: now })
    }
    if (displayName !== undefined || checked || disabled !== undefined)
      await this.#users.update(id, {
        displayName,
        capabilities: checked,
        disabledAt: disabled === undefined ? undefined : disabled ? (disabledAt ?? now) : null,
      })
    return this.find(login)
  }

  list(): Promise<User[]> {
    return this.#users.list()
  }

  async remove(login: string): Promise<User> {
    const user = await this.find(login)
    return (await this.#users.update(user.id, { deletedAt: unixSeconds(this.#clock) })) ?? user
  }

  async find(login: string): Promise<User> {
    const user = await this.#users.findByLogin(login.toLowerCase())
    if (!user || user.deletedAt !== null)
      throw new OperatorError(`There is no user ${login}.`, 'user_not_found')
    return user
  }
}
