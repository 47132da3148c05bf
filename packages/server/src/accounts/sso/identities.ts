import { ensure } from '@lectern/protocol'
import { type Clock, unixSeconds } from '../../platform/clock.ts'
import type { Accounts } from '../accounts.ts'
import { hasOwnLogin } from '../partner-person.ts'
import type { User } from '../ports.ts'
import type { ExternalIdentityStore } from '../stores/external-identities.ts'
import type { UserStore } from '../stores/users.ts'
import { isSameLogin, loginCandidates } from './logins.ts'
import type { ExternalIdentity, ProviderProfile } from './ports.ts'
import { labelOf, nameIn } from './profile.ts'

interface IdentitiesOptions {
  store: ExternalIdentityStore
  users: Pick<UserStore, 'findByLogin'>
  accounts: Pick<Accounts, 'rename'>
  clock: Clock
  /** Whether people without an account get one. */
  signUp: boolean
  /** Whether an account is linked to the person with the same user name. */
  linkByLogin: boolean
}

function ensureUsable({ deletedAt, disabledAt }: User): void {
  ensure(deletedAt === null, 'account_deleted')
  ensure(disabledAt === null, 'account_disabled')
}

/** Maps people of the provider to accounts (rules SSO-5 to SSO-10). */
export class Identities {
  readonly #parts: IdentitiesOptions

  constructor(parts: IdentitiesOptions) {
    this.#parts = parts
  }

  /** Throws `account_deleted`, `account_disabled`, or `sign_up_not_allowed` if the person has no account and gets none; `identity_provider_unavailable` if nothing names a new one. */
  async userOf(profile: ProviderProfile): Promise<User> {
    const { store, signUp } = this.#parts
    const found = await store.find(profile.issuer, profile.subject)
    if (found && hasOwnLogin(found.user)) return this.#update(found.identity, found.user, profile)
    // Earlier versions linked people of partners and guests, whom only their links sign in.
    if (found) await store.unlink(found.user.id, profile.issuer)
    const linked = await this.#linkByLogin(profile)
    if (linked) return linked
    ensure(signUp, 'sign_up_not_allowed')
    return this.#addUser(profile)
  }

  /** Links the person to a user who is signed in. Throws `identity_taken`. */
  async link(user: User, profile: ProviderProfile): Promise<void> {
    const { store } = this.#parts
    const existing = await store.find(profile.issuer, profile.subject)
    if (existing?.user.id === user.id) return
    ensure(await store.link({ ...this.#identity(profile), userId: user.id }), 'identity_taken')
  }

  async #update(identity: ExternalIdentity, user: User, profile: ProviderProfile): Promise<User> {
    const { store, accounts, clock } = this.#parts
    ensureUsable(user)
    const givenName = profile.name || identity.givenName
    const label = profile.isPartial ? identity.label : labelOf(profile)
    await store.update(identity, { label, givenName, usedAt: unixSeconds(clock) })
    // A name that the user chose here remains.
    const isFromProvider = user.displayName === identity.givenName
    return isFromProvider ? accounts.rename(user, givenName) : user
  }

  async #linkByLogin(profile: ProviderProfile): Promise<User | null> {
    const { store, users, linkByLogin } = this.#parts
    if (!linkByLogin || profile.username === '') return null
    const user = await users.findByLogin(profile.username.toLowerCase())
    if (!user || user.deletedAt !== null || user.kind !== 'ordinary') return null
    // Permission to choose user names at the provider MUST NOT give rights here.
    if (!isSameLogin(profile.username, user.login) || user.capabilities.length > 0) return null
    ensureUsable(user)
    const isLinked = await store.link({ ...this.#identity(profile), userId: user.id })
    return isLinked ? user : null
  }

  async #addUser(profile: ProviderProfile): Promise<User> {
    const { store, clock } = this.#parts
    const identity = this.#identity(profile)
    // A login is permanent: it waits until the provider names its person.
    ensure(!profile.isPartial || nameIn(profile) !== '', 'identity_provider_unavailable')
    for (const login of loginCandidates(profile)) {
      const displayName = profile.name || profile.username || login
      const createdAt = unixSeconds(clock)
      const added = await store.addUser(
        { login, displayName, kind: 'ordinary', passwordHash: null, capabilities: [], createdAt },
        { ...identity, givenName: displayName },
      )
      if (added === 'already_linked') return this.userOf(profile) // another tab was faster
      if (added !== 'login_taken') return added
    }
    throw new Error('every login for a new account is taken')
  }

  #identity(profile: ProviderProfile): Omit<ExternalIdentity, 'userId'> {
    const now = unixSeconds(this.#parts.clock)
    const { issuer, subject, name } = profile
    return { issuer, subject, label: labelOf(profile), givenName: name, createdAt: now, usedAt: now }
  }
}
