import type { WebSocketConstructor, WebSocketLike } from './environment.ts'

const SUBPROTOCOL = 'svc.control'

/** One WebSocket, from opening to closing. */
export interface Line {
  send(text: string): void
  /** Nothing is reported afterwards. */
  close(code: number, reason: string): void
}

export interface LineEvents {
  opened(): void
  received(text: string): void
  /** A ping of the server, where the platform shows it: `ws` does, browsers do not. */
  pinged(): void
  closed(code: number, reason: string): void
}

type ShowsPings = WebSocketLike & { on?: (event: 'ping', listener: () => void) => void }

export function openLine(WebSocket: WebSocketConstructor, url: string, events: LineEvents): Line {
  const socket: ShowsPings = new WebSocket(url, [SUBPROTOCOL])
  let over = false
  const unlessOver = (report: () => void) => {
    if (!over) report()
  }
  socket.onopen = () => unlessOver(() => events.opened())
  // Every frame of the server is text; anything else reads as a wrong frame.
  socket.onmessage = ({ data }: { data: unknown }) =>
    unlessOver(() => events.received(typeof data === 'string' ? data : ''))
  socket.onclose = ({ code, reason }: { code: number; reason: string }) =>
    unlessOver(() => {
      over = true
      events.closed(code, reason)
    })
  // A close event follows every error, but ws throws where nobody listens.
  socket.onerror = () => {}
  socket.on?.('ping', () => unlessOver(() => events.pinged()))

  return {
    send: text => unlessOver(() => socket.send(text)),
    close: (code, reason) =>
      unlessOver(() => {
        over = true
        socket.close(code, reason)
      }),
  }
}
