import { request } from 'node:http'
import { connect as connectTcp, isIP, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import type { Logger } from 'pino'

const CONNECT_TIMEOUT_MS = 1_500
/** A server that hangs accepts connections, and answers none. */
const PROBE_TIMEOUT_MS = 1_000
/** Servers come and go under new addresses; who reads the log of the last days sees what is still wrong. */
const REPORT_AGAIN_MS = 3_600_000

/** A server that runs sessions. */
export interface Owner {
  id: string
  address: string
}

interface OwnerConnectionsParts {
  /**
   * The certificate of the authority that signed the certificates of owners, as PEM; null: the authorities that Node.js
   * trusts.
   */
  ca: string | null
  /** Whether the server does not report itself, although others do. */
  isSilent: (serverId: string) => boolean
  log: Pick<Logger, 'debug' | 'warn'>
}

/** Opens connections to other servers of the cluster. */
export class OwnerConnections {
  readonly #parts: OwnerConnectionsParts
  /** When the certificates of servers were reported, of the last hour. */
  readonly #reported = new Map<string, number>()

  constructor(parts: OwnerConnectionsParts) {
    this.#parts = parts
  }

  /** Null when the server cannot be reached, or is silent and answers no probe (rule RELAY-10). */
  async connect(owner: Owner): Promise<Socket | null> {
    if (this.#parts.isSilent(owner.id) && !(await this.#answers(owner))) return null
    return this.#open(owner)
  }

  #open({ id, address }: Owner): Promise<Socket | null> {
    const { protocol, hostname, port } = new URL(address)
    const host = hostname.replace(/^\[(.*)\]$/, '$1')
    const isTls = protocol === 'https:'
    const target = { host, port: Number(port) || (isTls ? 443 : 80) }
    return new Promise(resolve => {
      const socket = isTls ? connectTls({ ...target, ...this.#tlsOptions(host) }) : connectTcp(target)
      const timer = setTimeout(() => socket.destroy(new Error('no answer')), CONNECT_TIMEOUT_MS)
      socket.once(isTls ? 'secureConnect' : 'connect', () => {
        clearTimeout(timer)
        resolve(socket)
      })
      socket.once('error', error => {
        clearTimeout(timer)
        const { log } = this.#parts
        if (isTls && isOfCertificate(error)) this.#reportCertificate(address, error)
        else log.debug({ err: error, server: id }, 'the owner of a session does not answer')
        resolve(null)
      })
    })
  }

  async #answers(owner: Owner): Promise<boolean> {
    const socket = await this.#open(owner)
    if (!socket) return false
    return new Promise(resolve => {
      const probe = request({ path: '/healthz', createConnection: () => socket })
      const timer = setTimeout(() => probe.destroy(new Error('no answer')), PROBE_TIMEOUT_MS)
      const settle = (isAlive: boolean) => {
        clearTimeout(timer)
        socket.destroy()
        resolve(isAlive)
      }
      probe.once('response', () => settle(true))
      probe.on('error', () => settle(false))
      probe.end()
    })
  }

  /** Addresses are no server names (RFC 6066, section 3); the certificate is checked against them all the same. */
  #tlsOptions(host: string) {
    const { ca } = this.#parts
    return { ...(isIP(host) === 0 && { servername: host }), ...(ca !== null && { ca }) }
  }

  #reportCertificate(address: string, { code }: NodeJS.ErrnoException): void {
    const nowMs = performance.now()
    for (const [reported, atMs] of this.#reported)
      if (nowMs - atMs >= REPORT_AGAIN_MS) this.#reported.delete(reported)
    if (this.#reported.has(address)) return
    this.#reported.set(address, nowMs)
    this.#parts.log.warn(
      { address, reason: code },
      'the certificate of another server is not trusted: connections cannot be passed on to it; see [Cluster] AdvertiseCa',
    )
  }
}

/** Codes of OpenSSL's verification and of the check of names (https://nodejs.org/api/tls.html#x509-certificate-error-codes). */
const isOfCertificate = ({ code }: NodeJS.ErrnoException) =>
  /CERT|ISSUER|SIGNATURE|CRL|ALTNAME/.test(code ?? '')
