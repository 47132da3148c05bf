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
import { join, type Known, login, STAGES, type Stage, sync, templates } from './malformed-frames.ts'
import { becomeGuest } from './members.ts'
import { mutate } from './mutate.ts'
import { controlUrl, loginFrame } from './raw-control.ts'

export interface MalformedRun {
  url: string
  /** Of a conference, without its session. */
  tag: string
  frames: number
  seed: number
  onProgress: (sent: number) => void
}

const CONNECTIONS = 8
const ANSWER_WITHIN_MS = 20_000
/** The transport's own: a frame so long that it is cut off while it arrives. */
const CUT_OFF = 1009
const limits = { maxFrameBytes: 1_048_576 }

/**
 * Sends malformed frames at every stage of a connection, and counts what came back. Throws at anything that the
 * protocol does not list. The server's limits must be off.
 */
export async function runMalformed({
  url,
  tag,
  frames,
  seed,
  onProgress,
}: MalformedRun): Promise<Map<string, number>> {
  const answers = new Map<string, number>()
  let sent = 0
  const attack = async (attacker: number) => {
    const random = seededRandom(seed + attacker)
    const known = { account: await becomeGuest(url), tag } as Known
    const heard = (what: string) => answers.set(what, (answers.get(what) ?? 0) + 1)
    // Once inside, so that frames of every stage have something to speak of.
    await (await Target.open(url, 'ready', `i.${attacker}`, known, heard)).close()
    while (sent < frames) {
      const stage = STAGES[Math.floor(random() * STAGES.length)] as Stage
      const target = await Target.open(url, stage, `i.${attacker}`, known, heard)
      // Those that survive a frame get another one.
      do {
        const list = templates[stage](known)
        const spoilt = mutate(JSON.stringify(list[Math.floor(random() * list.length)]), random)
        await target.attack(spoilt, random() < 0.02)
        if (++sent % 1000 === 0) onProgress(sent)
      } while (target.isOpen && sent < frames && random() < 0.98)
      await target.close()
    }
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, (_, attacker) => attack(attacker)))
  return answers
}

type Content = Record<string, unknown> & { error?: { code: string } }

/** A connection that has come as far as a stage. */
class Target {
  readonly #socket: WebSocket
  readonly #stage: Stage
  readonly #heard: (what: string) => void
  readonly #closed: Promise<unknown>
  #next: (content: Content) => void = () => {}
  #attack = 'nothing yet'
  #fault: Error | null = null

  constructor(url: string, stage: Stage, heard: (what: string) => void) {
    this.#socket = new WebSocket(controlUrl(url), 'svc.control')
    this.#stage = stage
    this.#heard = heard
    this.#socket.on('message', data => this.#received(String(data)))
    this.#closed = new Promise<void>(resolve =>
      this.#socket.on('close', (code, reason) => {
        this.#ended(code, String(reason))
        resolve()
      }),
    )
  }

  static async open(
    url: string,
    stage: Stage,
    instance: string,
    known: Known,
    heard: (what: string) => void,
  ) {
    const target = new Target(url, stage, heard)
    await once(target.#socket, 'open')
    await target.#reach(stage, instance, known)
    return target
  }

  get isOpen(): boolean {
    return this.#socket.readyState === WebSocket.OPEN
  }

  async attack(frame: string | Buffer, asBinary: boolean): Promise<void> {
    this.#attack = typeof frame === 'string' ? frame.slice(0, 2000) : frame.toString('hex')
    const answer = new Promise(resolve => {
      this.#next = resolve
    })
    this.#socket.send(frame, { binary: asBinary })
    // Later, not every frame has an answer: what is behind it has.
    const done = this.#stage === 'greeting' || this.#stage === 'logged-in' ? answer : this.#answersPing()
    await within(Promise.race([done, this.#closed]), () => `no answer to ${this.#attack}`)
    if (this.#fault) throw this.#fault
  }

  async close(): Promise<void> {
    this.#socket.close(1000)
    await within(this.#closed, () => `no end after ${this.#attack}`)
    if (this.#fault) throw this.#fault
  }

  async #reach(stage: Stage, instance: string, known: Known): Promise<void> {
    if (stage === 'greeting') return
    await this.#ask(stage === 'v1' ? loginFrame(known.account) : login(known))
    if (stage !== 'ready') return
    const ready = await this.#ask(sync(instance))
    known.binding = ready.binding
    known.resumeToken = ready.resume_token as string
    const { data } = (await this.#ask(join(known), 'data')) as { data: Record<string, string> }
    known.session = data.conference_session_id as string
    known.participant = data.participant_id as string
    known.streams = [data.stream as unknown as Known['streams'][0]]
  }

  /** The next frame, or the next with that field. */
  #ask(frame: object, field = ''): Promise<Content> {
    const answer = new Promise<Content>(resolve => {
      this.#next = content => {
        if (!field || field in content) resolve(content)
      }
    })
    this.#socket.send(JSON.stringify(frame))
    return within(answer, () => `no answer to ${JSON.stringify(frame)}`)
  }

  #answersPing(): Promise<unknown> {
    if (this.isOpen) this.#socket.ping()
    return once(this.#socket, 'pong')
  }

  #received(text: string): void {
    const frame = JSON.parse(text) as Record<string, Content>
    const [kind, content] = Object.entries(frame)[0] as [string, Content]
    const isV1 = this.#stage === 'v1' && kind !== 'login_result'
    if (isV1) this.#judge('v1', (frame as Content).error)
    else if (kind === 'login_result') this.#judge(kind, content.error, parseLoginResult(text, limits).ok)
    else this.#judge(kind, content.error, parseServerFrame(text, limits).ok)
    this.#next(isV1 ? (frame as Content) : content)
  }

  #judge(kind: string, error: { code: string } | undefined, isWellFormed = true): void {
    const codes: readonly string[] = kind === 'login_result' ? LOGIN_ERROR_CODES : CONTROL_ERROR_CODES
    if (!isWellFormed) this.#blame(`a ${kind} of the wrong shape`)
    else if (error && !codes.includes(error.code)) this.#blame(`${kind} with ${error.code}`)
    else if (error) this.#heard(`${kind} ${error.code}`)
  }

  #ended(code: number, reason: string): void {
    const reasons: Record<number, { reasons: readonly string[] }> = closeCodes
    const isDocumented = [1000, CUT_OFF].includes(code) || reasons[code]?.reasons.includes(reason)
    if (isDocumented) this.#heard(`close ${code} ${reason}`)
    else this.#blame(`a close with ${code} ${reason}`)
  }

  #blame(what: string): void {
    this.#fault ??= new Error(`${this.#stage}: ${what} after ${this.#attack}`)
  }
}

const within = <T>(work: Promise<T>, what: () => string): Promise<T> =>
  withTimeout(work, ANSWER_WITHIN_MS, () => new Error(what()))
