import { Emitter } from '@lectern/common'
import {
  type Binding,
  type CommandData,
  type CommandName,
  type ControlEvent,
  type ControlMedia,
  type Envelopes,
  type JsonObject,
  type MediaRef,
  type ProtocolLimits,
  type ServerEnvelopeKind,
  type Target,
  utf8Length,
} from '@lectern/protocol/control/client'
import type { BodyOf, DataOf } from './bodies.ts'
import { Commands } from './commands.ts'
import { Connection } from './connection.ts'
import type { ServerFrame } from './connection-attempt.ts'
import { ConnectionStreams } from './connection-streams.ts'
import { checkUrl, type Environment } from './environment.ts'
import type { Credentials } from './login.ts'
import { Media } from './media.ts'
import type { CommandOptions } from './pending-command.ts'
import { type OutgoingSignal, Signals } from './signals.ts'
import { Sync } from './sync.ts'
import { Views } from './views.ts'

export interface ControlClientOptions extends Pick<Credentials, 'client' | 'joinToken'> {
  /** `wss://…/api/v1.0/control`; the constructor throws a TypeError for any other kind of address. */
  url: string
  /**
   * Called before every attempt. `tokenRefusal` says why the server refused the last token; another one is needed
   * then. Null: the user is signed out. A rejection: the attempt fails and is retried later.
   */
  accessToken: (tokenRefusal: string | undefined) => Promise<string | null>
  /**
   * The conference that the connection is for: in an installation of several servers it leads to the one that runs the
   * conference. Without it, the first command for a conference that runs elsewhere connects again (rule C31).
   */
  conference?: string
  /** A ready connection that is silent for this long is probed (rule C22). SHOULD exceed the interval of the server's pings. */
  silenceMs?: number
  /** The longest delay between two attempts, 10 s by default; shorter where a person waits (rule C16). */
  backoffCapMs?: number
}

/** The complete state of a stream. */
interface StreamSnapshot {
  streamId: string
  state: JsonObject
}

/** Pages see a signal of the server every 6 s at least, programs see its pings every 8 s. */
const SILENCE_MS = 10_000

/** The control v2 client: one logical connection that survives reconnects. Its creator MUST close it. */
export class ControlClient {
  #connection: Connection
  #sync: Sync
  #streams: ConnectionStreams
  #commands: Commands
  #signals: Signals
  #media: Media
  #views = new Views()
  #eventReceived = new Emitter<ControlEvent>()
  #snapshotReceived = new Emitter<StreamSnapshot>()
  #partReceived = new Emitter<StreamSnapshot>()
  #streamRemoved = new Emitter<string>()
  #started = new Emitter<Binding>()
  #limits: ProtocolLimits | null = null

