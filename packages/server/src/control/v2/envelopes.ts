import type { Stream, StreamEncoder } from '../../streams/stream.ts'

/**
 * Envelopes are encoded once for all receivers: as the text that follows the binding, which is the only part that
 * differs between connections.
 */
export const encodeTail = (content: object): string => JSON.stringify(content).slice(1)

const positionOf = ({ id, epoch }: Stream) => ({ stream_id: id, stream_epoch: epoch })

/** Events and signals of streams as the tails of `control_event` and `control_signal`. */
export const envelopeEncoder: StreamEncoder = {
  event: (stream, { seq, name, body, version }) =>
    encodeTail({
      event_id: `${stream.id}:${stream.epoch}:${seq}`,
      ...positionOf(stream),
      seq: String(seq),
      aggregate: stream.subject,
      aggregate_version: version,
      name,
      body,
    }),
  signal: (stream, { sourceId, seq, ttlMs, name, body }) =>
    encodeTail({
      ...positionOf(stream),
      source_id: sourceId,
      signal_seq: seq,
      ttl_ms: ttlMs,
      name,
      body,
    }),
}
