import { hkdfSync } from 'node:crypto'
import { ensure } from '@lectern/protocol'

/**
 * Derives all keys of the service from [Server] JwtSecret. Each purpose has its own key, so that a signature for one is
 * not valid for another. Without a secret every use is refused with `not_configured` (rule SIGN-7).
 */
export class Keys {
  readonly #secret: string
  readonly #derived = new Map<string, Buffer>()

  constructor(jwtSecret: string) {
    this.#secret = jwtSecret
  }

  get configured(): boolean {
    return this.#secret !== ''
  }

  /** The secret itself: it signs JWTs and hashes client secrets. */
  get secret(): Buffer {
    ensure(this.configured, 'not_configured', 'The server has no JwtSecret, so nobody can sign in.')
    return Buffer.from(this.#secret, 'utf8')
  }

  derive(purpose: string): Buffer {
    const key = this.#derived.get(purpose) ?? this.#hkdf(purpose)
    this.#derived.set(purpose, key)
    return key
  }

  #hkdf(purpose: string): Buffer {
    return Buffer.from(hkdfSync('sha256', this.secret, '', `lectern ${purpose}`, 32))
  }
}
