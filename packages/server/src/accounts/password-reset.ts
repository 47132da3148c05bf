import type { Logger } from 'pino'
import type { Clock } from '../platform/clock.ts'
import { RateLimiter } from '../platform/rate-limiter.ts'
import type { Inviter } from './invitations.ts'
import type { User } from './ports.ts'
import type { UserStore } from './stores/users.ts'

/** A mail program is open already, and whoever waits longer asks again. */
const EXPIRY_SECONDS = 3600
/** For each account: enough for mails that were overlooked, too few to annoy somebody. */
const MAILS_PER_HOUR = 3
/** People who share an address, such as a family. */
const ACCOUNTS_MAX = 5
/** Requests that wait for the database or the mail server; more are dropped. */
const WAITING_MAX = 100
const CLOSE_WITHIN_MS = 3_000

/** An error as nodemailer throws it. */
interface SmtpError extends Error {
  code?: string
  responseCode?: number
  /** `CONN`: there was no connection. */
  command?: string
}

interface PasswordResetOptions {
  users: Pick<UserStore, 'findByLogin' | 'listByEmail'>
  inviter: Inviter
  /** Rejects with the reason if the mail server does not accept the mail. */
  send: (user: User & { email: string }, link: { token: string; expiresAt: number }) => Promise<void>
  clock: Clock
  /** False: no limit for each account. */
  isLimited: boolean
  log: Pick<Logger, 'warn'>
}

/**
 * Sends people who have forgotten their password a link to set another one (rules RESET-1 to RESET-4 of
 * docs/http-api.md). Whoever asks learns nothing about accounts: the answer does not wait for the lookup.
 */
export class PasswordReset {
  readonly #parts: PasswordResetOptions
  readonly #limiter: RateLimiter<number>
  readonly #waiting = new Set<Promise<void>>()

  constructor(parts: PasswordResetOptions) {
    this.#parts = parts
    const perMinute = parts.isLimited ? MAILS_PER_HOUR / 60 : null
    this.#limiter = new RateLimiter(parts.clock, perMinute, 3600)
  }

  /** By the login or the mail address. Returns at once, and never throws. */
  request(name: string): void {
    if (this.#waiting.size >= WAITING_MAX) return
    const sending = this.#handle(name.trim().toLowerCase())
      .catch(({ name: reason, code = reason }: SmtpError) =>
        this.#parts.log.warn({ reason: code }, 'a link to reset a password could not be made'),
      )
      .finally(() => this.#waiting.delete(sending))
    this.#waiting.add(sending)
  }

  /** Waits briefly for mails that are being sent: a mail server that does not answer delays no end of the service. */
  async close(): Promise<void> {
    const late = new Promise(done => setTimeout(done, CLOSE_WITHIN_MS).unref())
    await Promise.race([Promise.all(this.#waiting), late])
  }

  async #handle(name: string): Promise<void> {
    const { users, inviter, send } = this.#parts
    const named = await users.findByLogin(name)
    const others = (await users.listByEmail(name, ACCOUNTS_MAX)).filter(({ id }) => id !== named?.id)
    for (const user of [...(named ? [named] : []), ...others].filter(canReset)) {
      if (this.#limiter.take(user.id, 1) > 0) continue
      const { takeBack, ...invitation } = await inviter.tryToInvite(user, EXPIRY_SECONDS)
      await send(user, invitation).catch((error: SmtpError) => this.#onRefused(user, error, takeBack))
    }
  }

  /**
   * A mail that was not sent does not count: the person may ask again as soon as the mail server works, and an earlier link
   * stays valid.
   */
  async #onRefused(
    { id }: User,
    { name, code = name, responseCode: status, command }: SmtpError,
    takeBack: () => Promise<void>,
  ): Promise<void> {
    if (status !== undefined || command === 'CONN') {
      this.#limiter.charge(id, -1)
      await takeBack()
    }
    // Without the message of the error, which may contain the address.
    this.#parts.log.warn(
      { reason: code, status },
      'the mail server did not accept a link to reset a password: see [Mail] and "lectern doctor"',
    )
  }
}

/** Accounts without a password wait for their invitation, or sign in at an identity provider only. */
const canReset = (user: User): user is User & { email: string } =>
  user.email !== null && user.passwordHash !== null && user.deletedAt === null && user.disabledAt === null
