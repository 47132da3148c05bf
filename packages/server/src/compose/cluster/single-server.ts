import { type EventBus, InMemoryEventBus } from '../../control/streams/event-bus.ts'
import type { EventDelivery } from '../../control/streams/verification.ts'
import type { MediaServer, SfuEvents } from '../../media/ports.ts'
import type { CallSupervision } from '../../messaging/calls/ports.ts'
import type { CallStore } from '../../messaging/stores/calls.ts'
import type { AcquireResult, LeasedSession, SessionLeases } from '../../sessions/leases.ts'
import { previewSession } from '../../sessions/participants/participant-preview.ts'
import type { ParticipantStore, SessionParts, SessionStore, StoredSession } from '../../sessions/ports.ts'
import type { ServerContext } from '../context.ts'
import { startSfu } from '../media.ts'
import type { Stores } from '../stores.ts'
import type { Cluster, GatewayParts, RelayPart, SessionGateway } from './cluster.ts'

const LOCAL = 'local'

/** Events in memory. */
export const lossless: EventDelivery = { verifyEveryMs: () => null, onLost: () => {} }

const forgetful: ParticipantStore = {
  add: async () => true,
  rename: async () => {},
  remove: async () => {},
  list: async () => [],
  clear: async () => {},
  findByConnection: async () => [],
}

/** For a server whose media ends with it: the next one restores no participants. */
export const noTakeover: Pick<SessionParts, 'participants' | 'takeOverMedia'> = {
  participants: forgetful,
  takeOverMedia: async () => null,
}

/** This server supervises all calls. */
export const localSupervision = (store: Pick<CallStore, 'listOpen'>): CallSupervision => ({
  take: () => store.listOpen({}),
  claim: async () => {},
  handOver: async () => {},
})

/** The only server of an installation: it runs everything, and no event is lost. */
export class SingleServer implements Cluster {
  readonly self = { id: LOCAL, name: null }
  readonly members = { list: () => [] }
  readonly delivery = { ...lossless, isReliable: true }
  readonly queries = { serve: () => {}, askOthers: async () => [] }
  readonly gauges = {}
  readonly #context: ServerContext

  constructor(context: ServerContext) {
    this.#context = context
  }

  bus<Event>(): EventBus<Event> {
    return new InMemoryEventBus()
  }

  sharePresence(): { isComplete: boolean } {
    return { isComplete: true }
  }

  reportStatus(): void {}

  async assertSharedSecret(): Promise<void> {}

  async adjustClock(): Promise<void> {}

  async openLeases({ sessions }: Pick<Stores, 'sessions'>): Promise<SessionLeases> {
    return new LocalLeases(sessions)
  }

  superviseCalls({ calls }: Pick<Stores, 'calls'>): CallSupervision {
    return localSupervision(calls)
  }

  openMedia(events: SfuEvents): Promise<MediaServer> {
    return startSfu(this.#context, events)
  }

  takeover(): typeof noTakeover {
    return noTakeover
  }

  openGateway({ conferences, registry }: GatewayParts): SessionGateway {
    return {
      end: (tag, reason) => conferences.end(tag, reason),
      startTranscription: (tag, options) => conferences.startTranscription(tag, options),
      stopTranscription: tag => conferences.stopTranscription(tag),
      reevaluateLobby: tag => conferences.reevaluateLobby(tag),
      performForPlatform: (tag, action) => conferences.performForPlatform(tag, action),
      listInside: tag => conferences.listInside(tag),
      findInside: (tag, userId) => conferences.findInside(tag, userId),
      preview: async tag => previewSession(registry.getByTag(tag)),
    }
  }

  openRelay(): RelayPart {
    return { relay: null, passing: null }
  }

  serveHandOver(): void {}
}

/** Leases that never run out, because nobody else holds one. */
export class LocalLeases implements SessionLeases {
  readonly #store: Pick<SessionStore, 'findOrOpen' | 'resumeOpen'>
  readonly owner = LOCAL
  readonly serverId = LOCAL
  #isStarted = false

  constructor(store: Pick<SessionStore, 'findOrOpen' | 'resumeOpen'>) {
    this.#store = store
  }

  async acquire(tag: string, atMs: number): Promise<AcquireResult> {
    return { is: 'acquired', ...toLeased(await this.#store.findOrOpen(tag, atMs)) }
  }

  /** All open sessions, once: later there are none that this server does not run. */
  async acquireVacant(): Promise<LeasedSession[]> {
    if (this.#isStarted) return []
    const sessions = await this.#store.resumeOpen()
    this.#isStarted = true
    return sessions.map(toLeased)
  }

  async renew(): Promise<void> {}

  check(): 'held' {
    return 'held'
  }

  async release(): Promise<void> {}

  async releaseAll(): Promise<void> {}

  async resume(): Promise<void> {}

  async findOwner(): Promise<null> {
    return null
  }

  async listOpen(): Promise<string[]> {
    return []
  }
}

function toLeased(stored: StoredSession): LeasedSession {
  const { sessionId, incarnation } = stored
  return { lease: { sessionId, incarnation, owner: LOCAL }, stored }
}
