import type {
  Binding,
  ControlCommand,
  ControlError,
  ControlEvent,
  ControlSync,
  Cursor,
  Envelopes,
  JsonObject,
  LoginContent,
  LoginErrorCode,
  ProtocolLimits,
} from '@lectern/protocol/control/client'
import { loginErrors } from '@lectern/protocol/control/client'
import type { Accept, FakeSocket } from './fake-network.ts'
import { ACCOUNT, Model, SESSION, SESSION_ID, USER_ID } from './model.ts'

/** A logical connection, which outlives its sockets. */
interface LogicalConnection {
  id: string
  generation: number
  token: string
  /** The previous token, for a client that never received the current one. */
  previous: { token: string; requestId: string } | null
  streams: Set<string>
  socket: FakeSocket | null
}

type Outcome = { status: string; data?: JsonObject; error?: ControlError }
const rejected = (error: ControlError): Outcome => ({ status: 'rejected', error })

interface Log {
  seq: number
  events: Omit<ControlEvent, 'binding'>[]
}

const LIMITS: ProtocolLimits = {
  max_frame_bytes: 65_536,
  max_inflight_commands: 8,
  max_sync_parts: 64,
  max_sync_bytes: 1_048_576,
  sync_timeout_ms: 10_000,
  command_retry_window_ms: 600_000,
  resume_grace_ms: 60_000,
}

/** A small but correct control v2 server without timers; tests inject every fault. */
export class ScriptedServer {
  model = new Model()
  limits = { ...LIMITS }
  epoch = 1
  /** Refused tokens with their error codes. */
  refusals = new Map<string, LoginErrorCode>()
  logins: LoginContent[] = []
  syncs: ControlSync[] = []
  commands: ControlCommand[] = []
  messagesPerPart = 3
  /** The expected state after every event, by `positionOf(event)`. */
  history = new Map<string, unknown>()
  /** The number of events per stream that can be replayed. */
  window = 20
  /** Overrides the result of a command: an error, `received` only, or no result. */
  onCommand: (command: ControlCommand) => ControlError | 'received' | 'silence' | undefined = () => undefined
  onSync: (sync: ControlSync) => ControlError | 'silence' | undefined = () => undefined
  #logs = new Map<string, Log>()
  #connections = new Map<string, LogicalConnection>()
  #results = new Map<string, { content: string; outcome: Outcome }>()
  #ids = 0

  accept: Accept = socket => {
    let logical: LogicalConnection | null = null
    let loggedIn = false
    return {
      received: text => {
        const frame = JSON.parse(text) as Partial<Envelopes> & { login?: LoginContent }
        if (frame.login) loggedIn = this.#login(socket, frame.login)
        else if (!loggedIn) socket.close(4400, 'unauthenticated')
        else if (frame.control_sync) logical = this.#sync(socket, frame.control_sync) ?? logical
        else if (frame.control_command && logical) this.#command(logical, frame.control_command)
      },
      closed: () => {
        if (logical?.socket === socket) logical.socket = null
      },
    }
  }

