import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { interruptibleSleep } from '@lectern/common'
import { Refusal } from '@lectern/protocol'
import { networksOf } from '../../platform/networks.ts'
import { noTracing, type Tracing } from '../../platform/tracing.ts'
import type { SessionLocation } from '../../sessions/session-registry.ts'
import type { Owner, OwnerConnections } from './owner-connections.ts'
import { RELAY_HEADER, type RelayedClient, type RelayHeader } from './relay-header.ts'

/** A dead server's lease runs out, and another one takes over, within this time. */
const TAKEOVER_MS = 6_000
const RETRY_MS = 250
/** A server that hangs accepts connections, and answers none. */
const ANSWER_TIMEOUT_MS = 5_000
/** How soon the host of a server that is gone without a word is noticed, besides by its silence in the cluster. */
const KEEPALIVE_MS = 5_000

export interface RelayParts {
  header: RelayHeader
  self: string
  /** The region of this server; empty: none. */
  region: string
  locate: (tag: string) => Promise<SessionLocation>
  capacity: { total: number; perAddress: number | null }
  connections: Pick<OwnerConnections, 'connect'>
  tracing?: Tracing
}

/** An upgrade request that has arrived, and what came after it. */
export interface UpgradeRequest {
  message: IncomingMessage
  head: Buffer
  /** The address of the client. */
  address: string
}

interface Relayed {
  owner: Owner
  client: Socket
  upstream: Socket
}

/**
 * Passes control connections on to the servers that run their conferences, byte by byte (rules RELAY-1 to RELAY-5). What
 * was passed on is never passed on again.
 */
export class Relay {
  readonly #parts: RelayParts
  readonly #relayed = new Set<Relayed>()
  /** By network: the connections that are passed on or wait for their server. */
  readonly #addresses = new Map<string, number>()
  #count = 0
  readonly #stopping = new AbortController()
  readonly header = RELAY_HEADER

  constructor(parts: RelayParts) {
    this.#parts = parts
  }

  /** Connections that are passed on right now. */
  get size(): number {
    return this.#relayed.size
  }

  /** The client, if the header of another server vouches for it; null for a forged one. */
  verify(header: string): RelayedClient | null {
    return this.#parts.header.verify(header, this.#parts.self)
  }

  /**
   * Passes the connection on to the server that runs the session of the conference; waits while that one is dead. False:
   * it belongs here. Throws `server_full`, `too_many_connections` and `temporarily_unavailable`.
   */
  async pass(tag: string, request: UpgradeRequest): Promise<boolean> {
    const release = this.#take(request.address)
    const client = request.message.socket
    client.once('close', release)
    const deadline = performance.now() + TAKEOVER_MS
    try {
      while (!client.destroyed && !this.#stopping.signal.aborted) {
        const location = await this.#parts.locate(tag)
        if (location.is !== 'remote' || location.owner.id === this.#parts.self) {
          client.off('close', release)
          release()
          return false
        }
        const upstream = await this.#parts.connections.connect(location.owner)
        if (upstream && !client.destroyed) {
          this.#splice(location.owner, request, upstream)
          return true
        }
        upstream?.destroy()
        if (performance.now() > deadline) break
        await interruptibleSleep(RETRY_MS, this.#stopping.signal)
      }
    } catch (error) {
      release()
      throw error
    }
    release()
    throw new Refusal('temporarily_unavailable')
  }

  /** The server is gone: its connections end here, too, so that their clients come back at once. */
  closeTo(serverId: string): void {
    for (const { owner, client, upstream } of this.#relayed)
      if (owner.id === serverId) {
        client.destroy()
        upstream.destroy()
      }
  }

  /** Clients come back to another server. */
  stop(): void {
    this.#stopping.abort()
    for (const { client, upstream } of this.#relayed) {
      client.destroy()
      upstream.destroy()
    }
  }

  #take(address: string): () => void {
    const { total, perAddress } = this.#parts.capacity
    const { narrow } = networksOf(address)
    const ofAddress = this.#addresses.get(narrow) ?? 0
    if (perAddress !== null && ofAddress >= perAddress) throw new Refusal('too_many_connections')
    if (this.#count >= total) throw new Refusal('server_full')
    this.#addresses.set(narrow, ofAddress + 1)
    this.#count += 1
    let isReleased = false
    return () => {
      if (isReleased) return
      isReleased = true
      this.#count -= 1
      const left = (this.#addresses.get(narrow) ?? 1) - 1
      if (left > 0) this.#addresses.set(narrow, left)
      else this.#addresses.delete(narrow)
    }
  }

  /** Splices the sockets, whose pipes apply the back-pressure. */
  #splice(owner: Owner, { message, head, address }: UpgradeRequest, upstream: Socket): void {
    const client = message.socket
    const relayed = { owner, client, upstream }
    this.#relayed.add(relayed)
    client.setTimeout(0)
    upstream.setTimeout(ANSWER_TIMEOUT_MS, () => upstream.destroy())
    upstream.once('data', () => upstream.setTimeout(0))
    for (const socket of [client, upstream]) {
      socket.setNoDelay(true)
      socket.setKeepAlive(true, KEEPALIVE_MS)
      socket.on('error', () => {}) // it closes, too
    }
    // Data that has arrived is still delivered, for the last frame says why the other side closes.
    client.once('close', () => upstream.destroySoon())
    upstream.once('close', () => {
      this.#relayed.delete(relayed)
      client.destroySoon()
    })
    const { header, region, tracing = noTracing } = this.#parts
    const own = { [RELAY_HEADER]: header.create(address, owner.id, region) }
    const { traceparent } = tracing
    upstream.write(requestHead(message, { ...own, ...(traceparent && { traceparent }) }))
    if (head.length > 0) upstream.write(head)
    client.pipe(upstream)
    upstream.pipe(client)
  }
}

/** The request as it arrived, with our own headers, such as the one that vouches for the address of the client. */
function requestHead({ method, url, rawHeaders }: IncomingMessage, own: Record<string, string>): string {
  const lines = [`${method} ${url} HTTP/1.1`]
  for (let i = 0; i < rawHeaders.length; i += 2)
    if (!Object.hasOwn(own, rawHeaders[i]?.toLowerCase() ?? ''))
      lines.push(`${rawHeaders[i]}: ${rawHeaders[i + 1]}`)
  for (const [name, value] of Object.entries(own)) lines.push(`${name}: ${value}`)
  return `${lines.join('\r\n')}\r\n\r\n`
}
