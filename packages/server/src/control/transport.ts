import type { CloseCode, CloseReason } from '@lectern/protocol/control'
import type { Clock } from '../clock.ts'
import type { FrameAllowance } from './frame-limiter.ts'
import { newId } from './ids.ts'
import { BUFFERED_LOSSY, BUFFERED_MAX, CLOSE_WITHIN_MS, HEARD_WITHIN_MS, PING_EVERY_MS } from './limits.ts'
import type { Socket } from './ports.ts'

/** One socket from its opening to its end: sends, notices a client that is slow or silent, and closes. */
export class Transport {
  readonly id = newId('t')
  readonly address: string
  readonly openedAtMs: number
  readonly allowance: FrameAllowance
  /** Why we closed it, if it was us. */
  closedWith: CloseReason | null = null
  readonly #socket: Socket
  readonly #clock: Clock
  #heardAtMs: number
  #pingedAtMs: number
  #saidAtMs: number
  #closedAtMs: number | null = null
  #sentLength = 0

  constructor(socket: Socket, address: string, clock: Clock, allowance: FrameAllowance) {
    this.address = address
    this.#socket = socket
    this.#clock = clock
    this.openedAtMs = clock()
    this.#heardAtMs = this.openedAtMs
    this.#pingedAtMs = this.openedAtMs
    this.#saidAtMs = this.openedAtMs
    this.allowance = allowance
  }

  get isClosing(): boolean {
    return this.#closedAtMs !== null
  }

  get saidAtMs(): number {
    return this.#saidAtMs
  }

  /** Characters of all frames that were sent, which are nearly as many bytes. */
  get sentLength(): number {
    return this.#sentLength
  }

  send(frame: string): void {
    if (this.isClosing) return
    // What a reader does not take stays in our memory.
    if (this.#socket.bufferedAmount > BUFFERED_MAX) {
      this.close(4429, 'slow_reader')
      return
    }
    this.#saidAtMs = this.#clock()
    this.#sentLength += frame.length
    this.#socket.send(frame)
  }

  /** What nobody misses is not sent to a reader that is behind already. */
  sendLossy(frame: string): void {
    if (this.#socket.bufferedAmount <= BUFFERED_LOSSY) this.send(frame)
  }

  heard(): void {
    this.#heardAtMs = this.#clock()
  }

  /** The first reason counts. */
  close<C extends CloseCode>(code: C, reason: CloseReason<C>): void {
    if (this.isClosing) return
    this.#closedAtMs = this.#clock()
    this.closedWith = reason
    this.#socket.close(code, reason)
  }

  /** Without a word: there is no time for one. */
  cut(): void {
    this.#closedAtMs ??= this.#clock()
    this.#socket.terminate()
  }

  /** To be called every second or so. */
  tick(): void {
    const now = this.#clock()
    if (this.#closedAtMs !== null) {
      if (now - this.#closedAtMs > CLOSE_WITHIN_MS) this.#socket.terminate()
    } else if (now - this.#heardAtMs > HEARD_WITHIN_MS) this.close(4408, 'heartbeat_timeout')
    else if (now - this.#pingedAtMs >= PING_EVERY_MS) {
      this.#pingedAtMs = now
      this.#socket.ping()
    }
  }
}
