import { Refusal } from '@lectern/protocol'
import type { DomainEvents } from '../../domain-events.ts'
import type {
  Conference,
  ConferenceDirectory,
  EventSink,
  LobbyEvent,
  Media,
  SessionEvent,
  SessionJobs,
  SessionRef,
  TranscriptionOptions,
} from '../ports.ts'

/** Records the calls. */
export class FakeMedia implements Media {
  readonly calls: string[] = []

  openRoom = ({ sessionId }: { sessionId: number }) => this.#record('openRoom', sessionId)
  closeRoom = (sessionId: number) => this.#record('closeRoom', sessionId)
  releaseRoom = (sessionId: number) => this.#record('releaseRoom', sessionId)
  closeParticipant = (sessionId: number, participantId: string) =>
    this.#record('closeParticipant', sessionId, participantId)
  mute = (sessionId: number, participantId: string, source: string) =>
    this.#record('mute', sessionId, participantId, source)

  #record(...words: (string | number)[]) {
    this.calls.push(words.join(' '))
  }
}

/** Records the calls, and what sessions publish for jobs. */
export class FakeJobs implements SessionJobs {
  readonly calls: string[] = []
  isTranscriberThere = true

  subscribe(domainEvents: DomainEvents) {
    domainEvents.subscribe('session-started', ({ session: { sessionId, tag }, kind }) => {
      this.calls.push(`began ${sessionId} ${tag} ${kind}`)
    })
    domainEvents.subscribe('session-ended', ({ sessionId }) => {
      this.calls.push(`ended ${sessionId}`)
    })
    domainEvents.subscribe('session-lost', ({ sessionId }) => {
      this.calls.push(`lost ${sessionId}`)
    })
  }
  async startRecording({ sessionId }: SessionRef) {
    this.calls.push(`start ${sessionId}`)
  }
  async stopRecording(sessionId: number) {
    this.calls.push(`stop ${sessionId}`)
  }
  hasTranscriber = () => this.isTranscriberThere
  canTranscribe = (language: string) => language !== 'xx'
  async startTranscription({ sessionId }: SessionRef, { language = 'any' }: TranscriptionOptions) {
    this.calls.push(`transcribe ${sessionId} ${language}`)
  }
  async stopTranscription(sessionId: number) {
    this.calls.push(`stop transcribing ${sessionId}`)
  }
}

/** Records what is published. */
export class FakeEvents implements EventSink {
  readonly published: { sessionId: number; event: SessionEvent }[] = []
  readonly detached: string[] = []
  readonly subscribers = new Set<string>()
  readonly closed: number[] = []
  /** The lobby status of accounts. */
  readonly notifications: { userId: number; body: LobbyEvent['body'] }[] = []

  notifyAccount(userId: number, { body }: LobbyEvent) {
    this.notifications.push({ userId, body })
  }
  publish(sessionId: number, event: SessionEvent) {
    // A copy, as on the wire: the session may change the original.
    this.published.push({ sessionId, event: structuredClone(event) })
  }
  detach(_sessionId: number, participantId: string) {
    this.detached.push(participantId)
  }
  isSubscribed = (_sessionId: number, key: string) => this.subscribers.has(key)
  close(sessionId: number) {
    this.closed.push(sessionId)
  }

  /** Removes and returns what was published. */
  take(): SessionEvent[] {
    return this.published.splice(0).map(({ event }) => event)
  }
}

export class FakeDirectory implements ConferenceDirectory {
  readonly known = new Map<string, Conference>()
  readonly closed = new Set<string>()
  /** The partner's ids of accounts, by tag. */
  readonly externalIds = new Map<string, Map<number, string>>()

  constructor(...tags: string[]) {
    for (const tag of tags)
      this.known.set(tag, { tag, title: `About ${tag}`, kind: 'partner', ownerId: null, entry: 'open' })
  }

  async find(tag: string) {
    if (this.closed.has(tag)) throw new Refusal('room_closed')
    return this.known.get(tag) ?? null
  }

  externalIdsOf = async (tag: string, userIds: number[]) =>
    new Map([...(this.externalIds.get(tag) ?? [])].filter(([id]) => userIds.includes(id)))
}
