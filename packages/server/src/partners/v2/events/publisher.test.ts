import { sql } from 'kysely'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openIntegrationStore, openMainStore } from '../../../platform/db/open.ts'
import { DatabaseUnavailable } from '../../../platform/db/unavailable.ts'
import { sessionStore } from '../../../sessions/stores/conference-sessions.ts'
import { participantStore } from '../../stores/participants.ts'
import { roomStore } from '../../stores/rooms.ts'
import { attendanceStore } from '../../stores/v2/attendance.ts'
import { roomDeletionStore } from '../../stores/v2/deletions.ts'
import { partnerEventStore } from '../../stores/v2/events.ts'
import { partnerFacts } from '../../stores/v2/facts.ts'
import { peopleStore } from '../../stores/v2/people.ts'
import { KnownPeople } from './known-people.ts'
import { EventPublisher } from './publisher.ts'

let main: Awaited<ReturnType<typeof openMainStore>>
let integration: Awaited<ReturnType<typeof openIntegrationStore>>
beforeAll(async () => {
  main = await openMainStore(':memory:')
  integration = await openIntegrationStore(':memory:')
})
afterAll(async () => {
  await integration.close()
  await main.close()
})

function partsOf(clientId: number) {
  const { db } = main
  const rooms = roomStore(integration.db)
  const nobody = { displayName: '', externalId: null, link: { version: 1, name: '' } }
  const content = {
    title: 'Algebra',
    description: null,
    startsAt: null,
    endsAt: null,
    board: 'keep' as const,
  }
  const room = { clientId, externalId: 'lesson', tag: `room-${clientId}`, status: 'scheduled' as const }
  const people = { teacher: nobody, student: nobody }
  const events = partnerEventStore(db)
  return {
    rooms,
    events,
    facts: partnerFacts(db),
    deletions: roomDeletionStore(db),
    known: new KnownPeople({
      participants: participantStore(integration.db),
      people: peopleStore(db),
    }),
    queue: { wake: () => {} },
    clock: Date.now,
    log: pino({ enabled: false }),
    addRoom: async () => (await rooms.findOrAdd({ ...room, ...content, people, settings: {} }, 1)).room,
    typesOf: async () => {
      const { events: found } = await events.list(clientId, {}, { after: 0, limit: 100 })
      return found.map(({ body }) => JSON.parse(body).type as string)
    },
  }
}

it('EVENTS-3 keep their order when the database does not answer for a moment', async () => {
  const { addRoom, typesOf, ...parts } = partsOf(1)
  const { tag } = await addRoom()
  const { sessionId, incarnation } = await sessionStore(main.db).findOrOpen(tag, 1)
  const attendance = attendanceStore(main.db)
  const anna = { participantId: '1.1.1', userId: 1, displayName: 'Anna', role: 'participant' as const }
  const lease = { sessionId, incarnation, owner: 'local' }
  await attendance.joined(lease, { ...anna, connectionId: 'c', joinedAtMs: 1 })
  await attendance.left(anna.participantId, 2, 'left')
  let failures = 0
  const publisher = new EventPublisher({
    ...parts,
    facts: {
      ...parts.facts,
      participant: id =>
        failures++ === 0
          ? Promise.reject(new DatabaseUnavailable(new Error('away')))
          : parts.facts.participant(id),
    },
  })
  await publisher.poll()
  await publisher.poll()
  expect(await typesOf()).toEqual(['room.started', 'participant.joined', 'participant.left'])
})

it('EVENTS-3 wait a minute at most for one that the database never reads', async () => {
  const { addRoom, typesOf, ...parts } = partsOf(5)
  const { tag } = await addRoom()
  let nowMs = 0
  const publisher = new EventPublisher({
    ...parts,
    clock: () => nowMs,
    facts: {
      ...parts.facts,
      participant: () => Promise.reject(new DatabaseUnavailable(new Error('never'))),
    },
  })
  const note = { tag, subject: 'participant:1', at_ms: 1, data: '{}' }
  for (const type of ['participant.joined', 'recording.started'])
    await main.db
      .insertInto('partner_outbox')
      .values({ ...note, type })
      .execute()
  await publisher.poll()
  nowMs = 59_999
  await publisher.poll()
  expect(await typesOf()).toEqual([])
  nowMs = 60_001
  await publisher.poll()
  expect(await typesOf()).toEqual(['recording.started'])
  await main.db.deleteFrom('partner_outbox').execute()
})

it('EVENTS-3 come also of a room whose deletion begins while they are made', async () => {
  const { addRoom, typesOf, ...parts } = partsOf(2)
  const room = await addRoom()
  await sessionStore(main.db).findOrOpen(room.tag, 1)
  const begin = async () => {
    await parts.deletions.begin({ ...room, metadata: {}, people: [], requestedAtMs: 1 })
    await parts.rooms.remove(room.tag)
  }
  let isBegun = false
  /** The deletion begins between the two reads. */
  const between = async <T>(read: Promise<T>): Promise<T> => {
    const found = await read
    if (!isBegun) await begin()
    isBegun = true
    return found
  }
  await new EventPublisher({
    ...parts,
    deletions: { find: tags => between(parts.deletions.find(tags)) },
    rooms: { listByTags: tags => between(parts.rooms.listByTags(tags)) },
  }).poll()
  expect(await typesOf()).toEqual(['room.started'])
})

it('DELETE-1: nothing is told of a room that happened while its deletion was completed', async () => {
  const { addRoom, typesOf, ...parts } = partsOf(3)
  const room = await addRoom()
  const deletion = { ...room, metadata: {}, people: [], requestedAtMs: 1 }
  await parts.deletions.begin(deletion)
  await parts.rooms.remove(room.tag)
  const guest = { userId: 1, displayName: 'Zoraida', role: 'participant' as const }
  await attendanceStore(main.db).waiting(room.tag, guest, 1)
  await parts.deletions.complete(deletion, 2)
  await new EventPublisher(parts).poll()
  expect(await typesOf()).toEqual(['room.deleted'])
})

it('EVENTS-3 come also of a session of weeks, in which were tens of thousands of people', async () => {
  const { addRoom, typesOf, ...parts } = partsOf(4)
  const { tag } = await addRoom()
  const sessions = sessionStore(main.db)
  const { sessionId, incarnation } = await sessions.findOrOpen(tag, 1)
  await sql`INSERT INTO partner_attendance (participant_id, session_id, tag, user_id, display_name, role, joined_at_ms)
    SELECT 'p' || n, ${sql.lit(sessionId)}, ${sql.lit(tag)}, n, 'Anna', 'participant', n
    FROM (WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < 33000) SELECT n FROM c)`.execute(
    main.db,
  )
  const ofPeople = main.db.deleteFrom('partner_outbox').where('type', 'like', 'participant.%')
  await ofPeople.execute()
  await sessions.end({ sessionId, incarnation, owner: 'local' }, 40_000, 'empty')
  await ofPeople.execute()
  await new EventPublisher(parts).poll()
  expect(await typesOf()).toEqual(['room.started', 'room.ended'])
})
