import type { Logger } from 'pino'
import type { Clock } from '../../platform/clock.ts'
import type { EventSink, LobbyEvent, SessionEvent } from '../../sessions/ports.ts'
import type { AccountNotice } from './account-state.ts'
import { AccountStreams } from './account-streams.ts'
import type { EventBus } from './event-bus.ts'
import { PageStreams } from './page-streams.ts'
import { type SessionSource, SessionStreams } from './session-streams.ts'
import type { Stream, StreamEncoder } from './stream.ts'
import type { EventDelivery } from './verification.ts'

interface StreamsOptions {
  bus: EventBus<AccountNotice>
  sessions: SessionSource
  encoder: StreamEncoder
  clock: Clock
  log: Pick<Logger, 'warn'>
  delivery: EventDelivery
}

/** All streams of a server. Sessions publish here. */
export class ServerStreams implements EventSink {
  readonly accounts: AccountStreams
  readonly sessions: SessionStreams
  readonly pages: PageStreams

  constructor(parts: StreamsOptions) {
    this.accounts = new AccountStreams(parts)
    this.sessions = new SessionStreams(parts)
    this.pages = new PageStreams(parts.encoder)
  }

  get size(): number {
    return this.accounts.size + this.sessions.size + this.pages.size
  }

  publish(sessionId: number, event: SessionEvent): void {
    this.sessions.publish(sessionId, event)
  }

  detach(sessionId: number, participantId: string): void {
    this.pages.detachFromAll(sessionId, participantId)
    this.sessions.detach(sessionId, participantId)
  }

  isSubscribed(sessionId: number, key: string): boolean {
    return this.sessions.isSubscribed(sessionId, key)
  }

  close(sessionId: number): void {
    this.pages.closeAll(sessionId)
    this.sessions.close(sessionId)
  }

  notifyAccount(userId: number, event: LobbyEvent): void {
    this.accounts.publish(userId, event)
  }

  /** The stream of a session exists as long as the session; the stream of an account as long as it has subscribers. */
  unsubscribe(stream: Stream, key: string): void {
    if (stream.subject.kind === 'account') this.accounts.unsubscribe(stream, key)
    else stream.subscribers.delete(key)
  }
}
