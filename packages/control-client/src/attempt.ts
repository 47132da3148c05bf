import {
  type ControlErrorCode,
  type ControlFrame,
  encodeFrame,
  type ParsedServerFrame,
  type ProtocolSelection,
  parseServerFrame,
} from '@lectern/protocol/control/client'
import type { Environment } from './environment.ts'
import { type Line, openLine } from './line.ts'
import { type Credentials, type LoginAnswer, loginFrame, readLoginAnswer } from './login.ts'
import type { Loss } from './loss.ts'

export type ServerFrame = Exclude<ParsedServerFrame, { ok: false }>
export type Welcome = Extract<LoginAnswer, { is: 'welcome' }>

export interface AttemptEvents {
  loggingIn(): void
  welcome(welcome: Welcome): void
  frame(frame: ServerFrame, text: string): void
  /** The server gave a sign of life, be it a frame or a ping. */
  alive(): void
  /** The connection is to be given up; whoever hears this closes the attempt. */
  lost(loss: Loss): void
}

type Phase =
  | { is: 'asking-token' }
  | { is: 'opening'; line: Line }
  | { is: 'logging-in'; line: Line }
  | { is: 'talking'; line: Line; selection: ProtocolSelection }
  | { is: 'over' }

/** One try at a connection: a token, a socket, a login, and then frames until it is over. */
export class Attempt {
  #phase: Phase = { is: 'asking-token' }
  #env: Environment
  #url: string
  #events: AttemptEvents

  constructor(env: Environment, url: string, events: AttemptEvents) {
    this.#env = env
    this.#url = url
    this.#events = events
  }

  /** `credentials` is asked anew for every attempt; null means that the user is signed out. */
  async start(credentials: () => Promise<Credentials | null>): Promise<void> {
    const answer = await credentials().catch(() => 'failed' as const)
    if (this.#phase.is === 'over') return
    if (answer === 'failed') return this.#lose({ is: 'no-token' })
    if (!answer) return this.#lose({ is: 'signed-out' })
    const line = openLine(this.#env.WebSocket, this.#url, {
      opened: () => {
        this.#phase = { is: 'logging-in', line }
        line.send(JSON.stringify(loginFrame(answer)))
        this.#events.loggingIn()
      },
      received: text => this.#receive(text),
      pinged: () => this.#events.alive(),
      closed: (code, reason) => this.#lose({ is: 'closed', code, reason }),
    })
    this.#phase = { is: 'opening', line }
  }

  /** False when there is no connection to send it on. */
  send(frame: ControlFrame): boolean {
    if (this.#phase.is !== 'talking') return false
    this.#phase.line.send(encodeFrame(frame))
    return true
  }

  /** Nothing is reported afterwards. */
  close(code: number, reason: string): void {
    const phase = this.#phase
    this.#phase = { is: 'over' }
    if ('line' in phase) phase.line.close(code, reason)
  }

  #receive(text: string): void {
    this.#events.alive()
    const phase = this.#phase
    if (phase.is === 'logging-in') this.#readLogin(text, phase.line)
    else if (phase.is === 'talking') this.#readFrame(text, phase.selection)
  }

  #readFrame(text: string, { limits }: ProtocolSelection): void {
    const read = parseServerFrame(text, { maxFrameBytes: limits.max_frame_bytes })
    if (read.ok) this.#events.frame(read, text)
    else this.#reject(read.code)
  }

  #readLogin(text: string, line: Line): void {
    const answer = readLoginAnswer(text)
    if (answer?.is === 'welcome') {
      this.#phase = { is: 'talking', line, selection: answer.selection }
      this.#events.welcome(answer)
    } else if (answer) this.#lose({ is: 'refused', code: answer.code })
    else this.#reject('invalid_argument')
  }

  #reject(code: ControlErrorCode): void {
    this.#lose({ is: 'wrong-frame', code })
  }

  #lose(loss: Loss): void {
    if (this.#phase.is !== 'over') this.#events.lost(loss)
  }
}
