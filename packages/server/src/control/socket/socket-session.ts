import { errors, Refusal } from '@lectern/protocol'
import {
  LOGIN_ERROR_CODES,
  type LoginContent,
  type LoginErrorCode,
  type LoginResultContent,
  loginErrors,
  parseLogin,
} from '@lectern/protocol/control'
import { presentUser } from '../../accounts/present.ts'
import { releaseUnauthorizedObservers } from '../commands/observers.ts'
import type { Capacity, SocketSlot } from '../limits/capacity.ts'
import {
  FRAME_UNIT_BYTES,
  KEEPALIVE_INTERVAL_MS,
  LOGIN_TIMEOUT_MS,
  MAX_INFLIGHT,
  SYNC_TIMEOUT_MS,
} from '../limits/constants.ts'
import type { Login, Socket, SocketEvents } from '../ports.ts'
import { controlError } from '../refusals.ts'
import { V1Session } from '../v1/session.ts'
import { type V2Parts, V2Session } from '../v2/session.ts'
import { LoginCheck } from './login-check.ts'
import { select } from './protocol-selection.ts'
import { WebSocketTransport } from './transport.ts'

interface EstablishedPhase {
  is: 'talking'
  session: V1Session | V2Session
  loginCheck: LoginCheck
  sinceMs: number
}

type Phase = { is: 'greeting' } | { is: 'logging-in' } | EstablishedPhase | { is: 'over' }

/** How a client reports that it does not return: it left, or its page was closed (rule W6). */
const LEAVING_CLOSE_CODES = [1000, 1001]

/** One socket: a login, then a session of the version that was chosen (rules L1 to L3, W1 to W8). */
export class SocketSession implements SocketEvents {
  readonly #parts: V2Parts
  readonly #transport: WebSocketTransport
  readonly #slot: SocketSlot
  #phase: Phase = { is: 'greeting' }
  /** Frames that wait for the result of a login check. */
  #deferredFrames = 0

  readonly #onClosed: (session: SocketSession) => void

  /** Throws `too_many_connections` or `server_full`. */
  constructor(
    parts: V2Parts,
    capacity: Capacity,
    socket: Socket,
    { address, onClosed }: { address: string; onClosed: (session: SocketSession) => void },
  ) {
    this.#parts = parts
    this.#onClosed = onClosed
    this.#slot = capacity.take(address, () => this.#transport.terminate())
    this.#transport = new WebSocketTransport(socket, address, parts.monotonicMs, parts.frames.createBudget())
  }

