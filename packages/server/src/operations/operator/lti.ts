import { hashSecret, makeSecret } from '../../partners/lti/secrets.ts'
import type { Platform, PlatformStore } from '../../partners/stores/lti/platforms.ts'
import type { Clock } from '../../platform/clock.ts'
import { OperatorError } from './checks.ts'
import type { ServiceAccountAdminService } from './service-accounts.ts'

const INVITATION_MS = 24 * 3_600_000

/** Manages the learning management systems that open rooms (docs/lti.md). */
export class LtiAdminService {
  readonly #store: PlatformStore
  readonly #accounts: Pick<ServiceAccountAdminService, 'find'>
  readonly #isEnabled: boolean
  readonly #clock: Clock

  constructor(parts: {
    store: PlatformStore
    accounts: Pick<ServiceAccountAdminService, 'find'>
    /** Whether the server answers platforms. */
    isEnabled: boolean
    clock: Clock
  }) {
    this.#store = parts.store
    this.#accounts = parts.accounts
    this.#isEnabled = parts.isEnabled
    this.#clock = parts.clock
  }

  /** The token of a link with which one platform registers itself within a day. Its rooms belong to the service account. */
  async invite(serviceAccount: string): Promise<{ token: string; expiresAtMs: number }> {
    if (!this.#isEnabled)
      throw new OperatorError('LTI is disabled, and nobody could use the link: set [Lti] Enabled = 1.')
    const account = await this.#accounts.find(serviceAccount)
    if (!account) throw new OperatorError(`There is no service account ${serviceAccount}.`)
    const token = makeSecret()
    const expiresAtMs = this.#clock() + INVITATION_MS
    await this.#store.invite(hashSecret(token), account.clientId, expiresAtMs)
    return { token, expiresAtMs }
  }

  /** The oldest first. */
  list(): Promise<Platform[]> {
    return this.#store.list()
  }

  /** Removes the platform. Its launches are refused from then on; rooms stay. */
  async remove(id: string): Promise<void> {
    if (!(await this.#store.remove(id))) throw new OperatorError(`There is no platform ${id}.`)
  }
}
