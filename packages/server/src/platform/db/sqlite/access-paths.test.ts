import type { Kysely } from 'kysely'
import { expect, it } from 'vitest'
import { userStore } from '../../../accounts/stores/users.ts'
import { conversationStore } from '../../../messaging/stores/conversations.ts'
import { deliveryStore } from '../../../partners/stores/deliveries.ts'
import { roomDeletionStore } from '../../../partners/stores/v2/deletions.ts'
import { usageStore } from '../../../partners/stores/v2/usage.ts'
import { openIntegrationStore, openMainStore } from '../open.ts'
import { stepsOf, watched } from '../testing/query-plans.ts'

/** Tables that grow with every lesson: SQLite reads in the thread that serves everybody. */
const GROWING = [
  ...['blobs', 'calls', 'call_people', 'chat_messages', 'conference_files'],
  ...['conference_sessions', 'conversations'],
  ...['conversation_members', 'mutes', 'partner_attendance', 'partner_deliveries', 'partner_events'],
  ...['partner_sequences', 'session_participants', 'users', 'webhook_deliveries', 'c', 'u', 'v'],
]
/** Indexes of few rows. */
const SHORT = ['conferences_removed', 'conference_sessions_owner', 'conference_sessions_with_removed']
const READS_ALL = new RegExp(
  `SCAN (${GROWING.join('|')})\\b(?! USING (COVERING )?INDEX (${SHORT.join('|')}))[^;]*`,
)

/** The large tables that the queries of the work read as a whole. */
async function readsAll<Schema>(db: Kysely<Schema>, work: (db: Kysely<Schema>) => Promise<unknown>) {
  const spy = watched(db)
  await work(spy.db)
  const queries = spy.queries()
  expect(queries.length).toBeGreaterThan(0)
  const steps = await Promise.all(queries.map(query => stepsOf(db, query)))
  return steps.flatMap((step, index) => {
    const [found] = READS_ALL.exec(step) ?? []
    return found ? [`${found}: ${queries[index]?.sql}`] : []
  })
}

it('what belongs to a person, a room or a conversation is found without reading that of all others', async () => {
  const { db, close } = await openMainStore(':memory:')
  const room = { tag: 'room', clientId: 1, externalId: 'lesson', metadata: {}, people: [], requestedAtMs: 1 }
  const found = await readsAll(db, async db => {
    const users = userStore(db, () => {})
    const person = {
      login: 'anna',
      displayName: 'Anna',
      kind: 'ordinary' as const,
      capabilities: [],
      passwordHash: null,
    }
    const anna = await users.add({ ...person, createdAt: 1 })
    await users.update(anna?.id ?? 0, { deletedAt: 2 })
    await users.anonymizeGuests(2, 10, 3)
    await conversationStore(db).members('room')
    await conversationStore(db).sweep(10)
    await roomDeletionStore(db).blobs('scope')
    await roomDeletionStore(db).complete(room, 2)
    await usageStore(db).storedBytes(1)
  })
  expect(found).toEqual([])
  await close()
})

it('the size of the files of a partner is read from an index alone', async () => {
  const { db, close } = await openMainStore(':memory:')
  const spy = watched(db)
  await usageStore(spy.db).storedBytes(1)
  const [query] = spy.queries()
  expect(query && (await stepsOf(db, query))).toContain('blobs USING COVERING INDEX')
  await close()
})

it('webhooks of removed recordings are found without reading all others', async () => {
  const { db, close } = await openIntegrationStore(':memory:')
  expect(await readsAll(db, db => deliveryStore(db).removeSubjects(['recording:job_1']))).toEqual([])
  await close()
})
