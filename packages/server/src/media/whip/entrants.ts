import { ensure, LINK_TOKEN } from '@lectern/protocol'
import type { Accounts } from '../../accounts/accounts.ts'
import type { AuthSessions } from '../../accounts/auth-sessions.ts'
import type { User } from '../../accounts/ports.ts'
import type { Integration } from '../../hooks.ts'
import type { Entrant } from './participation.ts'

interface EntrantsOptions {
  accounts: Accounts
  sessions: AuthSessions
  integration: Integration
  allowGuests: boolean
}

/** Maps a bearer token to the account that joins: the person of a link, a student for a partner's token, or a user. */
export class Entrants {
  readonly #parts: EntrantsOptions

  constructor(parts: EntrantsOptions) {
    this.#parts = parts
  }

  /** Throws as the resolver of links does, or `unauthenticated` or `permission_denied`. */
  async find(bearer: string, tag: string): Promise<Entrant> {
    const { integration, sessions } = this.#parts
    if (LINK_TOKEN.test(bearer)) return this.#enterByLink(bearer, tag)
    const service = await integration.identify(bearer)
    if (service) {
      ensure(service.scopes.includes('integration:rooms'), 'permission_denied')
      const link = await integration.studentLink(tag, service.clientId)
      return { ...(await this.#enterByLink(link, tag)), isRevoked: () => service.isRevoked() }
    }
    const { id: userId } = await sessions.authenticate(bearer)
    return { userId, accessToken: bearer, joinToken: null, isRevoked: never, close: async () => {} }
  }

  /** Whether the token is a newer one of the same user: access tokens expire long before a lesson ends. */
  async isTokenOf(bearer: string, { userId, joinToken }: Entrant): Promise<boolean> {
    if (joinToken !== null || LINK_TOKEN.test(bearer)) return false
    const user = await this.#parts.sessions.authenticate(bearer).catch(() => null)
    return user?.id === userId
  }

  async #enterByLink(joinToken: string, tag: string): Promise<Entrant> {
    const { integration, sessions } = this.#parts
    const invited = await integration.enterByLink(joinToken)
    ensure(invited.tag === tag, 'permission_denied', 'This link belongs to another room.')
    const user = invited.user ?? (await this.#addGuest(invited.displayName))
    const { access_token, refresh_token } = await sessions.open(user)
    return {
      userId: user.id,
      accessToken: access_token,
      joinToken,
      isRevoked: never,
      close: () => sessions.close(refresh_token),
    }
  }

  async #addGuest(displayName: string): Promise<User> {
    const { accounts, sessions, allowGuests } = this.#parts
    ensure(allowGuests, 'guests_not_allowed')
    sessions.ensureConfigured()
    return accounts.addGuest(displayName)
  }
}

/** The control channel checks the sign-in and the link. */
const never = async () => false
