import { randomBytes } from 'node:crypto'
import { ensure, Refusal, type UserKind } from '@lectern/protocol'
import type { Accounts } from '../../accounts/accounts.ts'
import type { Inviter } from '../../accounts/invitations.ts'
import { hasOwnLogin } from '../../accounts/partner-person.ts'
import { hashPassword } from '../../accounts/passwords.ts'
import type { User, UserFilter } from '../../accounts/ports.ts'
import type { AuthSessionStore } from '../../accounts/stores/auth-sessions.ts'
import type { UserStore } from '../../accounts/stores/users.ts'
import type { ServiceAccountStore } from '../../partners/stores/service-accounts.ts'
import { type Clock, unixSeconds } from '../../platform/clock.ts'
import type { Page } from '../../platform/paging.ts'
import {
  checkCapabilities,
  checkEmail,
  checkLogin,
  checkName,
  checkPassword,
  OperatorError,
} from './checks.ts'
import type { RemovalGuard } from './last-administrator.ts'
import { type ImportedPerson, type LineFault, parsePeople } from './user-import.ts'

export interface UserSettings {
  name?: string | undefined
  password?: string | undefined
  /** The address for mails; '' removes it. */
  email?: string | undefined
  capabilities?: string[] | undefined
  /** A disabled account cannot sign in. */
  disabled?: boolean | undefined
}

/** The login of an account, as the command line names it, or its id, as the API does. */
export type UserRef = string | number

interface UserAdminOptions {
  users: UserStore
  sessions: Pick<AuthSessionStore, 'countActive' | 'revokeAllOf'>
  accounts: Pick<Accounts, 'update'>
  inviter: Inviter
  /** The store of the partner module; null: it is disabled. */
  serviceAccounts: Pick<ServiceAccountStore, 'list'> | null
  guard: RemovalGuard
  clock: Clock
}

/** Manages accounts for operators and administrators. Every method throws OperatorError for an invalid request. */
export class UserAdminService {
  readonly #options: UserAdminOptions

  constructor(options: UserAdminOptions) {
    this.#options = options
  }

  /** Generates and returns a password if none is given; only its hash is stored. */
  async add(
    login: string,
    settings: UserSettings & { kind?: UserKind | undefined },
  ): Promise<{ user: User; password?: string }> {
    checkLogin(login)
    const generated = settings.password === undefined ? randomBytes(12).toString('base64url') : undefined
    const passwordHash = await hashPassword(checkPassword(settings.password ?? generated ?? ''))
    const user = await this.#create(login, settings, passwordHash)
    if (!user) throw new OperatorError(`The login ${login.toLowerCase()} is already taken.`, 'login_taken')
    return { user, ...(generated !== undefined && { password: generated }) }
  }

