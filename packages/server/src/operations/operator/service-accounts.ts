import { setTimeout } from 'node:timers/promises'
import { ensure, OWNERS_MAX } from '@lectern/protocol'
import { isUser } from '../../accounts/eligible.ts'
import { Jwt } from '../../accounts/jwt.ts'
import type { Keys } from '../../accounts/keys.ts'
import { hasOwnLogin } from '../../accounts/partner-person.ts'
import type { User } from '../../accounts/ports.ts'
import { ClientSecrets, makeClientSecret } from '../../partners/client-secrets.ts'
import type { ServiceAccount } from '../../partners/ports.ts'
import { hashSecret, secretId } from '../../partners/secret-hash.ts'
import { tokenClaims } from '../../partners/service-accounts.ts'
import type { ServiceAccountStore } from '../../partners/stores/service-accounts.ts'
import type { OwnerStore } from '../../partners/stores/v2/owners.ts'
import type { PartnerRetentionStore } from '../../partners/stores/v2/retention.ts'
import { type Clock, unixSeconds } from '../../platform/clock.ts'
import { checkScopes, checkServiceAccountName, OperatorError } from './checks.ts'
import type { UserAdminService } from './users.ts'

/** Manages the service accounts of partners (docs/install.md#partners). */
export class ServiceAccountAdminService {
  readonly #accounts: ServiceAccountStore
  readonly #users: Pick<UserAdminService, 'add' | 'find'>
  readonly #keys: Keys
  readonly #clock: Clock
  readonly #retention: Pick<PartnerRetentionStore, 'find' | 'set'>
  readonly #owners: OwnerStore
  readonly #secrets: ClientSecrets
  readonly #forget: (serviceAccount: string) => Promise<void>

  constructor(parts: {
    accounts: ServiceAccountStore
    users: Pick<UserAdminService, 'add' | 'find'>
    keys: Keys
    clock: Clock
    retention: Pick<PartnerRetentionStore, 'find' | 'set'>
    owners: OwnerStore
    /** Removes what version 2 of the API has stored under the name. */
    forget: (serviceAccount: string) => Promise<void>
  }) {
    const { accounts, keys, clock } = parts
    this.#accounts = accounts
    this.#users = parts.users
    this.#keys = keys
    this.#clock = clock
    this.#retention = parts.retention
    this.#owners = parts.owners
    this.#secrets = new ClientSecrets({ store: accounts, keys, clock })
    this.#forget = parts.forget
  }

