import type { WebSocketConstructor, WebSocketLike } from './environment.ts'

const SUBPROTOCOL = 'svc.control'

export interface Destination {
  url: string
  /** The conference that the connection is for, by which servers find the one that runs it. */
  conference?: string | undefined
}

/** One WebSocket with typed events, from opening to closing. */
export interface WebSocketTransport {
  send(text: string): void
  /** Emits nothing afterwards. */
  close(code: number, reason: string): void
}

export interface WebSocketTransportEvents {
  opened(): void
  received(text: string): void
  /** A ping of the server. Only `ws` reports pings; browsers do not. */
  pinged(): void
  closed(code: number, reason: string): void
}

type SocketWithPings = WebSocketLike & { on?: (event: 'ping', listener: () => void) => void }

export function openWebSocket(
  WebSocket: WebSocketConstructor,
  { url, conference }: Destination,
  events: WebSocketTransportEvents,
): WebSocketTransport {
  const socket: SocketWithPings = new WebSocket(url, [
    SUBPROTOCOL,
    ...(conference === undefined ? [] : [`room.${conference}`]),
  ])
  let isClosed = false
  const unlessClosed = (emit: () => void) => {
    if (!isClosed) emit()
  }
  socket.onopen = () => unlessClosed(() => events.opened())
  // The server sends text frames only; a binary frame is passed on as an invalid one.
  socket.onmessage = ({ data }: { data: unknown }) =>
    unlessClosed(() => events.received(typeof data === 'string' ? data : ''))
  socket.onclose = ({ code, reason }: { code: number; reason: string }) =>
    unlessClosed(() => {
      isClosed = true
      events.closed(code, reason)
    })
  // A close event follows every error, but `ws` throws an error that has no listener.
  socket.onerror = () => {}
  socket.on?.('ping', () => unlessClosed(() => events.pinged()))

  return {
    send: text => unlessClosed(() => socket.send(text)),
    close: (code, reason) =>
      unlessClosed(() => {
        isClosed = true
        socket.close(code, reason)
      }),
  }
}