  onFrame(frame: string | Uint8Array | null): void {
    this.#transport.onActivity()
    if (this.#transport.isClosing) return
    const size = frame?.length ?? 0
    // Reading a frame costs more than it costs to send it, and more with each byte.
    const cost = 1 + Math.floor(size / FRAME_UNIT_BYTES)
    if (this.#phase.is === 'talking')
      this.#parts.answers.charge(this.#phase.loginCheck.login.user, size - FRAME_UNIT_BYTES)
    if (!this.#transport.frameBudget.spend(cost)) this.#transport.close(4429, 'rate_limited')
    else if (frame === null) this.#transport.close(4400, 'invalid_argument')
    else this.#dispatchByPhase(frame)
  }

  #dispatchByPhase(frame: string | Uint8Array): void {
    switch (this.#phase.is) {
      case 'greeting':
        void this.#login(frame)
        break
      case 'logging-in':
        this.#transport.close(4400, 'unauthenticated')
        break
      case 'talking':
        this.#receive(this.#phase, frame)
        break
      case 'over':
    }
  }

  /** Every frame needs a valid login (rule W15). Frames keep their order. */
  #receive({ loginCheck: access, session }: EstablishedPhase, frame: string | Uint8Array): void {
    const arrivedAtMs = this.#parts.clock()
    const checking = access.check()
    if (!checking) session.receive(frame, arrivedAtMs)
    else if (this.#deferredFrames >= MAX_INFLIGHT) this.#transport.close(4429, 'rate_limited')
    else void this.#receiveAfterCheck(checking, session, frame, arrivedAtMs)
  }

  async #receiveAfterCheck(
    checking: Promise<void>,
    session: EstablishedPhase['session'],
    frame: string | Uint8Array,
    arrivedAtMs: number,
  ) {
    this.#deferredFrames += 1
    const isLoginValid = await this.#awaitLoginCheck(checking, frame)
    this.#deferredFrames -= 1
    if (isLoginValid && !this.#transport.isClosing) session.receive(frame, arrivedAtMs)
  }

  /** Ends with the login. The frame is what is answered with that. */
  async #awaitLoginCheck(checking: Promise<void>, frame?: string | Uint8Array): Promise<boolean> {
    const phase = this.#phase
    if (phase.is !== 'talking') return false
    try {
      await checking
      if (phase.session.sender) releaseUnauthorizedObservers(this.#parts, phase.session.sender)
      return this.#phase.is === 'talking'
    } catch (error) {
      const { code, message } = this.#loginErrorOf(error)
      if (frame !== undefined) phase.session.deny(frame, controlError(new Refusal(code, message)))
      if (code === 'temporarily_unavailable') return false
      phase.session.end()
      if (code === 'link_rotated') this.#endMembership(phase.loginCheck.login)
      this.#transport.close(loginErrors[code], code as never)
      return false
    }
  }

  /** Or the account would enter without its link, by the plain one. */
  #endMembership({ user, admission }: Login): void {
    const { participants, log } = this.#parts
    if (admission)
      participants.endMembership(admission.tag, user.id).catch(error => {
        log.warn({ err: error }, 'somebody whose link was withdrawn is still a member of the session')
      })
  }

  /** Checks silent clients. True when a check was started. MUST be called about every second. */
  checkLogin(accessVersion: number): boolean {
    if (this.#phase.is !== 'talking' || this.#transport.isClosing) return false
    const checking = this.#phase.loginCheck.check(accessVersion)
    if (checking) void this.#awaitLoginCheck(checking)
    return checking !== null
  }

  onPing(): void {
    this.#transport.onActivity()
  }

  onClose(code: number): void {
    const phase = this.#phase
    this.#phase = { is: 'over' }
    this.#onClosed(this)
    this.#slot.release()
    const about = { transport: this.#transport.id, code, said: this.#transport.closedWith }
    this.#parts.log.debug(about, 'control connection closed')
    if (phase.is === 'talking')
      phase.session.onClose(LEAVING_CLOSE_CODES.includes(code) && !this.#transport.isClosing)
  }

  /** Empty before the first sync. */
  get connectionId(): string {
    return this.#sender?.id ?? ''
  }

  get #sender() {
    return this.#phase.is === 'talking' ? this.#phase.session.sender : null
  }

  /** MUST be called about every second. */
  tick(): void {
    this.#transport.tick()
    const now = this.#parts.monotonicMs()
    const phase = this.#phase
    if (phase.is !== 'talking') {
      if (now - this.#transport.openedAtMs > LOGIN_TIMEOUT_MS) this.#transport.close(4408, 'login_timeout')
      return
    }
    if (
      phase.session instanceof V2Session &&
      !phase.session.hasSynced &&
      now - phase.sinceMs > SYNC_TIMEOUT_MS
    )
      this.#transport.close(4408, 'sync_timeout')
    if (now - this.#transport.lastSentAtMs >= KEEPALIVE_INTERVAL_MS && phase.session instanceof V2Session)
      phase.session.sendKeepAlive()
  }

  /** The server stops: the client reconnects, elsewhere or later. */
  drain(): void {
    this.#transport.close(1001, 'temporarily_unavailable')
  }

  /** The work of the client continues on another server: it reconnects with a new connection. */
  sendElsewhere(): void {
    if (this.#phase.is === 'talking') this.#phase.session.end()
    this.drain()
  }

  async #login(frame: string | Uint8Array): Promise<void> {
    const parsed = parseLogin(frame)
    if (!parsed.ok && parsed.close) return this.#transport.close(4400, parsed.code as 'unauthenticated')
    if (!parsed.ok) return this.#refuse(parsed.code as LoginErrorCode, parsed.message)
    this.#phase = { is: 'logging-in' }
    try {
      const { access_token, join_token } = parsed.login
      const version = await this.#parts.authenticator.accessVersion()
      const login = await this.#parts.authenticator.login(access_token, join_token)
      if (this.#phase.is !== 'logging-in' || this.#transport.isClosing) return // the socket is gone by now
      this.#slot.login(login.user)
      if (!this.#transport.frameBudget.logIn(login.user)) return this.#transport.close(4429, 'rate_limited')
      await this.#establish(
        new LoginCheck(this.#parts.authenticator, this.#parts.monotonicMs, login, version),
        parsed.login,
      )
    } catch (error) {
      const { code, message } = this.#loginErrorOf(error)
      this.#refuse(code, message)
    }
  }

  async #establish(access: LoginCheck, { protocol_offer, client }: LoginContent): Promise<void> {
    const { login } = access
    const session = protocol_offer
      ? new V2Session(this.#parts, login, this.#transport)
      : await V1Session.open(this.#parts, login, this.#transport)
    if (this.#phase.is !== 'logging-in' || this.#transport.isClosing) return session.end()
    this.#phase = { is: 'talking', session, loginCheck: access, sinceMs: this.#parts.monotonicMs() }
    const { name, version, platform } = client
    const about = { user_id: login.user.id, transport: this.#transport.id, v2: protocol_offer !== undefined }
    this.#parts.log.debug({ ...about, client: `${name} ${version} ${platform}` }, 'control login')
    this.#answer({
      ok: true,
      user: presentUser(login.user) as Extract<LoginResultContent, { ok: true }>['user'],
      ...(protocol_offer && { protocol_selection: select(this.#parts, login, this.#transport.id) }),
    })
  }

  #refuse(code: LoginErrorCode, message: string): void {
    this.#answer({ ok: false, error: { code, message } })
    this.#transport.close(loginErrors[code], code as never)
  }

  #answer(login_result: LoginResultContent): void {
    this.#transport.send(JSON.stringify({ login_result }))
  }

  #loginErrorOf(error: unknown): { code: LoginErrorCode; message: string } {
    const code = error instanceof Refusal ? (error.code as LoginErrorCode) : null
    if (error instanceof Refusal && code && LOGIN_ERROR_CODES.includes(code))
      return { code, message: error.message }
    this.#parts.log.error(
      { err: error, transport: this.#transport.id },
      'a login failed unexpectedly: the client retries',
    )
    return { code: 'temporarily_unavailable', message: errors.temporarily_unavailable.message }
  }
}
