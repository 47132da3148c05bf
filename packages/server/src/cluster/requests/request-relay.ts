import { type IncomingMessage, request as startRequest } from 'node:http'
import type { Socket } from 'node:net'
import { interruptibleSleep } from '@lectern/common'
import { Refusal } from '@lectern/protocol'
import type { Tracing } from '../../platform/tracing.ts'
import type { SessionLocation } from '../../sessions/session-registry.ts'
import type { Owner, OwnerConnections } from './owner-connections.ts'
import { RELAY_HEADER, type RelayHeader } from './relay-header.ts'

/** A dead server's lease runs out, and another one takes over, within this time. */
const TAKEOVER_MS = 6_000
const RETRY_MS = 250
/** Longer than a server takes to let somebody join and publish. */
const ANSWER_TIMEOUT_MS = 25_000
const ANSWER_MAX_BYTES = 262_144
const UNAVAILABLE = 503
/** The headers of an answer that this server does not set itself. */
const ANSWER_HEADERS = ['content-type', 'location', 'etag', 'link', 'accept-patch', 'retry-after'] as const

export interface PassedRequest {
  method: string
  /** With its query. */
  path: string
  headers: Record<string, string>
  body: string | undefined
  /** The address of the client. */
  address: string
}

export interface PassedAnswer {
  status: number
  headers: Record<string, string | string[]>
  body: string
}

interface RequestRelayParts {
  header: RelayHeader
  self: string
  /** The region of this server; empty: none. */
  region: string
  locate: (tag: string) => Promise<SessionLocation>
  connections: Pick<OwnerConnections, 'connect'>
  tracing: Pick<Tracing, 'traceparent'>
}

/** Passes HTTP requests on to the servers that run the sessions of their conferences (rules RELAY-11 and RELAY-12). */
export class RequestRelay {
  readonly #parts: RequestRelayParts
  readonly #passed = new Set<{ serverId: string; socket: Socket }>()
  readonly #stopping = new AbortController()

  constructor(parts: RequestRelayParts) {
    this.#parts = parts
  }

  /** Null: it belongs here. Waits while the owner is dead. Throws `temporarily_unavailable`. */
  async pass(tag: string, request: PassedRequest): Promise<PassedAnswer | null> {
    const deadline = performance.now() + TAKEOVER_MS
    let refusedBy = ''
    while (!this.#stopping.signal.aborted) {
      const location = await this.#parts.locate(tag)
      if (location.is !== 'remote' || location.owner.id === this.#parts.self) return null
      const { owner } = location
      const socket = await this.#parts.connections.connect(owner)
      const answer = socket && (await this.#send(owner, request, socket))
      // A server that has just lost the session did nothing, and another one has it soon.
      if (answer && (answer.status !== UNAVAILABLE || refusedBy === owner.id)) return answer
      if (answer) refusedBy = owner.id
      if (performance.now() > deadline) break
      await interruptibleSleep(RETRY_MS, this.#stopping.signal)
    }
    throw new Refusal('temporarily_unavailable')
  }

  /** The server is gone: nobody waits for its answers any more. */
  closeTo(serverId: string): void {
    for (const each of this.#passed) if (each.serverId === serverId) each.socket.destroy()
  }

  stop(): void {
    this.#stopping.abort()
    for (const { socket } of this.#passed) socket.destroy()
  }

  /** Once it is sent, nobody knows whether it had an effect: it is not repeated. */
  async #send(owner: Owner, request: PassedRequest, socket: Socket): Promise<PassedAnswer> {
    const passed = { serverId: owner.id, socket }
    this.#passed.add(passed)
    try {
      return await this.#exchange(owner, request, socket)
    } catch {
      throw new Refusal('temporarily_unavailable')
    } finally {
      this.#passed.delete(passed)
      socket.destroy()
    }
  }

  #exchange(
    owner: Owner,
    { method, path, headers, body, address }: PassedRequest,
    socket: Socket,
  ): Promise<PassedAnswer> {
    const { header, region, tracing } = this.#parts
    const { traceparent } = tracing
    const own = {
      host: new URL(owner.address).host,
      [RELAY_HEADER]: header.create(address, owner.id, region),
    }
    return new Promise((resolve, reject) => {
      const outgoing = startRequest({
        method,
        path,
        headers: { ...headers, ...(traceparent && { traceparent }), ...own },
        createConnection: () => socket,
        signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS),
      })
      outgoing.once('response', response => readAnswer(response).then(resolve, reject))
      outgoing.on('error', reject)
      outgoing.end(body)
    })
  }
}

async function readAnswer(response: IncomingMessage): Promise<PassedAnswer> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of response) {
    bytes += chunk.length
    if (bytes > ANSWER_MAX_BYTES) throw new Error('the answer of another server is too large')
    chunks.push(chunk)
  }
  const headers = ANSWER_HEADERS.flatMap(name => {
    const value = response.headers[name]
    return value === undefined ? [] : [[name, value] as const]
  })
  return {
    status: response.statusCode ?? UNAVAILABLE,
    headers: Object.fromEntries(headers),
    body: Buffer.concat(chunks).toString(),
  }
}
