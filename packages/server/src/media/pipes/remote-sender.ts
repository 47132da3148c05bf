import { deliver, forAMinute } from './deliver.ts'
import { type PipeRequest, parse } from './node-protocol.ts'
import type { NodeMessages, PipeAddress, PipedTrack, PipedTrackEvent, PipeSender } from './ports.ts'

/** The sending end of a link on another node. */
export class RemoteSender implements PipeSender {
  readonly nodeId: string
  readonly #link: string
  readonly #messages: NodeMessages
  /** By producer. */
  readonly #listeners = new Map<string, (event: PipedTrackEvent) => void>()
  readonly #onClosed: (() => void)[]
  #address: PipeAddress | null = null
  #closed = false

  constructor(nodeId: string, link: string, messages: NodeMessages, onClosed: () => void) {
    this.nodeId = nodeId
    this.#link = link
    this.#messages = messages
    this.#onClosed = [onClosed]
  }

  async connect(session_id: number, router: string, receiver: PipeAddress): Promise<this> {
    try {
      const request: PipeRequest = {
        do: 'connect',
        link: this.#link,
        session_id,
        router,
        receiver: parse('address', receiver),
      }
      this.#address = parse('address', await this.#messages.request(this.nodeId, request))
      if (this.#closed) throw new Error('the link was closed meanwhile')
      return this
    } catch (error) {
      this.close()
      throw error
    }
  }

  get address(): PipeAddress {
    if (!this.#address) throw new Error('connect first')
    return this.#address
  }

  async send(producer: string, onEvent: (event: PipedTrackEvent) => void): Promise<PipedTrack> {
    this.#listeners.set(producer, onEvent)
    try {
      const answer = await this.#messages.request(this.nodeId, { do: 'send', link: this.#link, producer })
      return parse('track', answer)
    } catch (error) {
      this.stop(producer)
      throw error
    }
  }

  stop(producer: string): void {
    const isTrue = () => !this.#closed && !this.#listeners.has(producer)
    if (this.#listeners.delete(producer))
      void deliver(this.#messages, this.nodeId, { do: 'stop', link: this.#link, producer }, isTrue)
  }

  onClosed(listener: () => void): void {
    if (this.#closed) listener()
    else this.#onClosed.push(listener)
  }

  close(): void {
    if (this.#closed) return
    void deliver(this.#messages, this.nodeId, { do: 'close', link: this.#link }, forAMinute())
    this.handleClosed()
  }

  handleChange(producer: string, event: PipedTrackEvent): void {
    this.#listeners.get(producer)?.(event)
  }

  handleClosed(): void {
    if (this.#closed) return
    this.#closed = true
    for (const listener of this.#onClosed.splice(0)) listener()
  }
}
