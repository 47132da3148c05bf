import type { TargetKind } from '@lectern/protocol/control'
import type { Outcome } from '../commands/command.ts'
import type { Signal, Stream, StreamEncoder, StreamEvent } from '../streams/stream.ts'

/**
 * Envelopes are encoded once for all receivers: as the text that follows the binding, which is the only part that
 * differs between connections.
 */
export const encodeTail = (content: object): string => JSON.stringify(content).slice(1)

/** The tail of a `control_result` other than a refusal. */
export const encodeResult = (
  command_id: string,
  status: string,
  { data, aggregate, version }: Outcome = {},
): string => encodeTail({ command_id, status, aggregate, aggregate_version: version, data })

const positionOf = ({ id, epoch }: Stream) => ({ stream_id: id, stream_epoch: epoch })

/** The parts of all events of a stream that are the same, as text. */
interface StreamText {
  /** The event id up to the number. */
  idStart: string
  position: string
  aggregate: string
}

const textOf = (value: unknown) => JSON.stringify(value)

/** Events and signals of streams as the tails of `control_event` and `control_signal`. */
class EnvelopeEncoder implements StreamEncoder {
  readonly #streamTexts = new WeakMap<Stream, StreamText>()
  #body: { value: unknown; text: string } = { value: undefined, text: '' }

  event(stream: Stream, { seq, name, body, version }: StreamEvent & { seq: number }): string {
    const { idStart, position, aggregate } = this.#textOf(stream)
    const event = `"event_id":"${idStart}${seq}",${position},"seq":"${seq}",${aggregate}`
    return `${event},"aggregate_version":"${version}","name":"${name}","body":${this.#encodeBody(body)}}`
  }

  signal(stream: Stream, { sourceId, seq, ttlMs, name, body }: Signal): string {
    return encodeTail({
      ...positionOf(stream),
      source_id: sourceId,
      signal_seq: seq,
      ttl_ms: ttlMs,
      name,
      body,
    })
  }

  #textOf(stream: Stream): StreamText {
    const known = this.#streamTexts.get(stream)
    if (known) return known
    const { id, epoch, subject } = stream
    // The protocol has no kind for pages (docs/control-protocol.md#envelopes).
    const kind: TargetKind = subject.kind === 'board_page' ? 'operation' : subject.kind
    const text = {
      idStart: textOf(`${id}:${epoch}:`).slice(1, -1),
      position: textOf(positionOf(stream)).slice(1, -1),
      aggregate: textOf({ aggregate: { kind, id: subject.id } }).slice(1, -1),
    }
    this.#streamTexts.set(stream, text)
    return text
  }

  /** Once for a body that is in the streams of many accounts, such as a message. */
  #encodeBody(value: unknown): string {
    if (this.#body.value !== value) this.#body = { value, text: textOf(value) }
    return this.#body.text
  }
}

export const envelopeEncoder: StreamEncoder = new EnvelopeEncoder()
