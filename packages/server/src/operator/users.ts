import { randomBytes } from 'node:crypto'
import type { UserKind } from '@lectern/protocol'
import type { Inviter } from '../accounts/invitations.ts'
import { hasOwnLogin } from '../accounts/partner-person.ts'
import { hashPassword } from '../accounts/passwords.ts'
import type { User } from '../accounts/ports.ts'
import { type Clock, unixSeconds } from '../clock.ts'
import type { ServiceAccountStore } from '../db/integration/service-accounts.ts'
import type { UserStore } from '../db/users.ts'
import { checkCapabilities, checkLogin, checkName, checkPassword, OperatorError } from './checks.ts'

export interface UserSettings {
  name?: string
  password?: string
  capabilities?: string[]
  /** A disabled account cannot sign in. */
  disabled?: boolean
}

interface Parts {
  users: UserStore
  inviter: Inviter
  /** Of the partner module; null: it is disabled. */
  serviceAccounts: Pick<ServiceAccountStore, 'list'> | null
  clock: Clock
}

/** Manages accounts for the operator. Every method throws OperatorError for an invalid request. */
export class UserAdminService {
  readonly #users: UserStore
  readonly #inviter: Inviter
  readonly #serviceAccounts: Parts['serviceAccounts']
  readonly #clock: Clock

  constructor({ users, inviter, serviceAccounts, clock }: Parts) {
    this.#users = users
    this.#inviter = inviter
    this.#serviceAccounts = serviceAccounts
    this.#clock = clock
  }

  /** Generates and returns a password if none is given; only its hash is stored. */
  async add(
    login: string,
    settings: UserSettings & { kind?: UserKind },
  ): Promise<{ user: User; password?: string }> {
    checkLogin(login)
    const generated = settings.password === undefined ? randomBytes(12).toString('base64url') : undefined
    const passwordHash = await hashPassword(checkPassword(settings.password ?? generated ?? ''))
    const user = await this.#create(login, settings, passwordHash)
    if (!user) throw new OperatorError(`The login ${login.toLowerCase()} is already taken.`, 'login_taken')
    return { user, ...(generated !== undefined && { password: generated }) }
  }

  /**
   * Returns a link's token, with which the person sets the password (docs/http-api.md#invitations). Creates the account if
   * there is none; settings of an existing one are not changed here. An earlier link of the account is not valid any more.
   */
  async invite(
    login: string,
    settings: Pick<UserSettings, 'name' | 'capabilities'> = {},
  ): Promise<{ user: User; isNew: boolean; token: string; expiresAt: number }> {
    const created = await this.#create(login, settings, null)
    const user = created ?? (await this.find(login))
    if (!created && (settings.name !== undefined || settings.capabilities !== undefined))
      throw new OperatorError(
        `The account ${user.login} exists already: change it with "user set".`,
        'login_taken',
      )
    if (!hasOwnLogin(user)) throw new OperatorError(`${user.login} is no account of a person who signs in.`)
    return { user, isNew: created !== null, ...(await this.#inviter.invite(user)) }
  }

  /** A new password ends all sessions of the account, and disabling it does. */
  async set(login: string, { name, password, capabilities, disabled }: UserSettings): Promise<User> {
    if ([name, password, capabilities, disabled].every(value => value === undefined))
      throw new OperatorError('Nothing to change: specify a name, a password, capabilities or the state.')
    const displayName = name === undefined ? undefined : checkName(name)
    const checked = capabilities && checkCapabilities(capabilities)
    const { id, kind, disabledAt } = await this.find(login)
    if (checked?.includes('admin')) await this.#assertOwnsNoRooms(id, login)
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

  /** The account as it was: nothing is kept that tells whose it was. */
  async remove(login: string): Promise<User> {
    const user = await this.find(login)
    await this.#users.update(user.id, { deletedAt: unixSeconds(this.#clock) })
    return user
  }

  async find(login: string): Promise<User> {
    const user = await this.#users.findByLogin(login.toLowerCase())
    if (!user || user.deletedAt !== null)
      throw new OperatorError(`There is no user ${login}.`, 'user_not_found')
    return user
  }

  /** A technical user is no administrator: its service accounts act for it (docs/install.md#partners). */
  async #assertOwnsNoRooms(userId: number, login: string): Promise<void> {
    const accounts = (await this.#serviceAccounts?.list()) ?? []
    const account = accounts.find(({ clientId }) => clientId === userId)
    if (account)
      throw new OperatorError(
        `${login} cannot be an administrator: it is the technical user of the service account ${account.name}.`,
      )
  }

  /** Null when the login is taken. */
  #create(
    login: string,
    { name, capabilities, kind }: UserSettings & { kind?: UserKind },
    passwordHash: string | null,
  ): Promise<User | null> {
    return this.#users.add({
      login: checkLogin(login),
      displayName: checkName(name ?? login),
      kind: kind ?? 'ordinary',
      passwordHash,
      capabilities: checkCapabilities(capabilities ?? []),
      createdAt: unixSeconds(this.#clock),
    })
  }
}
