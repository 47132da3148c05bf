import {
  type ControlErrorCode,
  type ControlFrame,
  encodeFrame,
  type ParsedServerFrame,
  type ProtocolSelection,
  parseServerFrame,
} from '@lectern/protocol/control/client'
import type { DisconnectReason } from './disconnect-reason.ts'
import type { Environment } from './environment.ts'
import { type Credentials, type LoginOutcome, loginFrame, readLoginResult } from './login.ts'
import { type Destination, openWebSocket, type WebSocketTransport } from './web-socket-transport.ts'

export type ServerFrame = Exclude<ParsedServerFrame, { ok: false }>
export type Welcome = Extract<LoginOutcome, { is: 'welcome' }>

export interface ConnectionAttemptEvents {
  loggingIn(): void
  welcome(welcome: Welcome): void
  frame(frame: ServerFrame, text: string): void
  /** A frame or a ping arrived. */
  activity(): void
  /** The connection failed; the listener MUST close the attempt. */
  disconnected(reason: DisconnectReason): void
}

type Phase =
  | { is: 'fetching-token' }
  | { is: 'opening'; transport: WebSocketTransport }
  | { is: 'logging-in'; transport: WebSocketTransport }
  | { is: 'connected'; transport: WebSocketTransport; selection: ProtocolSelection }
  | { is: 'closed' }

/** One attempt to connect: fetches a token, opens a socket, logs in, and exchanges frames until it is closed. */
export class ConnectionAttempt {
  #phase: Phase = { is: 'fetching-token' }
  #env: Environment
  #to: Destination
  #events: ConnectionAttemptEvents

  constructor(env: Environment, to: Destination, events: ConnectionAttemptEvents) {
    this.#env = env
    this.#to = to
    this.#events = events
  }

  /** `credentials` is called once per attempt; null means that the user is signed out. */
  async start(credentials: () => Promise<Credentials | null>): Promise<void> {
    const fetched = await credentials().catch(() => 'failed' as const)
    if (this.#phase.is === 'closed') return
    if (fetched === 'failed') return this.#fail({ is: 'no-token' })
    if (!fetched) return this.#fail({ is: 'signed-out' })
    const transport = openWebSocket(this.#env.WebSocket, this.#to, {
      opened: () => {
        this.#phase = { is: 'logging-in', transport }
        transport.send(JSON.stringify(loginFrame(fetched)))
        this.#events.loggingIn()
      },
      received: text => this.#receive(text),
      pinged: () => this.#events.activity(),
      closed: (code, reason) => this.#fail({ is: 'closed', code, reason }),
    })
    this.#phase = { is: 'opening', transport }
  }

  /** Returns false when there is no connection. */
  send(frame: ControlFrame): boolean {
    if (this.#phase.is !== 'connected') return false
    this.#phase.transport.send(encodeFrame(frame))
    return true
  }

  /** Emits nothing afterwards. */
  close(code: number, reason: string): void {
    const phase = this.#phase
    this.#phase = { is: 'closed' }
    if ('transport' in phase) phase.transport.close(code, reason)
  }

  #receive(text: string): void {
    this.#events.activity()
    const phase = this.#phase
    if (phase.is === 'logging-in') this.#readLogin(text, phase.transport)
    else if (phase.is === 'connected') this.#readFrame(text, phase.selection)
  }

  #readFrame(text: string, { limits }: ProtocolSelection): void {
    const parsed = parseServerFrame(text, { maxFrameBytes: limits.max_frame_bytes })
    if (parsed.ok) this.#events.frame(parsed, text)
    else this.#reject(parsed.code)
  }

  #readLogin(text: string, transport: WebSocketTransport): void {
    const outcome = readLoginResult(text)
    if (outcome?.is === 'welcome') {
      this.#phase = { is: 'connected', transport, selection: outcome.selection }
      this.#events.welcome(outcome)
    } else if (outcome) this.#fail({ is: 'refused', code: outcome.code })
    else this.#reject('invalid_argument')
  }

  #reject(code: ControlErrorCode): void {
    this.#fail({ is: 'invalid-frame', code })
  }

  #fail(reason: DisconnectReason): void {
    if (this.#phase.is !== 'closed') this.#events.disconnected(reason)
  }
}
