import { randomUUID } from 'node:crypto'
import { ROOM_PEOPLE_MAX } from '@lectern/protocol'
import type { Logger } from 'pino'
import type { Clock } from '../../platform/clock.ts'
import type { MakeAttempt } from '../../platform/delivery/queue.ts'
import { Postponed } from '../../platform/postponed.ts'
import type { GradeStore, GradeToSend, UngradedRoom } from '../stores/lti/grades.ts'
import type { PlatformStore } from '../stores/lti/platforms.ts'
import type { PartnerFacts } from '../stores/v2/facts.ts'
import type { PeopleStore } from '../stores/v2/people.ts'
import type { KnownPeople } from '../v2/events/known-people.ts'
import { settlementOf } from '../v2/events/retry-policy.ts'
import { SCORE_SCOPE } from './claims.ts'
import type { FetchPlatform } from './http.ts'
import { isStudent, userOf } from './people.ts'
import type { PlatformTokens } from './platform-tokens.ts'
import { type Interval, lessonOf, presencePercent } from './presence.ts'

interface GradesParts {
  store: GradeStore
  platforms: PlatformStore
  people: PeopleStore
  facts: PartnerFacts
  known: KnownPeople
  queue: { wake(): void }
  clock: Clock
  log: Pick<Logger, 'error'>
}

const BATCH_SIZE = 20
/** A room that could not be graded lets others pass for so long. */
const RETRY_AFTER_MS = 60_000

/** Attendance as a grade (LTI Assignment and Grade Services 2.0; docs/lti.md#attendance-as-a-grade). */
export class Grades {
  readonly #parts: GradesParts
  /** The tags of rooms that could not be graded. */
  readonly #postponed: Postponed<string>

  constructor(parts: GradesParts) {
    this.#parts = parts
    this.#postponed = new Postponed(parts.clock, RETRY_AFTER_MS)
  }

  /** Queues the grades of rooms whose sessions have ended. Never rejects; each room fails alone and is tried again after a minute. */
  async poll(): Promise<void> {
    const { store, queue, log } = this.#parts
    try {
      const rooms = await store.ungraded(BATCH_SIZE, this.#postponed.keys())
      for (const room of rooms)
        await this.#grade(room).catch(error => {
          this.#postponed.add(room.tag)
          log.error(
            { err: error, conference: room.tag },
            'the attendance of a room could not be reported: retried after a minute',
          )
        })
      if (rooms.length > 0) queue.wake()
    } catch (error) {
      log.error({ err: error }, 'attendance could not be reported: retried')
    }
  }

  async #grade(room: UngradedRoom): Promise<void> {
    const { store, platforms, people, facts, known, clock } = this.#parts
    const platform = await platforms.find(room.platformId)
    if (!platform) return store.add(room, [], clock())
    const sessions = await store.sessionsOf(room.tag, room.lastSessionId)
    const attendance = await facts.attendanceOf(sessions.map(({ id }) => id))
    const externalIds = await known.externalIds(
      platform.clientId,
      attendance.map(({ userId }) => userId),
    )
    const ends = new Map(sessions.map(({ id, endedAtMs }) => [id, Number(endedAtMs)]))
    const presence = attendance.map(each => ({
      externalId: externalIds.get(each.userId),
      isTeacher: each.role === 'moderator',
      interval: [each.joinedAtMs, each.leftAtMs ?? ends.get(each.sessionId) ?? each.joinedAtMs] as Interval,
    }))
    const lesson = lessonOf(
      presence.filter(({ isTeacher }) => isTeacher).map(({ interval }) => interval),
      sessions.map(each => [Number(each.startedAtMs), Number(each.endedAtMs)]),
    )
    const timestamp = new Date(clock()).toISOString()
    const grades = (await people.list(room.tag, { after: 0, limit: ROOM_PEOPLE_MAX })).flatMap(person => {
      const userId = userOf(platform, person)
      if (userId === null || !isStudent(person.role)) return []
      const inside = presence.filter(({ externalId }) => externalId === person.externalId)
      const scoreGiven = presencePercent(
        inside.map(({ interval }) => interval),
        lesson,
      )
      const progress = { activityProgress: 'Completed', gradingProgress: 'FullyGraded' }
      const body = JSON.stringify({ userId, scoreGiven, scoreMaximum: 100, timestamp, ...progress })
      return [{ id: randomUUID(), user: userId, body }]
    })
    await store.add(room, grades, clock())
  }
}

interface GradeAttemptParts {
  store: GradeStore
  platforms: PlatformStore
  tokens: PlatformTokens
  fetch: FetchPlatform
  clock: Clock
}

/** Attempts to report a grade, and records the outcome. */
export const gradeAttempts =
  ({ store, platforms, tokens, fetch, clock }: GradeAttemptParts): MakeAttempt<GradeToSend> =>
  async ({ delivery, leaseToken, signal }) => {
    const platform = await platforms.find(delivery.platformId)
    if (!platform) {
      await store.settle(delivery.id, leaseToken, {
        is: 'failed',
        responseStatus: null,
        error: 'PLATFORM_REMOVED',
      })
      return undefined
    }
    const send = async () => {
      const authorization = `Bearer ${await tokens.get(platform, SCORE_SCOPE)}`
      const headers = { authorization, 'content-type': 'application/vnd.ims.lis.v1.score+json' }
      const { status } = await fetch(scoresUrl(delivery.lineItem), {
        method: 'POST',
        headers,
        body: delivery.body,
        signal,
      })
      if (status === 401) tokens.forget(platform, SCORE_SCOPE)
      return { is: 'answered', status } as const
    }
    const outcome = await send().catch(error => ({
      is: 'unreachable' as const,
      reason: String(error instanceof Error ? error.message : error),
    }))
    const settlement = settlementOf(outcome, delivery.attempts, clock())
    await store.settle(delivery.id, leaseToken, settlement)
    return settlement.is === 'delivered'
  }

/** Line items of Moodle have a query, which stays behind the path (LTI AGS 2.0, section 3.4.1). */
function scoresUrl(lineItem: string): string {
  const url = new URL(lineItem)
  url.pathname = `${url.pathname.replace(/\/$/, '')}/scores`
  return url.href
}
