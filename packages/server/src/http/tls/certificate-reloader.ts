import type { Server, ServerOptions } from 'node:https'
import { createSecureContext, type SecureContext } from 'node:tls'
import type { Logger } from 'pino'
import type { Clock } from '../../platform/clock.ts'
import {
  expiryOf,
  explain,
  faultOf,
  isSamePair,
  type KeyPair,
  readKeyPair,
  type TlsFiles,
} from './key-pair.ts'

interface CertificateReloaderOptions {
  files: TlsFiles
  clock: Clock
  log: Pick<Logger, 'info' | 'error'>
}

/**
 * The certificate of the https server. It follows its files without a restart (rules TLS-1 to TLS-4): new connections get
 * the new one, open ones are not touched.
 */
export class CertificateReloader {
  readonly #parts: CertificateReloaderOptions
  #pair: KeyPair
  #context: SecureContext
  #expiresAt: number
  #server: Server | null = null
  /** A pair that could not be used when it was read last, and the fault that was logged. */
  #refused: { pair: KeyPair | null; fault: string; isLogged: boolean } | null = null

  private constructor(parts: CertificateReloaderOptions, pair: KeyPair) {
    this.#parts = parts
    this.#pair = pair
    this.#expiresAt = expiryOf(pair)
    this.#context = createSecureContext(pair)
  }

  /** Null without TLS. Throws when the files cannot be used together; an expired certificate is used. */
  static async open(parts: CertificateReloaderOptions): Promise<CertificateReloader | null> {
    if (parts.files.TlsCert === '') return null
    const pair = await readKeyPair(parts.files)
    try {
      return new CertificateReloader(parts, pair)
    } catch (error) {
      throw new Error(`[Server] TlsCert and TlsKey cannot be used: ${explain(error as Error)}`)
    }
  }

  /** For the creation of the server. Fastify creates a second one for another address of `localhost`, which only this reaches. */
  get options(): ServerOptions {
    return { ...this.#pair, SNICallback: (_name, done) => done(null, this.#context) }
  }

  attach(server: Server): void {
    this.#server = server
  }

  /** Unix seconds. */
  get expiresAt(): number {
    return this.#expiresAt
  }

  /** Whether the files contain something else than what is used. */
  get isRefused(): boolean {
    return this.#refused?.isLogged ?? false
  }

  /** Reads the files, and uses them if they have changed and are valid. Never throws. */
  async reload(): Promise<void> {
    const pair = await readKeyPair(this.#parts.files).catch((error: Error) => error)
    if (pair instanceof Error) return this.#refuse(null, pair.message)
    if (isSamePair(pair, this.#pair)) {
      this.#refused = null
      return
    }
    const fault = faultOf(pair, this.#parts.clock())
    if (fault !== null) return this.#refuse(pair, fault)
    this.#use(pair)
  }

  #use(pair: KeyPair): void {
    this.#context = createSecureContext(pair)
    this.#server?.setSecureContext(pair)
    this.#expiresAt = expiryOf(pair)
    this.#pair = pair
    this.#refused = null
    const expires = new Date(this.#expiresAt * 1000).toISOString()
    this.#parts.log.info({ expires }, 'new TLS certificate in use')
  }

  /** Programs that renew write one file after the other: a pair is refused when it is still there at the next time. */
  #refuse(pair: KeyPair | null, fault: string): void {
    const last = this.#refused
    const isAgain = last !== null && last.fault === fault && isSameOrNone(last.pair, pair)
    this.#refused = { pair, fault, isLogged: isAgain }
    if (isAgain && !last.isLogged)
      this.#parts.log.error(
        { reason: fault },
        'the new TLS certificate is not used; the present one stays in use',
      )
  }
}

const isSameOrNone = (a: KeyPair | null, b: KeyPair | null): boolean => (a && b ? isSamePair(a, b) : a === b)
