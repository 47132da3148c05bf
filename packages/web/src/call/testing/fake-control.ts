import { Observable } from '@lectern/common'
import {
  type CommandOptions,
  type ConnectionState,
  ControlFailure,
  type FailureCode,
  type IncomingSignal,
  type MediaMessage,
  type OutgoingSignal,
  type SessionView,
} from '@lectern/control-client'
import type {
  Binding,
  ControlEvent,
  JsonObject,
  MediaRef,
  Publication,
  Target,
} from '@lectern/protocol/control/client'
import type { Control } from '../ports.ts'
import { aSession } from './session.ts'

class Value<T> extends Observable<T> {
  override set(value: T): void {
    super.set(value)
  }
}

class Listeners<T> {
  readonly #all = new Set<(value: T) => void>()
  readonly on = (listener: (value: T) => void) => {
    this.#all.add(listener)
    return () => this.#all.delete(listener)
  }
  emit(value: T): void {
    for (const listener of [...this.#all]) listener(value)
  }
}

type CommandHandler = (body: JsonObject, target: Target) => unknown

export const refuse = (code: FailureCode, reason?: string): never => {
  throw new ControlFailure(code, code, reason === undefined ? {} : { reason })
}

/** A fake control channel: it answers commands at once, with `handlers`. */
export class FakeControl implements Control {
  readonly state = new Value<ConnectionState>({ is: 'idle' })
  readonly commands: { name: string; target: Target; body: JsonObject }[] = []
  readonly media: MediaMessage[] = []
  readonly signals: OutgoingSignal[] = []
  /** The options of each command. */
  readonly options: CommandOptions[] = []
  handlers: Record<string, CommandHandler>
  /** The names of commands that were aborted before they had a result. */
  readonly aborted: string[] = []
  /** Whether every offer is answered at once. */
  acceptsOffers = true
  closed = false
  wakeups = 0
  #binding = { connection: 1, generation: 1 }
  #participants = 0
  readonly #endpoints = { count: 0 }
  #joined: Promise<unknown> = Promise.resolve()
  #queue: (() => void)[] = []
  readonly #views = new Map<string, Value<SessionView | null>>()
  readonly #started = new Listeners<Binding>()
  readonly #events = new Listeners<ControlEvent>()
  readonly #signals = new Listeners<IncomingSignal>()
  readonly #media = new Listeners<MediaMessage>()
  readonly #snapshots = new Listeners<{ streamId: string; state: JsonObject }>()
  readonly #parts = new Listeners<{ streamId: string; state: JsonObject }>()

  constructor() {
    this.handlers = {
      'conference.join': () => {
        const participant_id = `p${++this.#participants}`
        this.view.set(aSession(participant_id))
        return { conference_session_id: '1', participant_id, role: 'participant' }
      },
      'media.open': () => ({
        endpoint_id: `e${++this.#endpoints.count}`,
        rtc_node_id: 'node',
        route_generation: '1',
      }),
    }
  }

  readonly onStart = this.#started.on
  readonly onEvent = this.#events.on
  readonly onSignal = this.#signals.on
  readonly onMedia = this.#media.on
  readonly onSnapshot = this.#snapshots.on
  readonly onSnapshotPart = this.#parts.on
  readonly onStreamRemoved = () => () => {}
  readonly forgetStream = () => {}

  /** Like the client: commands wait until they can be sent, and commands of `onStart` go first. */
  readonly command = (async (
    name: string,
    target: Target,
    body: JsonObject,
    options: CommandOptions = {},
  ) => {
    const { signal } = options
    this.options.push(options)
    const run = async (): Promise<object> => {
      this.commands.push({ name, target, body })
      try {
        return (await this.handlers[name]?.(body, target)) ?? {}
      } catch (error) {
        if (options.isRenewed && error instanceof ControlFailure && error.isRepeatable) return run()
        throw error
      }
    }
    const aborted = new Promise<never>((_, reject) =>
      signal?.addEventListener('abort', () => {
        this.aborted.push(name)
        reject(new ControlFailure('aborted'))
      }),
    )
    const isFirst = name === 'conference.join'
    if (this.state.get().is === 'ready' || isFirst) {
      const answer = run()
      if (isFirst) this.#joined = answer.catch(() => {})
      return Promise.race([answer, aborted])
    }
    const sent = new Promise<void>(resolve => this.#queue.push(resolve))
    return Promise.race([sent.then(() => (signal?.aborted ? aborted : run())), aborted])
  }) as Control['command']

  readonly sendMedia = (media: MediaRef, name: MediaMessage['name'], body: JsonObject) => {
    if (this.state.get().is !== 'ready') return false
    const message = { media, name, body }
    this.media.push(message)
    if (name === 'webrtc_offer' && this.acceptsOffers) queueMicrotask(() => this.answer(message))
    return true
  }

  readonly sendSignal = (signal: OutgoingSignal) => void this.signals.push(signal)
  readonly session = (id: string) => {
    const view = this.#views.get(id) ?? new Value<SessionView | null>(null)
    this.#views.set(id, view)
    return view
  }
  readonly open = () => this.start()
  readonly close = () => {
    this.closed = true
  }
  readonly online = () => void this.wakeups++
  readonly wake = () => void this.wakeups++

  get view() {
    return this.session('1')
  }

  /** The connection is ready, and new to the server. */
  start(): void {
    this.#binding = { connection: this.#binding.connection + 1, generation: 1 }
    this.view.set(null)
    this.#started.emit(this.#wireBinding())
    this.#ready()
  }

  disconnect(reason = 'connection_lost'): void {
    this.state.set({ is: 'waiting', until: Date.now() + 1_000, attempt: 1, reason })
  }

  reconnect(): void {
    this.#binding.generation++
    this.#ready()
  }

  /** Emits an event of the account's stream. */
  emitAccountEvent(name: string, body: JsonObject): void {
    this.#events.emit({ name, body, stream_id: 'account:7' } as ControlEvent)
  }

  emitSnapshot(streamId: string, state: JsonObject = {}): void {
    this.#snapshots.emit({ streamId, state })
  }

  emitPart(streamId: string, state: JsonObject): void {
    this.#parts.emit({ streamId, state })
  }

  emitEvent(name: string, body: JsonObject, stream_id = 'session:1'): void {
    this.#events.emit({ name, body, stream_id } as ControlEvent)
  }

  emitSignal(
    name: IncomingSignal['name'],
    sourceId: string,
    body: JsonObject,
    ttlMs = 1_000,
    streamId = 'session:1',
  ): void {
    this.#signals.emit({ streamId, sourceId, name, body, ttlMs, expiresAt: 0 })
  }

  updateSession(parts: Partial<SessionView>): void {
    const session = this.view.get()
    if (session) this.view.set({ ...session, ...parts })
  }

  /** Adds a publication to the session, in place of one with the same id. */
  addPublication(publication: Publication): void {
    this.removePublication(publication.publication_id)
    this.updateSession({ publications: [...(this.view.get()?.publications ?? []), publication] })
  }

  removePublication(publicationId: string): void {
    const publications = this.view.get()?.publications ?? []
    this.updateSession({ publications: publications.filter(each => each.publication_id !== publicationId) })
  }

  /** Moves the routes of the session; an endpoint that is opened now uses them, unless `late` is set. */
  moveRoutes(
    route_generation: string,
    { late = false, workers }: { late?: boolean; workers?: string[] } = {},
  ): void {
    const rtc_node_id = `node${route_generation}`
    if (!late) {
      const open = this.handlers['media.open']
      this.handlers['media.open'] = (...args) => ({
        ...(open?.(...args) as object),
        rtc_node_id,
        route_generation,
      })
    }
    const route = { rtc_node_id, route_generation, ...(workers && { rtc_node_ids: workers }) }
    this.updateSession({ media: route })
  }

  receiveMedia(message: MediaMessage): void {
    this.#media.emit(message)
  }

  /** The bodies of all commands with this name. */
  bodies = (name: string) => this.commands.filter(each => each.name === name).map(({ body }) => body)

  /** The own offers, newest last. */
  get offers(): MediaMessage[] {
    return this.media.filter(({ name }) => name === 'webrtc_offer')
  }

  answer({ media }: MediaMessage, body: JsonObject = { format: 'ortc' }): void {
    this.receiveMedia({ media, name: 'webrtc_answer', body })
  }

  #ready(): void {
    const user = {
      user_id: 7,
      login: 'anna',
      display_name: 'Anna',
      kind: 'ordinary',
      capabilities: [],
    } as const
    const binding = this.#wireBinding()
    this.state.set({ is: 'ready', user: { ...user, capabilities: [] }, binding })
    void this.#joined.then(() => {
      for (const send of this.#queue.splice(0)) send()
    })
  }

  #wireBinding = (): Binding => ({
    deployment_id: 'd',
    tenant_id: 't',
    logical_connection_id: `c${this.#binding.connection}`,
    binding_generation: `${this.#binding.generation}`,
  })
}
