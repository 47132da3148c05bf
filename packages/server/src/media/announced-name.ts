import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import type { Logger } from 'pino'
import { listensFor } from '../platform/address.ts'

const REFRESH_AFTER_MS = 60_000
/** While it has no address, as before the network of the machine is up. */
const RETRY_AFTER_MS = 2_000

interface Candidate {
  foundation: string
  address: string
  ip: string
}

interface AnnouncedNameParts {
  /** A host name or an address. */
  name: string
  listenIp: string
  log: Logger
}

/**
 * The addresses of a host name that is announced: no browser sends media to a candidate with a name. It is resolved again after
 * a minute, when it is used, because dynamic DNS changes it; while it does not resolve, its last addresses remain.
 */
export class AnnouncedName {
  readonly #parts: AnnouncedNameParts
  #addresses: string[] = []
  #triedAtMs = Number.NEGATIVE_INFINITY

  constructor(parts: AnnouncedNameParts) {
    this.#parts = parts
  }

  /** The candidates of a transport, with one for each address in place of one with the name. */
  resolve<Each extends Candidate>(candidates: readonly Each[]): Each[] {
    const { name } = this.#parts
    const validMs = this.#addresses.length > 0 ? REFRESH_AFTER_MS : RETRY_AFTER_MS
    if (performance.now() - this.#triedAtMs > validMs) void this.refresh()
    return candidates.flatMap(candidate =>
      candidate.address === name && !isIP(name)
        ? this.#addresses.map((address, index) => ({
            ...candidate,
            foundation: `${candidate.foundation}${index}`,
            address,
            ip: address,
          }))
        : [{ ...candidate }],
    )
  }

  /** Resolves when the addresses are known, or cannot be: that is logged. */
  async refresh(): Promise<void> {
    const { name, listenIp, log } = this.#parts
    if (name === '' || isIP(name)) return
    this.#triedAtMs = performance.now()
    try {
      const found = await lookup(name, { all: true, order: 'ipv4first' })
      const usable = found.map(({ address }) => address).filter(address => listensFor(listenIp, address))
      if (usable.length === 0)
        throw new Error(`media listens on ${listenIp}, and not on ${found[0]?.address}`)
      this.#addresses = usable
    } catch (error) {
      log.error({ err: error, name }, '[Media] AnnouncedAddress has no address')
    }
  }
}
