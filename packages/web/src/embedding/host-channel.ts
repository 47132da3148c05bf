import type { Lifetime } from '@lectern/common'
import {
  type Command,
  type CommandError,
  type FrameMessage,
  parseHostMessage,
  type RoomEvent,
} from '@lectern/embed/messages'

/** The messages of the embedding page that are handled at once, and after that each second. */
const BURST = 40
const PER_SECOND = 10

interface Host {
  postMessage(message: unknown, targetOrigin: string): void
}

interface Options {
  /** The window of the embedding page. */
  host: Host
  /** This window. */
  frame: Pick<Window, 'addEventListener' | 'removeEventListener'>
  isAllowed: (origin: string) => boolean
  /** The events so far, for a page that connects. */
  onConnect: () => RoomEvent[]
  execute: (command: Command, origin: string) => Promise<CommandError | null>
  /** Milliseconds. */
  now?: () => number
}

/**
 * Messages with the page that embeds this one. It is believed only if its window is the parent and its origin is allowed;
 * events are sent to that origin only. Malformed messages are dropped. In a flood, commands are refused instead, so that their
 * callers do not wait for ever.
 */
export class HostChannel {
  readonly #options: Options
  readonly #now: () => number
  /** The origin that has connected. */
  #origin: string | null = null
  #tokens = BURST
  #countedAt: number

  constructor(options: Options, lifetime: Lifetime) {
    this.#options = options
    this.#now = options.now ?? (() => performance.now())
    this.#countedAt = this.#now()
    const { frame, host } = options
    frame.addEventListener('message', this.#receive)
    lifetime.defer(() => frame.removeEventListener('message', this.#receive))
    // To any origin: it says nothing, and the origin is not known yet.
    host.postMessage({ lectern: 1, type: 'ready' } satisfies FrameMessage, '*')
  }

  send(event: RoomEvent): void {
    this.#post({ lectern: 1, type: 'event', event })
  }

  readonly #receive = ({ source, origin, data }: MessageEvent): void => {
    const { host, isAllowed } = this.#options
    if ((source as unknown) !== host || !isAllowed(origin)) return
    const isHandled = this.#takeToken()
    const message = parseHostMessage(data)
    if (message?.type === 'connect' && isHandled) this.#connect(origin)
    if (message?.type !== 'command' || origin !== this.#origin) return
    if (isHandled) void this.#execute(message.id, message.command, origin)
    else this.#answer(message.id, 'busy')
  }

  #connect(origin: string): void {
    this.#origin = origin
    for (const event of this.#options.onConnect()) this.send(event)
  }

  async #execute(id: number, command: Command, origin: string): Promise<void> {
    this.#answer(id, await this.#options.execute(command, origin))
  }

  #answer(id: number, error: CommandError | null): void {
    this.#post({ lectern: 1, type: 'result', id, error })
  }

  #post(message: FrameMessage): void {
    if (this.#origin !== null) this.#options.host.postMessage(message, this.#origin)
  }

  #takeToken(): boolean {
    const now = this.#now()
    this.#tokens = Math.min(BURST, this.#tokens + ((now - this.#countedAt) / 1000) * PER_SECOND)
    this.#countedAt = now
    if (this.#tokens < 1) return false
    this.#tokens--
    return true
  }
}
