import type {
  Binding,
  ControlFrame,
  ControlSignal,
  JsonObject,
  SignalName,
} from '@lectern/protocol/control/client'
import { isAfter, next } from './counter.ts'
import type { Environment } from './environment.ts'
import { Emitter } from './observable.ts'

export interface OutgoingSignal {
  streamId: string
  /** The participant who speaks. */
  sourceId: string
  name: SignalName
  body: JsonObject
  ttlMs: number
}

/** A signal and when it stops being true, on the environment's clock. */
export interface IncomingSignal extends OutgoingSignal {
  expiresAt: number
}

export interface SignalPorts {
  send(frame: ControlFrame): unknown
  /** Null while the stream has no state: signals wait for it, as long as they are good. */
  epochOf(streamId: string): string | null
}

/** What passes and is not missed when it is lost: the newest of each kind counts (rule C14). */
export class Signals {
  #env: Environment
  #ports: SignalPorts
  #binding: Binding | null = null
  #sent = new Map<string, string>()
  #heard = new Map<string, { epoch: string; seq: string }>()
  #waitingToSend = new Map<string, { signal: OutgoingSignal; expiresAt: number }>()
  #waitingForState = new Map<string, { signal: ControlSignal; expiresAt: number }>()
  #received = new Emitter<IncomingSignal>()
  on = this.#received.on

  constructor(env: Environment, ports: SignalPorts) {
    this.#env = env
    this.#ports = ports
  }

  send(signal: OutgoingSignal): void {
    const expiresAt = this.#env.now() + signal.ttlMs
    const key = keyOf(signal.streamId, signal.sourceId, signal.name)
    if (!this.#transmit(signal, expiresAt, key)) this.#waitingToSend.set(key, { signal, expiresAt })
  }

  receive(signal: ControlSignal): void {
    const key = keyOf(signal.stream_id, signal.source_id, signal.name)
    const epoch = this.#ports.epochOf(signal.stream_id)
    const expiresAt = this.#env.now() + signal.ttl_ms
    if (epoch === null) this.#waitingForState.set(key, { signal, expiresAt })
    else this.#deliver(signal, expiresAt, key, epoch)
  }

  ready(binding: Binding): void {
    this.#binding = binding
    this.streamsMoved()
  }

  paused(): void {
    this.#binding = null
  }

  /** The participant of a stream that is gone will not speak again. */
  gone(streamId: string): void {
    for (const map of [this.#sent, this.#heard, this.#waitingToSend, this.#waitingForState])
      for (const key of [...map.keys()]) if (key.startsWith(`${streamId} `)) map.delete(key)
  }

  /** Lets go of what waited, unless it waited too long. */
  streamsMoved(): void {
    for (const [key, { signal, expiresAt }] of [...this.#waitingToSend])
      if (this.#transmit(signal, expiresAt, key)) this.#waitingToSend.delete(key)
    for (const [key, { signal, expiresAt }] of [...this.#waitingForState]) {
      const epoch = this.#ports.epochOf(signal.stream_id)
      if (epoch === null) continue
      this.#waitingForState.delete(key)
      this.#deliver(signal, expiresAt, key, epoch)
    }
  }

  /** True when there is no more to do, because it went out or is too old for that. */
  #transmit(signal: OutgoingSignal, expiresAt: number, key: string): boolean {
    const ttl_ms = Math.floor(expiresAt - this.#env.now())
    if (ttl_ms < 1) return true
    const stream_epoch = this.#ports.epochOf(signal.streamId)
    if (!this.#binding || stream_epoch === null) return false
    const signal_seq = next(this.#sent.get(key) ?? '0')
    this.#sent.set(key, signal_seq)
    const { streamId: stream_id, sourceId: source_id, name, body } = signal
    const content = {
      binding: this.#binding,
      stream_id,
      stream_epoch,
      source_id,
      signal_seq,
      ttl_ms,
      name,
      body,
    }
    this.#ports.send({ control_signal: content })
    return true
  }

  #deliver(signal: ControlSignal, expiresAt: number, key: string, epoch: string): void {
    const { stream_epoch, signal_seq, ttl_ms: ttlMs, name, body } = signal
    const heard = this.#heard.get(key)
    const repeated = heard?.epoch === stream_epoch && !isAfter(signal_seq, heard.seq)
    if (repeated || stream_epoch !== epoch || expiresAt <= this.#env.now()) return
    this.#heard.set(key, { epoch: stream_epoch, seq: signal_seq })
    const { stream_id: streamId, source_id: sourceId } = signal
    this.#received.emit({ streamId, sourceId, name: name as SignalName, body, ttlMs, expiresAt })
  }
}

/** An id holds no space. */
const keyOf = (...ids: string[]) => ids.join(' ')
