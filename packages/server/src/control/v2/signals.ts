import {
  type ClientSignalName,
  type ControlSignal,
  isSignalBody,
  isSignalName,
  type SignalBody,
  signals,
  utf8Length,
} from '@lectern/protocol/control'
import { mayDraw, pageOf } from '../../sessions/board/rights.ts'
import { canReact, canWrite, mayPoint } from '../../sessions/policy.ts'
import type { Participant, Session } from '../../sessions/session.ts'
import { findMembership } from '../commands/memberships.ts'
import { INK_TTL_MAX_MS, SIGNAL_BODY_MAX_BYTES, SIGNAL_TTL_MAX_MS } from '../limits/constants.ts'
import type { ControlParts } from '../ports.ts'
import type { Stream } from '../streams/stream.ts'
import type { Connection } from './connection.ts'

/**
 * Relays a signal of a participant to the others in the session (rules N1 to N7, BOARD-14). Signals have no answer, so that what
 * is not allowed is dropped.
 */
export function relaySignal(
  { streams, registry, signals: limiter }: ControlParts,
  connection: Connection,
  signal: ControlSignal,
): void {
  const { binding, stream_id, stream_epoch, source_id, signal_seq, ttl_ms, name, body } = signal
  if (!connection.isCurrent(binding) || !isClientSignal(name)) return
  const stream = connection.subscriptions.get(stream_id)?.stream
  const page = pageIn(stream)
  if (!stream || isPageSignal(name) !== (page !== null)) return
  const membership = page
    ? findMembership(connection, { kind: 'conference_session', id: String(page.sessionId) })
    : connection.memberships.get(stream_id)
  if (stream?.epoch !== stream_epoch || membership?.participant.participantId !== source_id) return
  if (membership.kind === 'observer') return
  if (utf8Length(JSON.stringify(body)) > SIGNAL_BODY_MAX_BYTES || !isSignalBody(name, body)) return
  const { sessionId } = membership.participant
  const session = registry.get(sessionId)
  const self = session?.participants.get(source_id)
  if (!session || !self || !PERMISSIONS[name](session, self, body as never, page?.pageId ?? '')) return
  const { user } = connection.login
  const receivers = page ? stream.subscribers.size : streams.sessions.subscriberCount(sessionId)
  if (!limiter.take(name, { user, receivers, sessionId })) return
  const ttlMs = Math.min(ttl_ms, name === 'board.ink' ? INK_TTL_MAX_MS : SIGNAL_TTL_MAX_MS)
  const relayed = { sourceId: source_id, name, body, ttlMs, seq: signal_seq }
  if (page) streams.pages.signal(page, relayed)
  else streams.sessions.signal(sessionId, relayed, source_id)
}

/** The senders of each signal. A signal without an entry does not compile. */
const PERMISSIONS: {
  [N in ClientSignalName]: (
    session: Session,
    self: Participant,
    body: SignalBody<N>,
    pageId: string,
  ) => boolean
} = {
  'chat.typing': canWrite,
  'screen.pointer': (session, self, { publication_id }) => mayPoint(session, self, publication_id),
  'reaction.shown': canReact,
  'board.ink': (session, self, _, pageId) => mayDrawOn(session, self, pageId),
  'board.pointer': (session, self, _, pageId) => mayDrawOn(session, self, pageId),
}

const isClientSignal = (name: string): name is ClientSignalName =>
  isSignalName(name) && signals[name] === 'both'

const isPageSignal = (name: ClientSignalName) => name.startsWith('board.')

/** The page of a page's stream; null: the stream is a session's. */
function pageIn(stream: Stream | undefined): { sessionId: number; pageId: string } | null {
  if (stream?.subject.kind !== 'board_page') return null
  const [sessionId = '', pageId = ''] = stream.subject.id.split('.')
  return { sessionId: Number(sessionId), pageId }
}

function mayDrawOn({ board }: Session, self: Participant, pageId: string): boolean {
  const page = board && pageOf(board.deck, pageId)
  return !!page && mayDraw(board.deck, page, self)
}
