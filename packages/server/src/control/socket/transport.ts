import type { CloseCode, CloseReason } from '@lectern/protocol/control'
import type { Clock } from '../../platform/clock.ts'
import { newId } from '../ids.ts'
import type { FrameBudget } from '../limits/account-budgets.ts'
import {
  CLOSE_TIMEOUT_MS,
  HEARTBEAT_TIMEOUT_MS,
  LOSSY_SEND_BUFFER_MAX_BYTES,
  PING_INTERVAL_MS,
  SEND_BUFFER_MAX_BYTES,
} from '../limits/constants.ts'
import type { Socket } from '../ports.ts'

/** One socket from its opening to its end: sends, notices a client that is slow or silent, and closes. */
export class WebSocketTransport {
  readonly id = newId('t')
  readonly address: string
  /** The region of the client; undefined: that of this server. */
  readonly region: string | undefined
  readonly openedAtMs: number
  readonly frameBudget: FrameBudget
  /** Why we closed it, if it was us. */
  closedWith: CloseReason | null = null
  readonly #socket: Socket
  readonly #clock: Clock
  #lastReceivedAtMs: number
  #lastPingAtMs: number
  #lastSentAtMs: number
  #closedAtMs: number | null = null
  #sentLength = 0
  #hasVanished = false

  constructor(socket: Socket, address: string, clock: Clock, frameBudget: FrameBudget) {
    this.address = address
    this.region = socket.region
    this.#socket = socket
    this.#clock = clock
    this.openedAtMs = clock()
    this.#lastReceivedAtMs = this.openedAtMs
    this.#lastPingAtMs = this.openedAtMs
    this.#lastSentAtMs = this.openedAtMs
    this.frameBudget = frameBudget
  }

  /** Whether the other side was silent until its time was over, instead of closing the connection. */
  get hasVanished(): boolean {
    return this.#hasVanished
  }

  get isClosing(): boolean {
    return this.#closedAtMs !== null
  }

  get lastSentAtMs(): number {
    return this.#lastSentAtMs
  }

  /** Characters of all frames that were sent, which are nearly as many bytes. */
  get sentLength(): number {
    return this.#sentLength
  }

  send(frame: string): void {
    if (this.isClosing) return
    // Frames that a client does not read stay in our memory.
    if (this.#socket.bufferedAmount > SEND_BUFFER_MAX_BYTES) {
      this.close(4429, 'slow_reader')
      return
    }
    this.#lastSentAtMs = this.#clock()
    this.#sentLength += frame.length
    this.#socket.send(frame)
  }

  /** A frame that may be lost is not sent to a client that is behind already. */
  sendLossy(frame: string): void {
    if (this.#socket.bufferedAmount <= LOSSY_SEND_BUFFER_MAX_BYTES) this.send(frame)
  }

  get bufferedBytes(): number {
    return this.#socket.bufferedAmount
  }

  onActivity(): void {
    this.#lastReceivedAtMs = this.#clock()
  }

  /** The first reason counts. */
  close<C extends CloseCode>(code: C, reason: CloseReason<C>): void {
    if (this.isClosing) return
    this.#closedAtMs = this.#clock()
    this.closedWith = reason
    this.#socket.close(code, reason)
  }

  /** Without a word: there is no time for one. */
  terminate(): void {
    this.#closedAtMs ??= this.#clock()
    this.#socket.terminate()
  }

  /** MUST be called about every second. */
  tick(): void {
    const now = this.#clock()
    if (this.#closedAtMs !== null) {
      if (now - this.#closedAtMs > CLOSE_TIMEOUT_MS) this.#socket.terminate()
    } else if (now - this.#lastReceivedAtMs > HEARTBEAT_TIMEOUT_MS) {
      this.#hasVanished = true
      this.close(4408, 'heartbeat_timeout')
    } else if (now - this.#lastPingAtMs >= PING_INTERVAL_MS) {
      this.#lastPingAtMs = now
      this.#socket.ping()
    }
  }
}
