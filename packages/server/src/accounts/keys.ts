import { hkdfSync } from 'node:crypto'
import { ensure } from '@lectern/protocol'
import type { Clock } from '../platform/clock.ts'

/**
 * A JwtSecret with the keys that are derived from it. Each purpose has its own key, so that a signature for one is not
 * valid for another.
 */
export class SecretKeys {
  readonly #secret: string
  readonly #derived = new Map<string, Buffer>()

  constructor(secret: string) {
    this.#secret = secret
  }

  /** The secret itself: it signs JWTs and hashes client secrets. Throws `not_configured` without one (rule SIGN-7). */
  get secret(): Buffer {
    ensure(this.#secret !== '', 'not_configured', 'The server has no JwtSecret, so nobody can sign in.')
    return Buffer.from(this.#secret, 'utf8')
  }

  derive(purpose: string): Buffer {
    const key =
      this.#derived.get(purpose) ?? Buffer.from(hkdfSync('sha256', this.secret, '', `lectern ${purpose}`, 32))
    this.#derived.set(purpose, key)
    return key
  }
}

type NonEmpty<T> = readonly [T, ...T[]]

/** Secrets that verify, but do not sign, until a time: the previous ones, or the next one of a cluster (rule ROTATE-1). */
interface AcceptedSecrets {
  secrets: readonly string[]
  /** Milliseconds since 1970. */
  until: number
}

/**
 * All keys of the service. The present JwtSecret signs; signatures are also valid with each of the accepted ones until
 * their time is over. Without a secret every use is refused with `not_configured` (rule SIGN-7).
 */
export class Keys {
  readonly configured: boolean
  readonly #present: SecretKeys
  readonly #all: NonEmpty<SecretKeys>
  readonly #until: number
  readonly #clock: Clock

  constructor(
    jwtSecret: string,
    others: AcceptedSecrets = { secrets: [], until: 0 },
    clock: Clock = Date.now,
  ) {
    this.configured = jwtSecret !== ''
    this.#present = new SecretKeys(jwtSecret)
    this.#all = [this.#present, ...others.secrets.map(secret => new SecretKeys(secret))]
    this.#until = others.until
    this.#clock = clock
  }

  get secret(): Buffer {
    return this.#present.secret
  }

  /** Equal for the servers of one installation; null without a secret. */
  get deploymentId(): string | null {
    return this.configured ? `d.${this.derive('deployment id').toString('hex', 0, 12)}` : null
  }

  derive(purpose: string): Buffer {
    return this.#present.derive(purpose)
  }

  /** The keys that verify now, the present one first. */
  get accepted(): NonEmpty<SecretKeys> {
    return this.configured && this.#clock() < this.#until ? this.#all : [this.#present]
  }

  /** Derives the keys that verify now, the present one first. */
  deriveAccepted(purpose: string): NonEmpty<Buffer> {
    const [present, ...others] = this.accepted
    return [present.derive(purpose), ...others.map(keys => keys.derive(purpose))]
  }
}