  /** Simulates a crash: connections and streams are lost, stored messages are not. */
  restart(): void {
    this.epoch++
    this.#logs.clear()
    for (const { socket } of this.#connections.values()) socket?.drop()
    this.#connections.clear()
    this.model.session.participants = []
  }

  /** Another server continues with all connections: streams start again. */
  takeOver(): void {
    this.epoch++
    this.#logs.clear()
  }

  /** Makes all connections impossible to resume. */
  forgetConnections(): void {
    this.#connections.clear()
  }

  publish(streamId: string, name: string, body: JsonObject): void {
    const log = this.#log(streamId)
    const event = {
      event_id: `e${++this.#ids}`,
      stream_id: streamId,
      stream_epoch: `${this.epoch}`,
      seq: `${++log.seq}`,
      aggregate: { kind: 'conference_session' as const, id: SESSION_ID },
      aggregate_version: '1',
      name,
      body,
    }
    log.events.push(event)
    const state = streamId === ACCOUNT ? this.model.account : this.model.session
    this.history.set(positionOf(event), structuredClone(state))
    for (const logical of this.#connections.values())
      if (logical.streams.has(streamId))
        this.send(logical, 'control_event', { ...event, binding: bindingOf(logical) })
  }

  postMessage(text: string): void {
    this.publish(SESSION, 'chat.message', { message: this.model.addMessage(text) })
  }

  rename(name: string): void {
    this.model.account = { ...this.model.account, display_name: name }
    this.publish(ACCOUNT, 'account.changed', { display_name: name })
  }

  /** Sends a frame to every connection. */
  push<K extends keyof Envelopes>(kind: K, content: Omit<Envelopes[K], 'binding'>): void {
    for (const logical of this.#connections.values())
      this.send(logical, kind, { ...content, binding: bindingOf(logical) } as unknown as Envelopes[K])
  }

  send<K extends keyof Envelopes>(
    { socket }: { socket: FakeSocket | null },
    kind: K,
    content: Envelopes[K],
  ): void {
    if (!socket?.isClosed) socket?.send(JSON.stringify({ [kind]: content }))
  }

  #login(socket: FakeSocket, login: LoginContent): boolean {
    this.logins.push(login)
    const code = this.refusals.get(login.access_token)
    if (code) {
      socket.send(JSON.stringify({ login_result: { ok: false, error: { code, message: code } } }))
      socket.close(loginErrors[code], code)
      return false
    }
    const user = { user_id: 7, login: 'anna', display_name: 'Anna', kind: 'ordinary', capabilities: [] }
    const ids = {
      deployment_id: 'd',
      tenant_id: 't',
      user_id: USER_ID,
      auth_session_id: 'a',
      transport_id: 'w',
    }
    const selection = { version: 2, profile: 'svc.control.v2.core', ...ids, limits: this.limits }
    socket.send(JSON.stringify({ login_result: { ok: true, user, protocol_selection: selection } }))
    return true
  }

  #sync(socket: FakeSocket, sync: ControlSync): LogicalConnection | null {
    this.syncs.push(sync)
    const scripted = this.onSync(sync)
    if (scripted === 'silence') return null
    const error = scripted ?? (this.#find(sync) ? null : { code: 'resume_rejected' as const })
    if (error) {
      const status =
        error.code === 'resume_rejected' ? ('resume_rejected' as const) : ('retry_later' as const)
      this.send({ socket }, 'control_sync_result', { request_id: sync.request_id, status, error })
      return null
    }
    const logical = this.#find(sync) as LogicalConnection
    if (sync.mode !== 'resync') {
      logical.generation++
      logical.previous = { token: logical.token, requestId: sync.request_id }
      logical.token = `token-${++this.#ids}-`.padEnd(32, 'x')
      logical.socket = socket
    }
    this.#connections.set(logical.id, logical)
    this.send(logical, 'control_sync_result', {
      request_id: sync.request_id,
      status: 'ready',
      binding: bindingOf(logical),
      resume_token: logical.token,
      streams: [...logical.streams].map(id => this.#end(id)),
    })
    for (const id of logical.streams) this.#sendState(logical, id, sync)
    return logical
  }

  #find(sync: ControlSync): LogicalConnection | null {
    if (sync.mode === 'fresh') {
      const id = `c${++this.#ids}`
      return { id, generation: 0, token: '', previous: null, streams: new Set([ACCOUNT]), socket: null }
    }
    const binding = sync.mode === 'resume' ? sync.resume.binding : sync.binding
    const logical = this.#connections.get(binding.logical_connection_id) ?? null
    if (sync.mode === 'resync' || !logical) return logical
    const { resume_token, previous_request_id } = sync.resume
    const { previous } = logical
    const isLostResult = resume_token === previous?.token && previous_request_id === previous.requestId
    if (isLostResult) logical.token = resume_token
    return logical.token === resume_token ? logical : null
  }

  /** Sends nothing to a client at the end of the stream, otherwise the missing events or a snapshot. */
  #sendState(logical: LogicalConnection, id: string, sync: ControlSync): void {
    const cursor = sync.cursors.find(({ stream_id }) => stream_id === id)
    const log = this.#log(id)
    const missing = cursor ? log.seq - Number(cursor.seq) : Number.POSITIVE_INFINITY
    const atEnd = cursor?.stream_epoch === `${this.epoch}` && missing === 0
    if (sync.mode !== 'fresh' && atEnd) return
    const replays = cursor?.stream_epoch === `${this.epoch}` && missing <= this.window
    if (sync.mode !== 'resume' || !replays) this.#snapshot(logical, id, sync.request_id)
    else
      for (const event of log.events.slice(log.seq - missing))
        this.send(logical, 'control_event', { ...event, binding: bindingOf(logical) })
  }

  #snapshot(logical: LogicalConnection, id: string, requestId: string): void {
    const parts = id === ACCOUNT ? [{ ...this.model.account }] : this.#sessionParts()
    const snapshot_id = `s${++this.#ids}`
    const { stream_id, stream_epoch, seq: snapshot_seq } = this.#end(id)
    parts.forEach((state, part_index) => {
      this.send(logical, 'control_snapshot', {
        request_id: requestId,
        binding: bindingOf(logical),
        stream_id,
        stream_epoch,
        snapshot_id,
        snapshot_seq,
        part_index,
        part_count: parts.length,
        state,
      })
    })
  }

