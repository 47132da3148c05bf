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

/** Remembers what it was asked. */
export class FakeMedia implements Media {
  readonly asked: string[] = []

  openRoom = (sessionId: number) => this.#note('openRoom', sessionId)
  closeRoom = (sessionId: number) => this.#note('closeRoom', sessionId)
  closeParticipant = (sessionId: number, participantId: string) =>
    this.#note('closeParticipant', sessionId, participantId)
  mute = (sessionId: number, participantId: string, source: string) =>
    this.#note('mute', sessionId, participantId, source)

  #note(...words: (string | number)[]) {
    this.asked.push(words.join(' '))
  }
}

/** Remembers what it was told and asked. */
export class FakeJobs implements SessionJobs {
  readonly heard: string[] = []
  isTranscriberThere = true

  subscribe(domainEvents: DomainEvents) {
    domainEvents.subscribe('session-started', ({ session: { sessionId, tag }, kind }) => {
      this.heard.push(`began ${sessionId} ${tag} ${kind}`)
    })
    domainEvents.subscribe('session-ended', ({ sessionId }) => {
      this.heard.push(`ended ${sessionId}`)
    })
  }
  async startRecording({ sessionId }: SessionRef) {
    this.heard.push(`start ${sessionId}`)
  }
  async stopRecording(sessionId: number) {
    this.heard.push(`stop ${sessionId}`)
  }
  hasTranscriber = () => this.isTranscriberThere
  async startTranscription({ sessionId }: SessionRef, { language = 'any' }: TranscriptionOptions) {
    this.heard.push(`transcribe ${sessionId} ${language}`)
  }
  async stopTranscription(sessionId: number) {
    this.heard.push(`stop transcribing ${sessionId}`)
  }
}

/** Remembers what everybody was told. */
export class FakeEvents implements EventSink {
  readonly published: { sessionId: number; event: SessionEvent }[] = []
  readonly detached: string[] = []
  readonly closed: number[] = []
  /** What waiting accounts were told. */
  readonly notices: { userId: number; body: LobbyEvent['body'] }[] = []

  notifyAccount(userId: number, { body }: LobbyEvent) {
    this.notices.push({ userId, body })
  }
  publish(sessionId: number, event: SessionEvent) {
    // What crosses the wire is a copy.
    this.published.push({ sessionId, event: structuredClone(event) })
  }
  detach(_sessionId: number, participantId: string) {
    this.detached.push(participantId)
  }
  close(sessionId: number) {
    this.closed.push(sessionId)
  }

  /** What was told since the last look. */
  take(): SessionEvent[] {
    return this.published.splice(0).map(({ event }) => event)
  }
}

export class FakeDirectory implements ConferenceDirectory {
  readonly known = new Map<string, Conference>()
  readonly closed = new Set<string>()

  constructor(...tags: string[]) {
    for (const tag of tags)
      this.known.set(tag, { tag, title: `About ${tag}`, kind: 'partner', ownerId: null, entry: 'open' })
  }

  async find(tag: string) {
    if (this.closed.has(tag)) throw new Refusal('room_closed')
    return this.known.get(tag) ?? null
  }
}
