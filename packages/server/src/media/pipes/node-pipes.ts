import { randomUUID } from 'node:crypto'
import type { Logger } from 'pino'
import { deliver, forAMinute } from './deliver.ts'
import { isRequest, type PipeNotice, type PipeRequest, parse } from './node-protocol.ts'
import type {
  NodeMessages,
  PipeAddress,
  PipedTrack,
  PipedTrackEvent,
  PipeOrigin,
  PipeSender,
} from './ports.ts'
import { RemoteSender } from './remote-sender.ts'

export interface NodePipesParts {
  messages: NodeMessages
  /** Opens the sending end of a link from a router of a room; null when there is no such router. */
  open(sessionId: number, routerId: string, receiver: PipeAddress): Promise<PipeSender> | null
  log: Logger
}

/** Links that one other node may have here: with 16 workers on each side a room has 256. */
const MAX_LINKS_PER_NODE = 4_096

/** Links between routers of this node and of others: the sending ends for them, and the links from them. */
export class NodePipes {
  readonly #parts: NodePipesParts
  /** Sending ends here, by node, then by link. Null while one is being opened. */
  readonly #sending = new Map<string, Map<string, PipeSender | null>>()
  /** Links from other nodes, by id. */
  readonly #receiving = new Map<string, RemoteSender>()

  constructor(parts: NodePipesParts) {
    this.#parts = parts
  }

  /** A router of a room on another node. */
  origin(nodeId: string, sessionId: number, routerId: string): PipeOrigin {
    const connect = async (receiver: PipeAddress): Promise<PipeSender> => {
      const link = randomUUID()
      const sender = new RemoteSender(nodeId, link, this.#parts.messages, () => this.#receiving.delete(link))
      this.#receiving.set(link, sender)
      return sender.connect(sessionId, routerId, receiver)
    }
    return { id: `${nodeId}/${routerId}`, isRemote: true, connect }
  }

  /** A request of another node, which is answered, or a notice. */
  async handle(from: string, message: unknown): Promise<PipeAddress | PipedTrack | null> {
    if (isRequest(message)) return this.handleRequest(from, message)
    this.handleNotice(from, message)
    return null
  }

  /** Answers a request of another node. */
  async handleRequest(from: string, message: unknown): Promise<PipeAddress | PipedTrack> {
    const request = parse('request', message)
    if (request.do === 'connect') return this.#connect(from, request)
    const { link, producer } = request
    const sender = this.#sending.get(from)?.get(link)
    if (!sender) throw new Error('no such link')
    let latest: PipedTrackEvent | null = null
    return sender.send(producer, event => {
      latest = event
      const isTrue = () => latest === event && this.#sending.get(from)?.get(link) === sender
      void deliver(this.#parts.messages, from, { do: 'changed', link, producer, event }, isTrue)
    })
  }

  /** Malformed notices are logged and ignored. */
  handleNotice(from: string, message: unknown): void {
    try {
      this.#apply(from, parse('notice', message))
    } catch (error) {
      this.#parts.log.warn({ err: error, from }, 'a malformed notice of another media node was ignored')
    }
  }

  /** The node is gone: closes all links with it. */
  removeNode(nodeId: string): void {
    for (const sender of this.#sending.get(nodeId)?.values() ?? []) sender?.close()
    this.#sending.delete(nodeId)
    for (const sender of [...this.#receiving.values()]) if (sender.nodeId === nodeId) sender.handleClosed()
  }

  /** Links with other nodes. */
  get size(): { sending: number; receiving: number } {
    let sending = 0
    for (const links of this.#sending.values()) sending += links.size
    return { sending, receiving: this.#receiving.size }
  }

  async #connect(from: string, request: Extract<PipeRequest, { do: 'connect' }>): Promise<PipeAddress> {
    const { link, session_id, router, receiver } = request
    const links = this.#sending.get(from) ?? new Map<string, PipeSender | null>()
    if (links.has(link)) throw new Error('the link exists')
    if (links.size >= MAX_LINKS_PER_NODE) throw new Error('too many links')
    this.#sending.set(from, links.set(link, null))
    try {
      const sender = await this.#parts.open(session_id, router, receiver)
      if (!sender) throw new Error('no such router')
      if (this.#sending.get(from) !== links || !links.has(link)) {
        sender.close()
        throw new Error('the link was closed meanwhile')
      }
      links.set(link, sender)
      sender.onClosed(() => {
        this.#drop(from, link)
        void deliver(this.#parts.messages, from, { do: 'closed', link }, forAMinute())
      })
      return sender.address
    } catch (error) {
      this.#drop(from, link)
      throw error
    }
  }

  #drop(nodeId: string, link: string): void {
    const links = this.#sending.get(nodeId)
    if (links?.delete(link) && links.size === 0) this.#sending.delete(nodeId)
  }

  #apply(from: string, notice: PipeNotice): void {
    const { link } = notice
    const sending = this.#sending.get(from)?.get(link)
    const receiving = this.#receiving.get(link)
    const received = receiving?.nodeId === from ? receiving : null
    if (notice.do === 'stop') sending?.stop(notice.producer)
    if (notice.do === 'changed') received?.handleChange(notice.producer, notice.event)
    if (notice.do === 'closed') received?.handleClosed()
    if (notice.do === 'close') {
      this.#drop(from, link)
      sending?.close()
    }
  }
}