  constructor(
    env: Environment,
    { accessToken, url, conference, silenceMs = SILENCE_MS, backoffCapMs, ...login }: ControlClientOptions,
  ) {
    checkUrl(url)
    const send = (...[frame]: Parameters<Connection['send']>) => this.#connection.send(frame)
    this.#connection = new Connection(
      env,
      {
        url,
        conference,
        silenceMs,
        backoffCapMs,
        async credentials(tokenRefusal) {
          const token = await accessToken(tokenRefusal)
          return token === null ? null : { ...login, accessToken: token }
        },
      },
      {
        welcome: ({ selection }) => {
          this.#limits = selection.limits
          this.#sync.start(selection.limits)
        },
        frame: (frame, text) => this.#receive(frame, text),
        probe: () => this.#sync.resync(),
        disconnected: how => {
          this.#onDisconnected()
          this.#sync.onDisconnected(how)
        },
        ended: () => {
          this.#onDisconnected()
          this.#sync.onDisconnected({ fresh: true })
          this.#commands.close()
        },
      },
    )
    this.#streams = new ConnectionStreams({
      snapshot: (id, state) => {
        this.#views.replace(id, state)
        this.#snapshotReceived.emit({ streamId: id, state })
      },
      event: event => {
        this.#views.apply(event)
        this.#eventReceived.emit(event)
      },
      removed: id => {
        this.#views.clear(id)
        this.#signals.onStreamRemoved(id)
        this.#streamRemoved.emit(id)
      },
    })
    this.#sync = new Sync(env, this.#streams, send, {
      syncing: mode => {
        this.#onDisconnected()
        this.#connection.syncing(mode)
      },
      ready: (binding, fresh) => this.#onReady(binding, fresh),
      failed: reason => this.#connection.disconnect(reason),
      elsewhere: () => this.#connection.goTo(),
    })
    this.#commands = new Commands(env, {
      send: frame => {
        send(frame)
        this.#connection.expectAnswer()
      },
      staleBinding: () => this.#connection.disconnect({ is: 'stale-binding' }),
      resyncRequired: () => this.#sync.resync(),
      elsewhere: target => this.#connection.goTo(target.kind === 'conference' ? target.id : undefined),
    })
    this.#signals = new Signals(env, { send, epochOf: id => this.#streams.epochOf(id) })
    this.#media = new Media(send)
  }

  get state() {
    return this.#connection.state
  }

  open = () => this.#connection.open()
  close = () => this.#connection.close()
  /** The network is back. */
  online = () => this.#connection.retryOrProbe()
  /** The machine, or the page, was asleep. */
  wake = () => this.#connection.retryOrProbe()

  account = (userId: string) => this.#views.account(userId)
  session = (conferenceSessionId: string) => this.#views.session(conferenceSessionId)

  /** Every event of every stream exactly once, after the views contain it. Snapshots emit no events. */
  onEvent = (listener: (event: ControlEvent) => void) => this.#eventReceived.on(listener)

  /** A stream received its complete state, after the views contain it; the events that led to it are not emitted. */
  onSnapshot = (listener: (snapshot: StreamSnapshot) => void) => this.#snapshotReceived.on(listener)

  /**
   * A part of the state of a stream has arrived, before the state is complete: what is in it can be prepared meanwhile, and MUST NOT
   * be shown (rule C5).
   */
  onSnapshotPart = (listener: (part: StreamSnapshot) => void) => this.#partReceived.on(listener)

  /** A stream no longer belongs to this connection, for instance after a change of the server. */
  onStreamRemoved = (listener: (streamId: string) => void) => this.#streamRemoved.on(listener)

  /** Ends a stream that the server no longer sends. */
  forgetStream = (streamId: string) => this.#streams.forget(streamId)

  /**
   * The connection is new to the server: the listener MUST restore what is bound to a connection, such as the
   * participation in a conference. Commands that it issues synchronously are sent before all others (rule C25).
   */
  onStart = (listener: (binding: Binding) => void) => this.#started.on(listener)

  /** Resolves with the data of the result; rejects with a ControlFailure. */
  async command<N extends CommandName>(
    name: N,
    target: Target,
    body: BodyOf<N>,
    options: CommandOptions = {},
  ): Promise<DataOf<N>> {
    const data = await this.#commands.command(name, target, body as JsonObject, options)
    if (name === 'conference.join' || name === 'job.attach' || name === 'board.watch')
      this.#expectStream(data as CommandData<'conference.join' | 'job.attach' | 'board.watch'>)
    return data as DataOf<N>
  }

  #expectStream({ stream }: CommandData<'conference.join' | 'job.attach' | 'board.watch'>): void {
    this.#streams.expect(stream.stream_id)
    this.#sync.onStreamProgress()
  }

  sendSignal = (signal: OutgoingSignal) => this.#signals.send(signal)
  onSignal = (...[listener]: Parameters<Signals['on']>) => this.#signals.on(listener)

  sendMedia = (media: MediaRef, name: ControlMedia['name'], body: JsonObject) =>
    this.#media.send(media, name, body)
  onMedia = (...[listener]: Parameters<Media['on']>) => this.#media.on(listener)

  #receive({ kind, frame }: ServerFrame, text: string): void {
    // TypeScript cannot see that the kind and the content come from the same frame.
    const handle = this.#handlers[kind] as (content: unknown, text: string) => void
    handle((frame as Record<string, unknown>)[kind], text)
    this.#sync.onStreamProgress()
    this.#signals.onStreamProgress()
  }

  /** The handler of every frame kind. A kind without a handler does not compile. */
  #handlers: { [K in ServerEnvelopeKind]: (content: Envelopes[K], text: string) => void } = {
    control_sync_result: result => this.#sync.result(result),
    control_snapshot: (part, text) => {
      if (!this.#limits || !this.#sync.isCurrent(part.binding) || !this.#sync.isLastRequest(part.request_id))
        return
      if (part.part_count > 1) this.#partReceived.emit({ streamId: part.stream_id, state: part.state })
      const isWithinLimits = this.#streams.snapshot(part, utf8Length(text), this.#limits)
      if (!isWithinLimits) this.#connection.disconnect({ is: 'invalid-frame', code: 'resource_exhausted' })
    },
    control_event: event => {
      if (this.#sync.isCurrent(event.binding)) this.#streams.event(event)
    },
    control_result: result => this.#commands.result(result),
    control_signal: signal => {
      if (this.#sync.isCurrent(signal.binding)) this.#signals.receive(signal)
    },
    control_media: media => {
      if (this.#sync.isCurrent(media.binding)) this.#media.receive(media)
    },
  }

  /** The state becomes `ready` last, when media, signals and commands can be sent (rule C30). */
  #onReady(binding: Binding, fresh: boolean): void {
    this.#media.ready(binding, fresh)
    if (fresh) this.#commands.start(() => this.#started.emit(binding))
    this.#signals.ready(binding)
    if (this.#limits) this.#commands.ready(binding, this.#limits)
    this.#connection.ready(binding)
  }

  #onDisconnected(): void {
    this.#commands.onDisconnected()
    this.#signals.onDisconnected()
    this.#media.onDisconnected()
  }
}
