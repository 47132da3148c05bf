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
import type { ServerFrame } from './attempt.ts'
import type { BodyOf, DataOf } from './bodies.ts'
import { type CommandOptions, Commands } from './commands.ts'
import { Connection } from './connection.ts'
import { checkUrl, type Environment } from './environment.ts'
import type { Credentials } from './login.ts'
import { Media } from './media.ts'
import { Emitter } from './observable.ts'
import { type OutgoingSignal, Signals } from './signals.ts'
import { Streams } from './streams.ts'
import { Sync } from './sync.ts'
import { Views } from './views.ts'

export interface ControlClientOptions extends Pick<Credentials, 'client' | 'joinToken'> {
  /** `wss://…/api/v1.0/control`; the constructor throws a TypeError for what is no such address. */
  url: string
  /**
   * Asked before every attempt. `refused` tells why the server did not take the last token, so that another is
   * needed. Null: there is none, the user is signed out. A rejection: not now; asked again after a while.
   */
  accessToken: (refused: string | undefined) => Promise<string | null>
  /** Longer than the server's pings are apart, where they can be seen. */
  silenceMs?: number
  /** The longest wait between two tries, 10 s if left out: shorter where somebody looks on (rule C16). */
  backoffCapMs?: number
}

/** The state of a stream, told as a whole. */
interface Replaced {
  streamId: string
  state: JsonObject
}

const SILENCE_MS = 30_000

/** The control v2 client: a connection that never loses its place. Whoever makes it closes it. */
export class ControlClient {
  #connection: Connection
  #sync: Sync
  #streams: Streams
  #commands: Commands
  #signals: Signals
  #media: Media
  #views = new Views()
  #happened = new Emitter<ControlEvent>()
  #replaced = new Emitter<Replaced>()
  #started = new Emitter<Binding>()
  #limits: ProtocolLimits | null = null

  constructor(
    env: Environment,
    { accessToken, url, silenceMs = SILENCE_MS, backoffCapMs, ...login }: ControlClientOptions,
  ) {
    checkUrl(url)
    const send = (...[frame]: Parameters<Connection['send']>) => this.#connection.send(frame)
    this.#connection = new Connection(
      env,
      {
        url,
        silenceMs,
        backoffCapMs,
        async credentials(refused) {
          const token = await accessToken(refused)
          return token === null ? null : { ...login, accessToken: token }
        },
      },
      {
        welcome: ({ selection }) => {
          this.#limits = selection.limits
          this.#sync.begin(selection.limits)
        },
        frame: (frame, text) => this.#receive(frame, text),
        check: () => this.#sync.resync(),
        lost: how => {
          this.#pause()
          this.#sync.lost(how)
        },
        ended: () => {
          this.#pause()
          this.#sync.lost({ fresh: true })
          this.#commands.close()
        },
      },
    )
    this.#streams = new Streams({
      replaced: (id, state) => {
        this.#views.replace(id, state)
        this.#replaced.emit({ streamId: id, state })
      },
      happened: event => {
        this.#views.apply(event)
        this.#happened.emit(event)
      },
      gone: id => {
        this.#views.clear(id)
        this.#signals.gone(id)
      },
    })
    this.#sync = new Sync(env, this.#streams, send, {
      syncing: mode => {
        this.#pause()
        this.#connection.syncing(mode)
      },
      ready: (binding, fresh) => this.#resume(binding, fresh),
      failed: loss => this.#connection.lose(loss),
    })
    this.#commands = new Commands(env, {
      send,
      staleBinding: () => this.#connection.lose({ is: 'stale-binding' }),
      resyncRequired: () => this.#sync.resync(),
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
  online = () => this.#connection.hurry()
  /** The machine, or the page, was asleep. */
  wake = () => this.#connection.hurry()

  account = (userId: string) => this.#views.account(userId)
  session = (conferenceSessionId: string) => this.#views.session(conferenceSessionId)

  /** Every event of every stream, once, when the views already show it. Snapshots are no events. */
  onEvent = (listener: (event: ControlEvent) => void) => this.#happened.on(listener)

  /** The whole state of a stream has come, when the views already show it: what led to it is not told as events. */
  onSnapshot = (listener: (replaced: Replaced) => void) => this.#replaced.on(listener)

  /**
   * The server knows this connection for the first time: what belongs to one, as being in a conference, is to be
   * asked for. Commands that the listener gives at once go before all others (rule C25).
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
    if (name === 'conference.join' || name === 'job.attach')
      this.#expectStream(data as CommandData<'conference.join' | 'job.attach'>)
    return data as DataOf<N>
  }

  #expectStream({ stream }: CommandData<'conference.join' | 'job.attach'>): void {
    this.#streams.expect(stream.stream_id)
    this.#sync.progressed()
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
    this.#sync.progressed()
    this.#signals.streamsMoved()
  }

  /** Where every frame goes. A kind without a handler does not compile. */
  #handlers: { [K in ServerEnvelopeKind]: (content: Envelopes[K], text: string) => void } = {
    control_sync_result: result => this.#sync.result(result),
    control_snapshot: (part, text) => {
      if (!this.#limits || !this.#sync.isCurrent(part.binding) || !this.#sync.isAnswerTo(part.request_id))
        return
      const fits = this.#streams.snapshot(part, utf8Length(text), this.#limits)
      if (!fits) this.#connection.lose({ is: 'wrong-frame', code: 'resource_exhausted' })
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

  /** Whoever learns from the state that the connection is ready can use it: that comes last (rule C30). */
  #resume(binding: Binding, fresh: boolean): void {
    this.#media.ready(binding, fresh)
    if (fresh) this.#commands.start(() => this.#started.emit(binding))
    this.#signals.ready(binding)
    if (this.#limits) this.#commands.ready(binding, this.#limits)
    this.#connection.ready(binding)
  }

  #pause(): void {
    this.#commands.paused()
    this.#signals.paused()
    this.#media.paused()
  }
}
