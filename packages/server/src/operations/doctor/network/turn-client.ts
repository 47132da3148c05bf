import { createHash } from 'node:crypto'
import { lookup } from 'node:dns/promises'
import { answers, type Channel, type Destination, openChannel } from './channel.ts'
import { bindingRequest, type IceParameters } from './ice-check.ts'
import {
  ATTRIBUTE,
  type Attributes,
  CLASS,
  decode,
  encode,
  errorCodeOf,
  METHOD,
  newTransaction,
} from './stun.ts'

export interface TurnCredentials {
  username: string
  credential: string
}

/** The target of media through the TURN server; without `ice`, no packet is sent. */
export interface Peer {
  address: string
  port: number
  ice: IceParameters | null
}

const UDP_PROTOCOL = 17

/** A `turn:` or `turns:` address (RFC 7065). */
function destinationOf(url: string): Destination {
  const [, scheme, host = '', port, transport] =
    /^(turns?):(\[[^\]]+\]|[^:?]+)(?::(\d+))?(?:\?transport=(\w+))?$/i.exec(url) ?? []
  if (scheme === undefined) throw new Error('it is no TURN address')
  const isTls = scheme.toLowerCase() === 'turns'
  const stream = isTls ? 'tls' : 'tcp'
  return {
    host: host.replace(/^\[|\]$/g, ''),
    port: Number(port ?? (isTls ? 5349 : 3478)),
    transport: isTls || transport?.toLowerCase() === 'tcp' ? stream : 'udp',
  }
}

/** Allocates a relay as a browser does, and sends a packet to the peer and back. Rejects with what does not work. */
export async function tryTurn(
  url: string,
  credentials: TurnCredentials,
  peer: Peer | null,
  ca?: Buffer,
): Promise<void> {
  const channel = await openChannel({ ...destinationOf(url), ...(ca && { ca }) })
  try {
    await new TurnClient(channel, credentials).try(peer)
  } finally {
    channel.close()
  }
}

class TurnClient {
  readonly #channel: Channel
  readonly #credentials: TurnCredentials
  #realm = Buffer.alloc(0)
  #nonce = Buffer.alloc(0)

  constructor(channel: Channel, credentials: TurnCredentials) {
    this.#channel = channel
    this.#credentials = credentials
  }

  async try(peer: Peer | null): Promise<void> {
    const transport: Attributes = [[ATTRIBUTE.transport, Buffer.from([UDP_PROTOCOL, 0, 0, 0])]]
    const challenge = await this.#send(METHOD.allocate, transport, false)
    this.#realm = Buffer.from(challenge.attributes.get(ATTRIBUTE.realm) ?? '')
    this.#nonce = Buffer.from(challenge.attributes.get(ATTRIBUTE.nonce) ?? '')
    if (errorCodeOf(challenge) !== 401) throw new Error('it asks for no credentials')
    const allocated = errorCodeOf(await this.#send(METHOD.allocate, transport))
    if (allocated === 401) throw new Error('it refuses the credentials: its secret is another one')
    if (allocated !== 0) throw new Error(`it allocates no relay (error ${allocated})`)
    try {
      if (peer) await this.#relayTo(peer)
    } finally {
      await this.#send(METHOD.refresh, [[ATTRIBUTE.lifetime, Buffer.alloc(4)]]).catch(() => {}) // it ends by itself
    }
  }

  async #relayTo({ address, port, ice }: Peer): Promise<void> {
    const to = { address: (await lookup(address, { order: 'ipv4first' })).address, port }
    const permitted = errorCodeOf(await this.#send(METHOD.permit, [[ATTRIBUTE.peer, to]]))
    if (permitted !== 0) throw new Error(`it relays nothing to ${address} (error ${permitted})`)
    if (!ice) return
    const { bytes, isAnswer } = bindingRequest(ice)
    const wrapped = encode(METHOD.send | CLASS.indication, newTransaction(), [
      [ATTRIBUTE.peer, to],
      [ATTRIBUTE.data, bytes],
    ])
    const isRelayedAnswer = (message: { attributes: Map<number, Buffer> }) => {
      const inner = decode(message.attributes.get(ATTRIBUTE.data) ?? Buffer.alloc(0))
      return inner !== null && isAnswer(inner)
    }
    await this.#channel.request(wrapped, isRelayedAnswer).catch(() => {
      throw new Error(`a packet through it to ${address}:${port} is not answered`)
    })
  }

  /** Long-term credentials (RFC 8489, section 9.2). */
  #send(method: number, attributes: Attributes, isAuthenticated = true) {
    const transaction = newTransaction()
    const { username, credential } = this.#credentials
    const own: Attributes = [
      [ATTRIBUTE.username, username],
      [ATTRIBUTE.realm, this.#realm],
      [ATTRIBUTE.nonce, this.#nonce],
    ]
    const key = createHash('md5').update(`${username}:${this.#realm}:${credential}`).digest()
    const bytes = isAuthenticated
      ? encode(method, transaction, [...attributes, ...own], key)
      : encode(method, transaction, attributes)
    return this.#channel.request(bytes, answers(transaction))
  }
}
