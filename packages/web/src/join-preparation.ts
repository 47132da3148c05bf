import type { PreparedConnection } from './call/prepared-connection.ts'
import type { Identity } from './identity/identity.ts'
import type { Invitation } from './link/invitation.ts'

/**
 * Loads and connects what joining needs, without entering the session. Identity null: who joins is not known yet.
 * Null: the code does not load, or the signal was aborted before it did.
 */
export type Prepare = (
  invitation: Invitation,
  identity: Identity | null,
  signal: AbortSignal,
) => Promise<PreparedConnection | null>

interface Preparation {
  userId: number | null
  identity: Identity | null
  connection: PreparedConnection | null
  /** Aborted when it will not be used. */
  obsolete: AbortController
}

/** Prepares a join while the prejoin screen is shown, for one person at a time. */
export class JoinPreparation {
  readonly #prepare: Prepare
  #current: Preparation | null = null

  constructor(prepare: Prepare) {
    this.#prepare = prepare
  }

  get hasBegun(): boolean {
    return this.#current !== null
  }

  /** Whether the person who joins is known already. */
  get hasIdentity(): boolean {
    return (this.#current?.identity ?? null) !== null
  }

  /** Replaces an earlier preparation. `userId`: the signed-in user; null: a guest, or the invitee of the link. */
  async start(invitation: Invitation, userId: number | null, identity: Identity | null): Promise<void> {
    const obsolete = new AbortController()
    const preparation: Preparation = { userId, identity, connection: null, obsolete }
    this.#current?.obsolete.abort()
    this.#current = preparation
    const connection = await this.#prepare(invitation, identity, obsolete.signal)
    if (this.#current === preparation) preparation.connection = connection
    else connection?.close()
  }

  /** The preparation for that user, which belongs to the caller; null: there is none. Preparations for others are closed. */
  take(userId: number | null): Pick<Preparation, 'identity' | 'connection'> | null {
    const preparation = this.#current
    this.#current = null
    preparation?.obsolete.abort()
    if (preparation?.userId === userId) return preparation
    preparation?.connection?.close()
    return null
  }

  close(): void {
    this.take(null)?.connection?.close()
  }
}
