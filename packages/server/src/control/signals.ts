import {
  type ControlSignal,
  isSignalName,
  type SignalName,
  signals,
  utf8Length,
} from '@lectern/protocol/control'
import type { Connection } from './connection.ts'
import { SIGNAL_BODY_BYTES, SIGNAL_TTL_MS } from './limits.ts'
import type { ControlParts } from './ports.ts'

/**
 * Passes a signal of one person on to the others in the session (rules N1 to N4). Nothing answers a signal, so
 * what may not be said is dropped.
 */
export function passOn(
  { streams, notifications }: ControlParts,
  connection: Connection,
  signal: ControlSignal,
): void {
  const { binding, stream_id, stream_epoch, source_id, signal_seq, ttl_ms, name, body } = signal
  if (!connection.isCurrent(binding) || !mayBeSent(name)) return
  const seat = connection.seats.get(stream_id)
  const stream = connection.subscriptions.get(stream_id)?.stream
  if (stream?.epoch !== stream_epoch || seat?.place.participantId !== source_id) return
  if (seat.baseRole === 'observer') return
  if (utf8Length(JSON.stringify(body)) > SIGNAL_BODY_BYTES) return
  if (notifications.take(connection.login.user, streams.receivers(stream_id))) return
  const ttlMs = Math.min(ttl_ms, SIGNAL_TTL_MS)
  streams.signal(stream_id, { sourceId: source_id, name, body, ttlMs, seq: signal_seq }, source_id)
}

const mayBeSent = (name: string): name is SignalName => isSignalName(name) && signals[name] === 'both'