  /** Generates the secret and returns it; only its hash is stored. A user that it creates has no known password. */
  async add(
    name: string,
    login: string,
    scopes: string[],
    { createUser = false } = {},
  ): Promise<{ account: ServiceAccount; clientSecret: string }> {
    checkServiceAccountName(name)
    if (!this.#keys.configured)
      throw new OperatorError('Set [Server] JwtSecret first: it hashes the client secret.')
    const checked = checkScopes(scopes)
    if (createUser) {
      if (await this.#accounts.find(name)) throw alreadyExists(name)
      await this.#users.add(login, { kind: 'technical' })
    }
    const user = await this.#users.find(login)
    if (user.capabilities.includes('admin') || !hasOwnLogin(user))
      throw new OperatorError(
        `${login} cannot own rooms: use a dedicated technical user, not ${describe(user)}.`,
      )
    const clientSecret = makeClientSecret()
    const account: ServiceAccount = {
      name,
      clientId: user.id,
      secretHash: hashSecret(this.#keys, clientSecret),
      scopes: checked,
      enabled: true,
      createdAt: unixSeconds(this.#clock),
    }
    if (!(await this.#accounts.add(account))) throw alreadyExists(name)
    await this.#forget(name) // an account of this name may have been removed manually
    return { account, clientSecret }
  }

  /** `keepDays` belongs to all accounts of the technical user, who owns the rooms; null: for ever. */
  async set(
    name: string,
    { keepDays, ...changes }: { enabled?: boolean; scopes?: string[]; keepDays?: number | null },
  ): Promise<ServiceAccount> {
    if (changes.enabled === undefined && changes.scopes === undefined && keepDays === undefined)
      throw new OperatorError('Nothing to change: specify --enable, --disable, --scope or --keep-days.')
    const scopes = changes.scopes && checkScopes(changes.scopes)
    const isChanged = changes.enabled !== undefined || scopes !== undefined
    const account = await (isChanged
      ? this.#accounts.update(name, { ...changes, scopes })
      : this.#accounts.find(name))
    if (!account) throw notFound(name)
    if (keepDays !== undefined) await this.#retention.set(account.clientId, keepDays)
    return account
  }

  /**
   * Generates another secret and returns it; the one before and its tokens stay valid for that time, by default a day. Throws
   * `rotation_in_progress` while an earlier one is valid, which would end at once.
   */
  async rotate(
    name: string,
    overlapSeconds?: number,
  ): Promise<{ clientSecret: string; previousUntil: number }> {
    await this.#find(name)
    return this.#secrets.rotate(name, overlapSeconds)
  }

  /** Generates another secret and returns it; all before end at once, with their tokens. */
  async replaceSecret(name: string): Promise<string> {
    await this.#find(name)
    return this.#secrets.replace(name)
  }

  /** The previous secret and its tokens are not valid any more. */
  async finishRotation(name: string): Promise<void> {
    await this.#find(name)
    return this.#secrets.finish(name)
  }

  /** Unix seconds until when the previous secret is valid; null: there is none. */
  previousUntil(name: string): Promise<number | null> {
    return this.#secrets.previousUntil(name)
  }

  /** Makes a person an owner of the technical user, and so of all its service accounts (rule OWNED-1). May be repeated. */
  async addOwner(name: string, login: string): Promise<ServiceAccount> {
    const account = await this.#find(name)
    const user = await this.#users.find(login)
    if (!isUser(user)) throw new OperatorError(`${login} is not the account of a person who signs in.`)
    const isAdded = await this.#owners.add(account.clientId, user.id, unixSeconds(this.#clock), OWNERS_MAX)
    ensure(isAdded, 'too_many_owners')
    return account
  }

  /** The next request of that person is refused (rule OWNED-3). May be repeated. */
  async removeOwner(name: string, login: string): Promise<ServiceAccount> {
    const account = await this.#find(name)
    const user = await this.#users.find(login)
    await this.#owners.remove(account.clientId, user.id)
    return account
  }

  /** Logins of the owners, in the order in which they were added. */
  owners({ clientId }: Pick<ServiceAccount, 'clientId'>): Promise<string[]> {
    return this.#owners.logins(clientId)
  }

  /**
   * Removes the account with its tokens and its webhook. Rooms and recordings stay: they belong to the technical user,
   * who has no owners after the last of its accounts.
   */
  async remove(name: string): Promise<void> {
    const account = await this.#find(name)
    // Tokens distinguish accounts of the same name by the second of their creation.
    const remainingMs = (account.createdAt + 1) * 1000 - this.#clock()
    if (remainingMs > 0) await setTimeout(Math.min(remainingMs, 1000))
    if (!(await this.#accounts.remove(name))) throw notFound(name)
    await this.#forget(name)
    const others = await this.#accounts.list()
    if (!others.some(({ clientId }) => clientId === account.clientId))
      await this.#owners.removeAll(account.clientId)
  }

  /** The days after which recordings are deleted whose rooms do not say so; null: never. */
  keepDays({ clientId }: Pick<ServiceAccount, 'clientId'>): Promise<number | null> {
    return this.#retention.find(clientId)
  }

  find(name: string): Promise<ServiceAccount | null> {
    return this.#accounts.find(name)
  }

  async #find(name: string): Promise<ServiceAccount> {
    const account = await this.#accounts.find(name)
    if (!account) throw notFound(name)
    return account
  }

  list(): Promise<ServiceAccount[]> {
    return this.#accounts.list()
  }

  /** Issues a token of the account that is valid for one minute, for commands of the operator. */
  async token(name: string): Promise<string> {
    const account = await this.#find(name)
    const claims = tokenClaims(account, secretId(this.#keys, account.secretHash))
    return new Jwt(this.#keys, this.#clock).sign('lectern:service', claims, 60)
  }
}

function describe({ capabilities, kind }: User): string {
  if (capabilities.includes('admin')) return 'an administrator'
  return kind === 'ordinary' ? 'a person of a partner' : `a ${kind}`
}

const notFound = (name: string) =>
  new OperatorError(`There is no service account ${name}.`, 'service_account_not_found')

const alreadyExists = (name: string) =>
  new OperatorError(`The service account ${name} already exists.`, 'service_account_exists')
