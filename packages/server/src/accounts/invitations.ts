import { createHash, randomBytes } from 'node:crypto'
import { ensure } from '@lectern/protocol'
import { type Clock, unixSeconds } from '../platform/clock.ts'
import { networksOf } from '../platform/networks.ts'
import type { AuthSessions, Tokens } from './auth-sessions.ts'
import { hasOwnLogin } from './partner-person.ts'
import type { PasswordCaller, PasswordVerifier } from './password-verifier.ts'
import type { Invitation, User } from './ports.ts'
import type { InvitationStore } from './stores/invitations.ts'

const EXPIRY_SECONDS = 7 * 24 * 3600

/** The path of an invitation's page. The link is a secret: it is enough to sign in. */
export const invitationPath = (token: string): string => `/invite/${token}`

/** An unsalted hash is sufficient for 256 random bits. */
const hashToken = (token: string) => createHash('sha256').update(token).digest('base64url')

/** Creates invitations. The command line does so as well, while the service runs. */
export class Inviter {
  readonly #store: InvitationStore
  readonly #clock: Clock

  constructor(store: InvitationStore, clock: Clock) {
    this.#store = store
    this.#clock = clock
  }

  /**
   * Returns a link's token, valid for one use, and for seven days unless `expirySeconds` says otherwise. Replaces the earlier
   * one of the account, whose password and sign-ins stay until the link is used. Throws `permission_denied` for accounts
   * without a login of their own.
   */
  async invite(user: User, expirySeconds = EXPIRY_SECONDS): Promise<{ token: string; expiresAt: number }> {
    ensure(user.deletedAt === null, 'account_deleted')
    ensure(hasOwnLogin(user), 'permission_denied', 'Only accounts with a login of their own can be invited.')
    const { token, ...invitation } = this.prepare(expirySeconds)
    await this.#store.save({ userId: user.id, ...invitation })
    return { token, expiresAt: invitation.expiresAt }
  }

  /** `invite` for a link that may not arrive: after `takeBack` the earlier link of the account is valid again. */
  async tryToInvite(user: User, expirySeconds: number) {
    const earlier = await this.#store.findOf(user.id)
    const invited = await this.invite(user, expirySeconds)
    const later = { userId: user.id, tokenHash: hashToken(invited.token) }
    return { ...invited, takeBack: () => this.#store.takeBack(later, earlier) }
  }

  /** An invitation that is not stored yet. */
  prepare(expirySeconds = EXPIRY_SECONDS): Omit<Invitation, 'userId'> & { token: string } {
    const token = randomBytes(32).toString('base64url')
    const createdAt = unixSeconds(this.#clock)
    return { token, tokenHash: hashToken(token), createdAt, expiresAt: createdAt + expirySeconds }
  }
}

interface InvitationsOptions {
  store: InvitationStore
  sessions: AuthSessions
  verifier: PasswordVerifier
  clock: Clock
  /** False: an invitation would let in who may only come by single sign-on. */
  isEnabled: boolean
}

/** Lets the holder of an invitation read it, and set the password of its account once. */
export class Invitations {
  readonly #parts: InvitationsOptions

  constructor(parts: InvitationsOptions) {
    this.#parts = parts
  }

  /**
   * Throws `invitation_invalid` if it is unknown, used or replaced, `invitation_expired`, `account_disabled` and
   * `password_sign_in_disabled`.
   */
  async find(token: string): Promise<{ user: User; expiresAt: number }> {
    const { store, clock, isEnabled } = this.#parts
    ensure(isEnabled, 'password_sign_in_disabled')
    const found = await store.find(hashToken(token))
    ensure(found && found.user.deletedAt === null, 'invitation_invalid')
    const { user, invitation } = found
    ensure(invitation.expiresAt > unixSeconds(clock), 'invitation_expired')
    ensure(user.disabledAt === null, 'account_disabled')
    return { user, expiresAt: invitation.expiresAt }
  }

  /**
   * Sets the password, ends the earlier sign-ins of the account, and signs in. If the answer is lost, the password is set
   * nevertheless, and the link is used. Throws as `find`, `not_configured`, and `temporarily_unavailable`.
   */
  async accept(
    token: string,
    password: string,
    caller: PasswordCaller,
  ): Promise<{ user: User; tokens: Tokens }> {
    const { store, sessions, verifier, clock } = this.#parts
    sessions.ensureConfigured()
    await this.find(token)
    const passwordHash = await verifier.hash(password, caller)
    const user = await store.redeem(hashToken(token), { passwordHash, at: unixSeconds(clock) })
    ensure(user, 'invitation_invalid')
    const { userAgent, address } = caller
    return { user, tokens: await sessions.open(user, { network: networksOf(address).narrow, userAgent }) }
  }
}
