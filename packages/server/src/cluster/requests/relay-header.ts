import { createHmac } from 'node:crypto'
import { isIP } from 'node:net'
import { equalSecrets } from '../../platform/constant-time.ts'

/** The header with which a server passes a control connection on; clients MUST NOT send it. */
export const RELAY_HEADER = 'x-lectern-relay'

/** A passed-on request is used at once; the rest is for clocks that differ. */
const VALID_MS = 60_000
const LENGTH_MAX = 512

interface RelayHeaderParts {
  /** The first one signs; each of them verifies. */
  keys: () => readonly [Buffer, ...Buffer[]]
  clock: () => number
}

interface Content {
  /** The address of the client. */
  address: string
  /** The region of the server that the client is connected to; absent in headers of earlier versions. */
  region?: string
  /** The server that it is for. */
  to: string
  expiresAtMs: number
}

/** A client of another server, which passes its connection on. */
export interface RelayedClient {
  address: string
  /** The region of that server; empty: unknown. */
  region: string
}

/** Vouches for the address of a client towards another server of the cluster (rule RELAY-2). */
export class RelayHeader {
  readonly #parts: RelayHeaderParts

  constructor(parts: RelayHeaderParts) {
    this.#parts = parts
  }

  create(address: string, to: string, region = ''): string {
    const content: Content = { address, to, region, expiresAtMs: this.#parts.clock() + VALID_MS }
    const text = Buffer.from(JSON.stringify(content)).toString('base64url')
    return `${text}.${sign(this.#parts.keys()[0], text)}`
  }

  /** The client, and the region where it is; null unless the header is genuine, for this server and not too old. */
  verify(header: string, self: string): RelayedClient | null {
    const [text = '', signature = '', ...rest] = header.length <= LENGTH_MAX ? header.split('.') : []
    if (rest.length > 0 || !this.#parts.keys().some(key => equalSecrets(signature, sign(key, text))))
      return null
    const {
      address,
      to,
      region = '',
      expiresAtMs,
    } = JSON.parse(Buffer.from(text, 'base64url').toString()) as Content
    const now = this.#parts.clock()
    const isCurrent = now < expiresAtMs && expiresAtMs <= now + 2 * VALID_MS
    return isCurrent && to === self && isIP(address) !== 0 ? { address, region } : null
  }
}

const sign = (key: Buffer, text: string) => createHmac('sha256', key).update(text).digest('base64url')
