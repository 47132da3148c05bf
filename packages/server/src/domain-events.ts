import type { ConversionFailure, FilePurpose } from '@lectern/protocol'
import type { Presence } from '@lectern/protocol/control'
import type { Logger } from 'pino'
import type { User } from './accounts/ports.ts'
import type { SessionDomainEvents } from './sessions/domain-events.ts'

/** Events of one part of the server that matter to others, in the past tense. */
export interface DomainEventMap extends SessionDomainEvents {
  'account-renamed': { user: User }
  /** A recording or a transcript was stored, of which a partner may have to be notified. */
  'record-stored': Record<never, never>
  'document-changed': DocumentChanged
  'message-stored': MessageStored
  /** The relation of two accounts changed: a request, a contact, or a block. */
  'contacts-changed': { userId: number; otherId: number }
  'call-ringing': CallRinging
  /** The presence of an account, here or on another server, as its contacts see it. */
  'presence-changed': { userId: number; presence: Presence }
  'ringing-stopped': RingingStopped
  /** A device of the account, here or on another server, was silent until its time was over. */
  'device-vanished': { userId: number }
}

/**
 * A page of a document was added, or its conversion has ended. Published by the server that runs the session of the
 * conference; one may be lost between servers, so whoever needs all pages reads them when the session is opened.
 */
export interface DocumentChanged {
  fileId: string
  conferenceTag: string
  /** The session in which the document was uploaded; 0: none. */
  sessionId: number
  userId: number
  purpose: FilePurpose
  name: string
  /** ready or failed: the conversion has ended. */
  state: string
  failure: ConversionFailure | null
  pageCount: number | null
  /** The pages that are done, in order. Pixels of the largest picture; `failure`: the page cannot be shown. */
  pages: { pageNumber: number; width: number; height: number; failure: ConversionFailure | null }[]
}

/** A new message of a conversation is durable. Not published again for a repeated command. */
export interface MessageStored {
  message: { id: string; userId: number; displayName: string; text: string; sentAtMs: number }
  /** `title`: of a conference; direct conversations have none. */
  chat: { id: string; kind: 'direct' | 'conference'; title: string }
  /**
   * Every member but the sender. `isMuted`: the member muted the conversation or its sender. `isRequest`: the message is
   * part of a contact request that the member has not accepted.
   */
  recipients: { userId: number; isMuted: boolean; isRequest?: boolean }[]
}

interface RungCall {
  id: string
  /** The revision of the call with which the change was stored. */
  revision: number
  inviter: { userId: number; displayName: string }
}

/** A call started to ring for these people. */
export interface CallRinging {
  call: RungCall & { video: boolean; ringsUntilMs: number }
  userIds: number[]
}

/** These people need not be notified of the call any more. */
export interface RingingStopped {
  call: RungCall
  /** `missed`: they did not answer in time, or the call was cancelled or ended before. */
  people: { userId: number; reason: 'answered' | 'declined' | 'missed' }[]
}

export type DomainEventName = keyof DomainEventMap
type Handler<N extends DomainEventName> = (event: DomainEventMap[N]) => void | Promise<void>

/**
 * Events between the parts of one server process. Handlers run at once, in the order of their subscriptions; their
 * failures are logged and never reach the publisher.
 */
export class DomainEvents {
  readonly #handlers = new Map<DomainEventName, Handler<never>[]>()
  readonly #log: Pick<Logger, 'error'>

  constructor(log: Pick<Logger, 'error'>) {
    this.#log = log
  }

  subscribe<N extends DomainEventName>(name: N, handler: Handler<N>): void {
    this.#handlers.set(name, [...(this.#handlers.get(name) ?? []), handler])
  }

  publish<N extends DomainEventName>(name: N, event: DomainEventMap[N]): void {
    for (const handler of this.#handlers.get(name) ?? []) this.#run(name, handler as Handler<N>, event)
  }

  #run<N extends DomainEventName>(name: N, handler: Handler<N>, event: DomainEventMap[N]): void {
    const onError = (error: unknown) =>
      this.#log.error({ err: error, event: name }, 'a handler of a domain event failed')
    try {
      handler(event)?.catch(onError)
    } catch (error) {
      onError(error)
    }
  }
}
