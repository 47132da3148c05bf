import type { FastifyPluginAsync } from 'fastify'
import type { Logger } from 'pino'
import type { Clock } from '../../platform/clock.ts'
import type { DeliveryQueue } from '../../platform/delivery/queue.ts'
import type { Limits } from '../../platform/route-limits.ts'
import type { GradeStore, GradeToSend } from '../stores/lti/grades.ts'
import type { LoginStore } from '../stores/lti/logins.ts'
import type { PlatformStore } from '../stores/lti/platforms.ts'
import type { PartnerFacts } from '../stores/v2/facts.ts'
import type { PeopleStore } from '../stores/v2/people.ts'
import type { KnownPeople } from '../v2/events/known-people.ts'
import type { People } from '../v2/people/people.ts'
import type { HostedRooms } from '../v2/rooms/hosted-rooms.ts'
import { Grades } from './grades.ts'
import type { FetchPlatform } from './http.ts'
import { Launches } from './launches.ts'
import { Lessons } from './lessons.ts'
import type { PlatformTokens } from './platform-tokens.ts'
import { Registrations } from './registrations.ts'
import { ltiRoutes } from './routes/routes.ts'
import type { ToolKey } from './tool-key.ts'

/** The other parts of the server that LTI needs. */
export interface LtiParts {
  stores: { platforms: PlatformStore; logins: LoginStore; grades: GradeStore }
  key: ToolKey
  tokens: PlatformTokens
  fetch: FetchPlatform
  queue: Pick<DeliveryQueue<GradeToSend>, 'wake'>
  allowInsecure: boolean
  frameAncestors: readonly string[]
  log: Logger
}

interface SharedParts {
  rooms: HostedRooms
  people: People
  peopleStore: PeopleStore
  facts: PartnerFacts
  known: KnownPeople
  /** Whether a service account of the technical user is active. */
  isUsable: (clientId: number) => Promise<boolean>
  publicUrl: () => string
  clock: Clock
}

export interface Lti {
  routes: (limits: Limits) => FastifyPluginAsync
  /** Reports attendance, and forgets launches that have expired. Call it every few seconds. */
  tick: () => Promise<unknown>
}

/** LTI 1.3: courses of learning management systems open rooms (docs/lti.md). */
export function createLti(parts: LtiParts, shared: SharedParts): Lti {
  const { stores, key, tokens, fetch, queue, allowInsecure, frameAncestors, log } = parts
  const { rooms, people, facts, known, isUsable, publicUrl, clock } = shared
  const { platforms, logins, grades: store } = stores
  const launches = new Launches({ platforms, logins, isUsable, fetch, publicUrl, clock })
  const registrations = new Registrations({ store: platforms, fetch, allowInsecure, publicUrl, clock })
  const lessons = new Lessons({
    rooms,
    people,
    grades: store,
    tokens,
    key,
    fetch,
    allowInsecure,
    publicUrl,
    log,
  })
  const grades = new Grades({ store, platforms, people: shared.peopleStore, facts, known, queue, clock, log })
  const routes = { launches, lessons, registrations, key, frameAncestors, publicUrl }
  return {
    routes: limits => ltiRoutes(routes, limits),
    tick: () => Promise.all([grades.poll(), logins.removeExpired(clock())]),
  }
}
