/** The interface of the platform. Tests pass a fake. */
export interface Environment {
  WebSocket: WebSocketConstructor
  /** Milliseconds; only differences matter. */
  now(): number
  /** Runs `run` once, after `ms`. Returns a function that cancels it. */
  after(ms: number, run: () => void): () => void
  /** At least 0 and less than 1. */
  random(): number
}

/**
 * The part of a WebSocket that the client uses. Handlers are `unknown` because browsers and `ws` give their events
 * different types; only web-socket-transport.ts sets them.
 */
export interface WebSocketLike {
  onopen: unknown
  onmessage: unknown
  onclose: unknown
  onerror: unknown
  send(text: string): void
  close(code?: number, reason?: string): void
}
export type WebSocketConstructor = new (url: string, protocols: string[]) => WebSocketLike

/** The common part of browsers and Node. */
interface Platform {
  WebSocket?: WebSocketConstructor
  crypto: { getRandomValues(into: Uint32Array<ArrayBuffer>): Uint32Array }
  setTimeout(run: () => void, ms: number): unknown
  clearTimeout(timer: unknown): void
}

/** `WebSocket` replaces the platform's own, e.g. by the one of the `ws` package. */
export function platformEnvironment(WebSocket?: WebSocketConstructor): Environment {
  const platform = globalThis as unknown as Platform
  const socketClass = WebSocket ?? platform.WebSocket
  if (!socketClass)
    throw new TypeError('This platform has no WebSocket; pass the WebSocket class of the ws package')
  return {
    WebSocket: socketClass,
    now: () => Date.now(),
    after(ms, run) {
      const timer = platform.setTimeout(run, ms)
      return () => platform.clearTimeout(timer)
    },
    random: drawFrom(platform.crypto),
  }
}

/** Numbers that are asked of the system at a time: asking takes 30 times as long as a number. */
const DRAWN_AT_ONCE = 64

function drawFrom(crypto: Platform['crypto']): () => number {
  const numbers = new Uint32Array(DRAWN_AT_ONCE)
  let used = DRAWN_AT_ONCE
  return () => {
    if (used === DRAWN_AT_ONCE) {
      crypto.getRandomValues(numbers)
      used = 0
    }
    return (numbers[used++] ?? 0) / 2 ** 32
  }
}

/** Throws in the constructor rather than at the first attempt (rule C28). */
export function checkUrl(url: string): void {
  const { protocol, hash } = new URL(url)
  if (!['ws:', 'wss:'].includes(protocol) || hash)
    throw new TypeError('The address must begin with ws: or wss: and have no fragment')
}

/** A unique id in the form of the protocol: 30 random characters. */
export function newId({ random }: Pick<Environment, 'random'>): string {
  return Array.from({ length: 30 }, () => Math.floor(random() * 36).toString(36)).join('')
}
