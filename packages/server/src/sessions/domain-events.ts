import type { JobKind } from '@lectern/protocol/control'
import type { Conference, ConferenceSettings, MediaEvent, OwnSession } from './ports.ts'

/** Events of sessions and media that matter to other parts of the server. */
export interface SessionDomainEvents {
  /** Somebody is inside; after a restart of the server it is published again. */
  'session-started': {
    session: OwnSession
    kind: Conference['kind']
    settings?: ConferenceSettings | undefined
  }
  'session-ended': { sessionId: number }
  /** This server does not run the session any more, which continues: people inside MUST connect again. */
  'session-lost': { sessionId: number }
  /** These connections wait in a lobby whose conference another server runs: they MUST connect again. */
  'waiters-misplaced': { connectionIds: string[] }
  /** Media of a session changed by itself. */
  'media-changed': { sessionId: number; event: MediaEvent }
  /** Whether a worker does such a job in the session right now. It may be published again without a change. */
  'job-activity-reported': { sessionId: number; kind: JobKind; isActive: boolean }
}

/** Connects sessions with the other parts of the server. Handlers run at once; no method throws. */
export interface SessionEventBus {
  publish<N extends keyof SessionDomainEvents>(name: N, event: SessionDomainEvents[N]): void
  subscribe<N extends keyof SessionDomainEvents>(
    name: N,
    handler: (event: SessionDomainEvents[N]) => void,
  ): void
}
