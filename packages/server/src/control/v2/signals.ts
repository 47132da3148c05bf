import {
  type ClientSignalName,
  type ControlSignal,
  isSignalBody,
  isSignalName,
  type SignalBody,
  signals,
  utf8Length,
} from '@lectern/protocol/control'
import { canWrite, mayPoint } from '../../sessions/policy.ts'
import type { Participant, Session } from '../../sessions/session.ts'
import { SIGNAL_BODY_MAX_BYTES, SIGNAL_TTL_MAX_MS } from '../limits/constants.ts'
import type { ControlDependencies } from '../ports.ts'
import type { Connection } from './connection.ts'

/**
 * Relays a signal of a participant to the others in the session (rules N1 to N7). Signals have no answer, so that what
 * is not allowed is dropped.
 */
export function relaySignal(
  { streams, registry, signals: limiter }: ControlDependencies,
  connection: Connection,
  signal: ControlSignal,
): void {
  const { binding, stream_id, stream_epoch, source_id, signal_seq, ttl_ms, name, body } = signal
  if (!connection.isCurrent(binding) || !isClientSignal(name)) return
  const membership = connection.memberships.get(stream_id)
  const stream = connection.subscriptions.get(stream_id)?.stream
  if (stream?.epoch !== stream_epoch || membership?.participant.participantId !== source_id) return
  if (membership.kind === 'observer') return
  if (utf8Length(JSON.stringify(body)) > SIGNAL_BODY_MAX_BYTES || !isSignalBody(name, body)) return
  const { sessionId } = membership.participant
  const session = registry.get(sessionId)
  const self = session?.participants.get(source_id)
  if (!session || !self || !PERMISSIONS[name](session, self, body as never)) return
  const { user } = connection.login
  if (!limiter.take(name, { user, receivers: streams.sessions.subscriberCount(sessionId) })) return
  const ttlMs = Math.min(ttl_ms, SIGNAL_TTL_MAX_MS)
  streams.sessions.signal(sessionId, { sourceId: source_id, name, body, ttlMs, seq: signal_seq }, source_id)
}

/** The senders of each signal. A signal without an entry does not compile. */
const PERMISSIONS: {
  [N in ClientSignalName]: (session: Session, self: Participant, body: SignalBody<N>) => boolean
} = {
  'chat.typing': () => true,
  'screen.pointer': (session, self, { publication_id }) => mayPoint(session, self, publication_id),
  'reaction.shown': canWrite,
  'board.ink': () => false,
  'board.pointer': () => false,
}

const isClientSignal = (name: string): name is ClientSignalName =>
  isSignalName(name) && signals[name] === 'both'
