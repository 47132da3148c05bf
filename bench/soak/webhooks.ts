import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { verifyWebhook, type WebhookEvent } from '@lectern/partner'
import type { Progress } from './progress.ts'

const SECRET = 'a secret of some length'
/** Of so many events, the first delivery of one is refused, and repeated by the server. */
const REFUSED_OF = 5

type Ready = Extract<WebhookEvent, { type: 'recording.ready' | 'transcription.ready' }>

/** The partner's backend: receives webhooks, and remembers which events each room has. */
export class WebhookReceiver {
  readonly #server: Server
  readonly #progress: Progress
  readonly #events = new Map<string, Map<string, Ready>>()
  readonly #refused = new Set<string>()
  #attempts = 0

  private constructor(progress: Progress) {
    this.#progress = progress
    this.#server = createServer((request, response) => {
      const respond = (status: number) => void response.writeHead(status).end()
      buffer(request).then(
        body => respond(this.#receive(body, request.headers)),
        () => respond(400),
      )
    })
  }

  static async open(progress: Progress): Promise<WebhookReceiver> {
    const receiver = new WebhookReceiver(progress)
    await new Promise<void>(done => receiver.#server.listen(0, '127.0.0.1', done))
    return receiver
  }

  get webhook() {
    const { port } = this.#server.address() as AddressInfo
    return { url: `http://127.0.0.1:${port}/hook`, secret: SECRET }
  }

  /** The distinct events of a room with this type. */
  of<T extends Ready['type']>(tag: string, type: T): Extract<Ready, { type: T }>[] {
    const events = [...(this.#events.get(tag)?.values() ?? [])]
    return events.filter((event): event is Extract<Ready, { type: T }> => event.type === type)
  }

  close(): void {
    this.#server.closeAllConnections()
    this.#server.close()
  }

  #receive(rawBody: Buffer, headers: NodeJS.Dict<string | string[]>): number {
    let event: WebhookEvent
    try {
      event = verifyWebhook({ rawBody, headers, secret: SECRET })
    } catch (error) {
      this.#progress.failed('webhook', error)
      return 400
    }
    if (!this.#refused.has(event.id) && this.#attempts++ % REFUSED_OF === 0) {
      this.#refused.add(event.id)
      this.#progress.count('refusedWebhooks')
      return 503
    }
    this.#progress.count('webhooks')
    if (event.type === 'recording.ready' || event.type === 'transcription.ready') this.#remember(event)
    return 204
  }

  #remember(event: Ready): void {
    const { tag } = event.data.room
    const events = this.#events.get(tag) ?? new Map<string, Ready>()
    this.#events.set(tag, events.set(event.id, event))
  }
}
