import type { WebSocketConstructor, WebSocketLike } from '@lectern/control-client'
import type { ControlServer } from '../../control/control-server.ts'
import type { Socket, SocketEvents } from '../../control/ports.ts'

type Handler = ((event: object) => void) | null

/** Closed without a word, as when the network breaks. */
const ABNORMAL_CLOSURE = 1006

/**
 * WebSockets to the control channel of this process, for clients that speak HTTP: limits see the address of the client.
 * Frames are delivered in order and never within the call that sends them.
 */
export function inProcessSockets(
  control: Pick<ControlServer, 'accept'>,
  address: string,
): WebSocketConstructor {
  return class implements WebSocketLike {
    onopen: unknown = null
    onmessage: unknown = null
    onclose: unknown = null
    onerror: unknown = null
    readonly #events: SocketEvents
    #pinged = () => {}
    #isClosed = false

    constructor() {
      const socket: Socket = {
        bufferedAmount: 0, // what is sent is received at once
        send: frame => this.#later(() => this.#emit(this.onmessage, { data: frame })),
        ping: () => this.#later(() => this.#pong()),
        close: (code, reason) => queueMicrotask(() => this.#end(code, reason)),
        terminate: () => queueMicrotask(() => this.#end(ABNORMAL_CLOSURE, '')),
      }
      this.#events = control.accept(socket, address)
      this.#later(() => this.#emit(this.onopen, {}))
    }

    on(_event: 'ping', listener: () => void): void {
      this.#pinged = listener
    }

    send(text: string): void {
      this.#later(() => this.#events.onFrame(Buffer.from(text)))
    }

    close(code = 1000, reason = ''): void {
      queueMicrotask(() => this.#end(code, reason))
    }

    #later(run: () => void): void {
      queueMicrotask(() => {
        if (!this.#isClosed) run()
      })
    }

    #pong(): void {
      this.#events.onPing()
      this.#pinged()
    }

    #end(code: number, reason: string): void {
      if (this.#isClosed) return
      this.#isClosed = true
      this.#events.onClose(code)
      this.#emit(this.onclose, { code, reason })
    }

    #emit(handler: unknown, event: object): void {
      ;(handler as Handler)?.(event)
    }
  }
}
