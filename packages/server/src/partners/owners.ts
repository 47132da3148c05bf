import { ensure } from '@lectern/protocol'
import type { Accounts } from '../accounts/accounts.ts'
import { isActive, isUser } from '../accounts/eligible.ts'
import type { User } from '../accounts/ports.ts'
import type { ServiceAccount } from './ports.ts'
import type { Caller } from './service-accounts.ts'
import type { ServiceAccountStore } from './stores/service-accounts.ts'
import type { OwnerStore } from './stores/v2/owners.ts'

interface OwnersParts {
  accounts: Pick<Accounts, 'find'>
  serviceAccounts: Pick<ServiceAccountStore, 'find' | 'list'>
  owners: Pick<OwnerStore, 'clientsOf'>
}

export interface OwnedAccount extends ServiceAccount {
  /** The login of the technical user. */
  login: string
  /** Neither it nor its technical user is disabled. */
  isUsable: boolean
}

/** People who act for service accounts with their own sign-in (rules OWNED-1 to OWNED-5). */
export class Owners {
  readonly #parts: OwnersParts

  constructor(parts: OwnersParts) {
    this.#parts = parts
  }

  /** The service accounts of the technical users that the person owns, by name. */
  async list(user: User): Promise<OwnedAccount[]> {
    const clients = await this.#clientsOf(user)
    if (clients.length === 0) return []
    const accounts = await this.#parts.serviceAccounts.list()
    const owned = accounts.filter(({ clientId }) => clients.includes(clientId))
    return Promise.all(
      owned.map(async account => {
        const technicalUser = await this.#parts.accounts.find(account.clientId)
        const isUsable = account.enabled && isActive(technicalUser)
        return { ...account, login: technicalUser?.login ?? '', isUsable }
      }),
    )
  }

  /**
   * The owner as a caller with the rights of the service account. It is read for each request, so that a revocation
   * acts at once. Throws `service_account_not_found`, the same for one of somebody else and for none, and
   * `permission_denied` while the account is disabled.
   */
  async callerFor(user: User, name: string, address: string): Promise<Caller> {
    const [clients, account] = await Promise.all([
      this.#clientsOf(user),
      this.#parts.serviceAccounts.find(name),
    ])
    ensure(account && clients.includes(account.clientId), 'service_account_not_found')
    const isUsable = account.enabled && isActive(await this.#parts.accounts.find(account.clientId))
    ensure(isUsable, 'permission_denied', 'This service account is disabled.')
    const owner = { userId: user.id, login: user.login, address }
    return { name: account.name, clientId: account.clientId, scopes: account.scopes, owner }
  }

  async #clientsOf(user: User): Promise<number[]> {
    return isUser(user) ? this.#parts.owners.clientsOf(user.id) : []
  }
}
