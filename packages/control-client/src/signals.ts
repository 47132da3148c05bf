import { Emitter } from '@lectern/common'
import type {
  Binding,
  ControlFrame,
  ControlSignal,
  JsonObject,
  SignalName,
} from '@lectern/protocol/control/client'
import { isAfter, next } from './counter.ts'
import type { Environment } from './environment.ts'

export interface OutgoingSignal {
  streamId: string
  /** The participant that the signal is about. */
  sourceId: string
  name: SignalName
  body: JsonObject
  ttlMs: number
}

/** A signal and its expiry on the environment's clock. */
export interface IncomingSignal extends OutgoingSignal {
  expiresAt: number
}

export interface SignalPorts {
  send(frame: ControlFrame): unknown
  /** Null while the stream has no state; signals wait for it until they expire. */
  epochOf(streamId: string): string | null
}

/** Ephemeral messages: only the newest of each stream, source and name counts (rule C14). */
export class Signals {
  #env: Environment
  #ports: SignalPorts
  #binding: Binding | null = null
  #lastSent = new Map<string, string>()
  #lastReceived = new Map<string, { epoch: string; seq: string }>()
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
    this.onStreamProgress()
  }

  onDisconnected(): void {
    this.#binding = null
  }

  /** Drops everything about the stream. */
  onStreamRemoved(streamId: string): void {
    for (const map of [this.#lastSent, this.#lastReceived, this.#waitingToSend, this.#waitingForState])
      for (const key of [...map.keys()]) if (key.startsWith(`${streamId} `)) map.delete(key)
  }

  /** Sends and delivers waiting signals whose stream has its state now, unless they have expired. */
  onStreamProgress(): void {
    for (const [key, { signal, expiresAt }] of [...this.#waitingToSend])
      if (this.#transmit(signal, expiresAt, key)) this.#waitingToSend.delete(key)
    for (const [key, { signal, expiresAt }] of [...this.#waitingForState]) {
      const epoch = this.#ports.epochOf(signal.stream_id)
      if (epoch === null) continue
      this.#waitingForState.delete(key)
      this.#deliver(signal, expiresAt, key, epoch)
    }
  }

  /** Returns true when the signal was sent or has expired. */
  #transmit(signal: OutgoingSignal, expiresAt: number, key: string): boolean {
    const ttl_ms = Math.floor(expiresAt - this.#env.now())
    if (ttl_ms < 1) return true
    const stream_epoch = this.#ports.epochOf(signal.streamId)
    if (!this.#binding || stream_epoch === null) return false
    const signal_seq = next(this.#lastSent.get(key) ?? '0')
    this.#lastSent.set(key, signal_seq)
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
    const last = this.#lastReceived.get(key)
    const isOutdated = last?.epoch === stream_epoch && !isAfter(signal_seq, last.seq)
    if (isOutdated || stream_epoch !== epoch || expiresAt <= this.#env.now()) return
    this.#lastReceived.set(key, { epoch: stream_epoch, seq: signal_seq })
    const { stream_id: streamId, source_id: sourceId } = signal
    this.#received.emit({ streamId, sourceId, name: name as SignalName, body, ttlMs, expiresAt })
  }
}

/** Ids contain no space. */
const keyOf = (...ids: string[]) => ids.join(' ')
