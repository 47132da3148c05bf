import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Keys } from '../../accounts/keys.ts'
import type { UserStore } from '../../accounts/stores/users.ts'

const PURPOSE = 'unsubscribe links'
/** 128 bits: it can only turn mails off. */
const SIGNATURE_BYTES = 16

/** The links with which people turn mails of missed calls off without signing in (RFC 8058). */
export class Unsubscribing {
  readonly #keys: Pick<Keys, 'derive' | 'deriveAccepted'>
  readonly #users: Pick<UserStore, 'update'>

  constructor(keys: Pick<Keys, 'derive' | 'deriveAccepted'>, users: Pick<UserStore, 'update'>) {
    this.#keys = keys
    this.#users = users
  }

  tokenOf(userId: number): string {
    return `${userId}-${sign(this.#keys.derive(PURPOSE), userId).toString('base64url')}`
  }

  /** Turns the mails of the person off. False: the token is not valid. May be repeated. */
  async unsubscribe(token: string): Promise<boolean> {
    const [, id = '', signature = ''] = /^(\d{1,15})-([\w-]{22})$/.exec(token) ?? []
    const given = Buffer.from(signature, 'base64url')
    const isValid = this.#keys
      .deriveAccepted(PURPOSE)
      .some(key => given.length === SIGNATURE_BYTES && timingSafeEqual(given, sign(key, Number(id))))
    return isValid && (await this.#users.update(Number(id), { missedCallMails: false })) !== null
  }
}

const sign = (key: Buffer, userId: number) =>
  createHmac('sha256', key).update(String(userId)).digest().subarray(0, SIGNATURE_BYTES)
