import {
  type ControlSignal,
  isSignalName,
  type SignalName,
  signals,
  utf8Length,
} from '@lectern/protocol/control'
import { SIGNAL_BODY_MAX_BYTES, SIGNAL_TTL_MAX_MS } from '../limits/constants.ts'
import type { ControlDependencies } from '../ports.ts'
import type { Connection } from './connection.ts'

/**
 * Relays a signal of a participant to the others in the session (rules N1 to N4). Signals have no answer, so that what
 * is not allowed is dropped.
 */
export function relaySignal(
  { streams, notifications }: ControlDependencies,
  connection: Connection,
  signal: ControlSignal,
): void {
  const { binding, stream_id, stream_epoch, source_id, signal_seq, ttl_ms, name, body } = signal
  if (!connection.isCurrent(binding) || !isClientSignal(name)) return
  const membership = connection.memberships.get(stream_id)
  const stream = connection.subscriptions.get(stream_id)?.stream
  if (stream?.epoch !== stream_epoch || membership?.participant.participantId !== source_id) return
  if (membership.kind === 'observer') return
  if (utf8Length(JSON.stringify(body)) > SIGNAL_BODY_MAX_BYTES) return
  const { sessionId } = membership.participant
  if (notifications.take(connection.login.user, streams.sessions.subscriberCount(sessionId))) return
  const ttlMs = Math.min(ttl_ms, SIGNAL_TTL_MAX_MS)
  streams.sessions.signal(sessionId, { sourceId: source_id, name, body, ttlMs, seq: signal_seq }, source_id)
}

const isClientSignal = (name: string): name is SignalName => isSignalName(name) && signals[name] === 'both'
