import { once } from 'node:events'
import { withTimeout } from '@lectern/common'
import { seededRandom } from '@lectern/common/testing'
import {
  CONTROL_ERROR_CODES,
  closeCodes,
  LOGIN_ERROR_CODES,
  parseLoginResult,
  parseServerFrame,
} from '@lectern/protocol/control/client'
import { WebSocket } from 'ws'
import { type ConnectionState, join, login, STAGES, type Stage, sync, templates } from './malformed-frames.ts'
import { becomeGuest } from './members.ts'
import { mutate } from './mutate.ts'
import { controlUrl, loginFrame } from './raw-control.ts'

export interface MalformedRun {
  url: string
  /** A conference tag. */
  tag: string
  frames: number
  seed: number
  onProgress?: (sent: number) => void
}

const CONNECTIONS = 8
const RESPONSE_TIMEOUT_MS = 20_000
/** The WebSocket close code of a message above the transport limit (RFC 6455 7.4.1). */
const MESSAGE_TOO_BIG = 1009
const limits = { maxFrameBytes: 1_048_576 }

/**
 * Sends malformed frames at every stage of a connection, and counts the responses. Throws on any response that the
 * protocol does not define. The server's rate limits MUST be disabled.
 */
export async function runMalformed({
  url,
  tag,
  frames,
  seed,
  onProgress,
}: MalformedRun): Promise<Map<string, number>> {
  const responses = new Map<string, number>()
  let sent = 0
  const attack = async (attacker: number) => {
    const random = seededRandom(seed + attacker)
    const state = { account: await becomeGuest(url), tag } as ConnectionState
    const onResponse = (what: string) => responses.set(what, (responses.get(what) ?? 0) + 1)
    // Joins once, so that the frames of every stage refer to existing objects.
    await (await AttackedConnection.open(url, 'ready', `i.${attacker}`, state, onResponse)).close()
    while (sent < frames) {
      const stage = STAGES[Math.floor(random() * STAGES.length)] as Stage
      const target = await AttackedConnection.open(url, stage, `i.${attacker}`, state, onResponse)
      // A connection that is still open receives another frame.
      do {
        const list = templates[stage](state)
        const mutated = mutate(JSON.stringify(list[Math.floor(random() * list.length)]), random)
        await target.attack(mutated, random() < 0.02)
        if (++sent % 1000 === 0) onProgress?.(sent)
      } while (target.isOpen && sent < frames && random() < 0.98)
      await target.close()
    }
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, (_, attacker) => attack(attacker)))
  return responses
}

type Content = Record<string, unknown> & { error?: { code: string } }

/** A connection at a given stage. */
class AttackedConnection {
  readonly #socket: WebSocket
  readonly #stage: Stage
  readonly #onResponse: (what: string) => void
  readonly #closed: Promise<unknown>
  #onNextFrame: (content: Content) => void = () => {}
  #lastAttack = 'no attack yet'
  #fault: Error | null = null

  constructor(url: string, stage: Stage, onResponse: (what: string) => void) {
    this.#socket = new WebSocket(controlUrl(url), 'svc.control')
    this.#stage = stage
    this.#onResponse = onResponse
    this.#socket.on('message', data => this.#onMessage(String(data)))
    this.#closed = new Promise<void>(resolve =>
      this.#socket.on('close', (code, reason) => {
        this.#onClose(code, String(reason))
        resolve()
      }),
    )
  }

  static async open(
    url: string,
    stage: Stage,
    instance: string,
    state: ConnectionState,
    onResponse: (what: string) => void,
  ) {
    const target = new AttackedConnection(url, stage, onResponse)
    await once(target.#socket, 'open')
    await target.#reach(stage, instance, state)
    return target
  }

  get isOpen(): boolean {
    return this.#socket.readyState === WebSocket.OPEN
  }

  async attack(frame: string | Buffer, asBinary: boolean): Promise<void> {
    this.#lastAttack = typeof frame === 'string' ? frame.slice(0, 2000) : frame.toString('hex')
    const answer = new Promise(resolve => {
      this.#onNextFrame = resolve
    })
    this.#socket.send(frame, { binary: asBinary })
    // At later stages not every frame has a response; a ping after it does.
    const done = this.#stage === 'greeting' || this.#stage === 'logged-in' ? answer : this.#awaitPong()
    await withResponseTimeout(Promise.race([done, this.#closed]), () => `no answer to ${this.#lastAttack}`)
    if (this.#fault) throw this.#fault
  }

  async close(): Promise<void> {
    this.#socket.close(1000)
    await withResponseTimeout(this.#closed, () => `no close after ${this.#lastAttack}`)
    if (this.#fault) throw this.#fault
  }

  async #reach(stage: Stage, instance: string, state: ConnectionState): Promise<void> {
    if (stage === 'greeting') return
    await this.#request(stage === 'v1' ? loginFrame(state.account) : login(state))
    if (stage !== 'ready') return
    const ready = await this.#request(sync(instance))
    state.binding = ready.binding
    state.resumeToken = ready.resume_token as string
    const { data } = (await this.#request(join(state), 'data')) as { data: Record<string, string> }
    state.session = data.conference_session_id as string
    state.participant = data.participant_id as string
    state.streams = [data.stream as unknown as ConnectionState['streams'][0]]
  }

  /** Sends a frame; resolves with the next frame, or the next one with the given field. */
  #request(frame: object, field = ''): Promise<Content> {
    const answer = new Promise<Content>(resolve => {
      this.#onNextFrame = content => {
        if (!field || field in content) resolve(content)
      }
    })
    this.#socket.send(JSON.stringify(frame))
    return withResponseTimeout(answer, () => `no answer to ${JSON.stringify(frame)}`)
  }

  #awaitPong(): Promise<unknown> {
    if (this.isOpen) this.#socket.ping()
    return once(this.#socket, 'pong')
  }

  #onMessage(text: string): void {
    const frame = JSON.parse(text) as Record<string, Content>
    const [kind, content] = Object.entries(frame)[0] as [string, Content]
    const isV1 = this.#stage === 'v1' && kind !== 'login_result'
    if (isV1) this.#check('v1', (frame as Content).error)
    else if (kind === 'login_result') this.#check(kind, content.error, parseLoginResult(text, limits).ok)
    else this.#check(kind, content.error, parseServerFrame(text, limits).ok)
    this.#onNextFrame(isV1 ? (frame as Content) : content)
  }

  #check(kind: string, error: { code: string } | undefined, isWellFormed = true): void {
    const codes: readonly string[] = kind === 'login_result' ? LOGIN_ERROR_CODES : CONTROL_ERROR_CODES
    if (!isWellFormed) this.#fail(`a ${kind} of the wrong shape`)
    else if (error && !codes.includes(error.code)) this.#fail(`${kind} with ${error.code}`)
    else if (error) this.#onResponse(`${kind} ${error.code}`)
  }

  #onClose(code: number, reason: string): void {
    const reasons: Record<number, { reasons: readonly string[] }> = closeCodes
    const isDocumented = [1000, MESSAGE_TOO_BIG].includes(code) || reasons[code]?.reasons.includes(reason)
    if (isDocumented) this.#onResponse(`close ${code} ${reason}`)
    else this.#fail(`a close with ${code} ${reason}`)
  }

  #fail(what: string): void {
    this.#fault ??= new Error(`${this.#stage}: ${what} after ${this.#lastAttack}`)
  }
}

const withResponseTimeout = <T>(work: Promise<T>, what: () => string): Promise<T> =>
  withTimeout(work, RESPONSE_TIMEOUT_MS, () => new Error(what()))