  /**
   * Returns a link's token, with which the person sets the password (docs/http-api.md#invitations). Creates the account of
   * a login if there is none; of an existing one only the mail address is changed here. An earlier link of the account is
   * not valid any more.
   */
  async invite(
    ref: UserRef,
    settings: Pick<UserSettings, 'name' | 'capabilities' | 'email'> = {},
  ): Promise<{ user: User; isNew: boolean; token: string; expiresAt: number }> {
    const created = typeof ref === 'string' ? await this.#create(ref, settings, null) : null
    const user = created ?? (await this.find(ref))
    if (!created && (settings.name !== undefined || settings.capabilities !== undefined))
      throw new OperatorError(
        `The account ${user.login} exists already: change it with "user set".`,
        'login_taken',
      )
    if (!hasOwnLogin(user))
      throw new OperatorError(`${user.login} is not the account of a person who signs in.`)
    if (!created && settings.email !== undefined) await this.#change(user, { email: settings.email })
    return { user, isNew: created !== null, ...(await this.#options.inviter.invite(user)) }
  }

  /** `invite` for a login without an account. Throws `login_taken`. */
  async inviteNew(login: string, settings: Pick<UserSettings, 'name' | 'capabilities' | 'email'>) {
    ensure(!(await this.#options.users.findByLogin(login.toLowerCase())), 'login_taken')
    return this.invite(login, settings)
  }

  /** The people of a CSV file, and why it cannot be imported, line by line. Changes nothing. */
  async checkImport(text: string): Promise<{ people: ImportedPerson[]; faults: LineFault[] }> {
    const { people, faults } = parsePeople(text)
    for (const { login, line } of people)
      if (await this.#options.users.findByLogin(login))
        faults.push({ line, says: `The login ${login} is taken.` })
    return { people, faults: faults.sort((a, b) => a.line - b.line) }
  }

  /** Creates an account with an invitation for each person of a CSV file, or none at all. */
  async importPeople(text: string): Promise<(ImportedPerson & { token: string; expiresAt: number })[]> {
    const { users, inviter } = this.#options
    const { people, faults } = await this.checkImport(text)
    if (faults.length > 0) throw new OperatorError(`Line ${faults[0]?.line}: ${faults[0]?.says}`)
    const prepared = people.map(person => ({ person, ...inviter.prepare() }))
    const added = await users.addInvited(
      prepared.map(({ person: { login, name, capabilities, email }, token: _, ...invitation }) => {
        const { createdAt } = invitation
        const own = { kind: 'ordinary', passwordHash: null, createdAt } as const
        return { invitation, user: { login, displayName: name, capabilities, email, ...own } }
      }),
    )
    // Somebody else has added an account since.
    if ('taken' in added) throw new OperatorError(`Taken: ${added.taken.join(', ')}.`, 'login_taken')
    return prepared.map(({ person, token, expiresAt }) => ({ ...person, token, expiresAt }))
  }

  /**
   * A new password ends all sessions of the account, and disabling it does. A refusal changes nothing. Throws
   * `last_administrator`.
   */
  async set(ref: UserRef, settings: UserSettings): Promise<User> {
    const { name, password, capabilities, email, disabled } = settings
    if ([name, password, capabilities, email, disabled].every(value => value === undefined))
      throw new OperatorError(
        'Nothing to change: specify a name, a password, a mail address, capabilities or the state.',
      )
    const change = (user: User) => this.#change(user, settings)
    const mayRemoveAdministrator = disabled || (capabilities && !capabilities.includes('admin'))
    return mayRemoveAdministrator
      ? this.#options.guard(() => this.find(ref), change)
      : change(await this.find(ref))
  }

  async #change(user: User, { name, password, capabilities, email, disabled }: UserSettings): Promise<User> {
    const { users, accounts, clock } = this.#options
    const displayName = name === undefined ? undefined : checkName(name)
    const checked = capabilities && checkCapabilities(capabilities)
    const address = email === undefined ? undefined : email === '' ? null : checkEmail(email)
    if (checked?.includes('admin')) await this.#assertOwnsNoRooms(user)
    if ((password !== undefined || address) && user.kind !== 'worker' && !hasOwnLogin(user))
      throw new OperatorError(`Nobody signs in as ${user.login}: it is behind a link.`)
    if (disabled && user.kind === 'guest')
      throw new OperatorError('A guest has no password to come back with: delete the account instead.')
    const now = unixSeconds(clock)
    // After all checks: what is refused has changed nothing.
    if (password !== undefined) {
      const passwordHash = await hashPassword(checkPassword(password))
      await users.changePassword(user.id, { passwordHash, at: now })
    }
    if (displayName !== undefined || checked || address !== undefined || disabled !== undefined)
      await accounts.update(user, {
        displayName,
        capabilities: checked,
        email: address,
        disabledAt: disabled === undefined ? undefined : disabled ? (user.disabledAt ?? now) : null,
      })
    return this.find(user.id)
  }

  list(): Promise<User[]> {
    return this.#options.users.list()
  }

  page(filter: UserFilter, page: Page): Promise<User[]> {
    return this.#options.users.page(filter, page)
  }

  /** Ends the sign-ins of the account, too. Returns it as it was: nothing is kept that describes the person. */
  remove(ref: UserRef): Promise<User> {
    return this.#options.guard(
      () => this.find(ref),
      async user => {
        await this.#options.users.update(user.id, { deletedAt: unixSeconds(this.#options.clock) })
        return user
      },
    )
  }

  /** Throws `user_not_found`, also for a deleted account. */
  async find(ref: UserRef): Promise<User> {
    const { users } = this.#options
    const user = await (typeof ref === 'string' ? users.findByLogin(ref.toLowerCase()) : users.find(ref))
    if (user && user.deletedAt === null) return user
    if (typeof ref === 'string') throw new OperatorError(`There is no user ${ref}.`, 'user_not_found')
    throw new Refusal('user_not_found')
  }

  /** Also a deleted account. Throws `user_not_found`. */
  async get(id: number): Promise<User> {
    const user = await this.#options.users.find(id)
    ensure(user, 'user_not_found')
    return user
  }

  countSignIns(user: User): Promise<number> {
    return this.#options.sessions.countActive(user.id, unixSeconds(this.#options.clock))
  }

  async endSignIns(id: number): Promise<User> {
    const user = await this.get(id)
    await this.#options.sessions.revokeAllOf(user.id, unixSeconds(this.#options.clock))
    return user
  }

  /** A technical user is not an administrator: its service accounts act for it (docs/install.md#partners). */
  async #assertOwnsNoRooms({ id, login }: User): Promise<void> {
    const accounts = (await this.#options.serviceAccounts?.list()) ?? []
    const account = accounts.find(({ clientId }) => clientId === id)
    if (account)
      throw new OperatorError(
        `${login} cannot be an administrator: it is the technical user of the service account ${account.name}.`,
      )
  }

  /** Null when the login is taken. */
  #create(
    login: string,
    { name, capabilities, email, kind }: UserSettings & { kind?: UserKind | undefined },
    passwordHash: string | null,
  ): Promise<User | null> {
    return this.#options.users.add({
      login: checkLogin(login),
      displayName: checkName(name ?? login),
      kind: kind ?? 'ordinary',
      passwordHash,
      email: email === undefined || email === '' ? null : checkEmail(email),
      capabilities: checkCapabilities(capabilities ?? []),
      createdAt: unixSeconds(this.#options.clock),
    })
  }
}

/** The methods that the command line uses. */
export type UserCommands = Pick<
  UserAdminService,
  'add' | 'invite' | 'checkImport' | 'importPeople' | 'set' | 'remove' | 'list' | 'find'
>