  #sessionParts(): JsonObject[] {
    const { messages, ...rest } = structuredClone(this.model.session)
    const parts: JsonObject[] = [{ ...rest, messages: messages.slice(0, this.messagesPerPart) }]
    for (let at = this.messagesPerPart; at < messages.length; at += this.messagesPerPart)
      parts.push({ messages: messages.slice(at, at + this.messagesPerPart) })
    return parts
  }

  #command(logical: LogicalConnection, command: ControlCommand): void {
    this.commands.push(command)
    const outcome = this.#outcome(logical, command)
    if (!outcome) return
    const { command_id } = command
    const result = { binding: bindingOf(logical), command_id, ...outcome } as Envelopes['control_result']
    this.send(logical, 'control_result', result)
  }

  #outcome(logical: LogicalConnection, { binding, ...command }: ControlCommand): Outcome | null {
    const scripted = this.onCommand({ binding, ...command })
    if (scripted === 'silence') return null
    if (scripted === 'received') return { status: 'received' }
    if (scripted) return rejected(scripted)
    const own = bindingOf(logical)
    const same = (['logical_connection_id', 'binding_generation'] as const).every(
      name => own[name] === binding[name],
    )
    if (!same) return rejected({ code: 'stale_binding' })
    const content = JSON.stringify(command)
    const known = this.#results.get(command.command_id)
    if (known && known.content !== content) return rejected({ code: 'idempotency_conflict' })
    const isParticipant = logical.streams.has(SESSION)
    if (!known && command.name === 'chat.send' && !isParticipant)
      return rejected({ code: 'permission_denied' })
    const outcome = known?.outcome ?? { status: 'committed', data: this.#execute(logical, command) }
    this.#results.set(command.command_id, { content, outcome })
    return outcome
  }

  #execute(logical: LogicalConnection, { name, body }: Pick<ControlCommand, 'name' | 'body'>): JsonObject {
    switch (name) {
      case 'chat.send': {
        this.postMessage(body.text as string)
        return { message_id: this.model.stored.at(-1)?.message_id, sent_at_ms: 3 }
      }
      case 'conference.set_lock':
        this.model.session = { ...this.model.session, locked: body.locked as boolean }
        this.publish(SESSION, 'conference.locked', { locked: body.locked })
        return {}
      case 'conference.join': {
        const participant_id = `p${++this.#ids}`
        this.publish(SESSION, 'participant.joined', { participant: this.model.join(participant_id) })
        this.joinStream(logical)
        return {
          conference_session_id: SESSION_ID,
          participant_id,
          role: 'participant',
          stream: this.#end(SESSION),
        }
      }
      default:
        return {}
    }
  }

  /** Sends the state of a stream that begins between two syncs, for the last sync (rule C8). */
  joinStream(logical: LogicalConnection): void {
    logical.streams.add(SESSION)
    this.#snapshot(logical, SESSION, this.syncs.at(-1)?.request_id ?? '')
  }

  #log(id: string): Log {
    const log = this.#logs.get(id) ?? { seq: 0, events: [] }
    this.#logs.set(id, log)
    return log
  }

  #end(id: string): Cursor {
    return { stream_id: id, stream_epoch: `${this.epoch}`, seq: `${this.#log(id).seq}` }
  }
}

/** Identifies an event across streams and epochs. */
export const positionOf = (event: Pick<ControlEvent, 'stream_id' | 'stream_epoch' | 'seq'>) =>
  `${event.stream_id} ${event.stream_epoch} ${event.seq}`

const bindingOf = ({ id, generation }: LogicalConnection): Binding => ({
  deployment_id: 'd',
  tenant_id: 't',
  logical_connection_id: id,
  binding_generation: `${generation}`,
})
