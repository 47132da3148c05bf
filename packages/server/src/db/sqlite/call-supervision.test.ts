import { sql } from 'kysely'
import { afterAll, describe, expect, it } from 'vitest'
import type { NewCall } from '../../calls/ports.ts'
import { callSupervision } from '../call-supervision.ts'
import { callStore } from '../calls.ts'
import { openMainStore } from '../open.ts'

describe('the supervision of calls by several servers', async () => {
  const store = await openMainStore(':memory:')
  afterAll(() => store.close())
  await sql`CREATE TABLE test_clock (now_ms INTEGER)`.execute(store.db)
  await sql`INSERT INTO test_clock VALUES (1000000)`.execute(store.db)
  const nowMs = sql<number>`(SELECT now_ms FROM test_clock)`
  const pass = (ms: number) => sql`UPDATE test_clock SET now_ms = now_ms + ${ms}`.execute(store.db)
  const calls = callStore(store.db)
  const [a, b] = [callSupervision(store.db, nowMs, 'a'), callSupervision(store.db, nowMs, 'b')]
  const idsOf = async (from: typeof a) => (await from.take()).map(({ id }) => id)

  let count = 0
  const call = (): NewCall => ({
    tag: `tag-${++count}`,
    ownsConference: true,
    video: false,
    inviter: { userId: 1, displayName: 'One' },
    people: [{ userId: 1 + count, displayName: 'Two', state: { is: 'ringing' } }],
    state: { is: 'ringing' },
    createdAtMs: 0,
    ringUntilMs: 45_000,
    commandId: `command-${count}`,
    title: 'Call',
  })

  it('CALL-19 belongs to one server at a time, and to another one when that is dead', async () => {
    const { call: first } = await calls.add(call())
    await a.claim(first.id)
    expect([await idsOf(a), await idsOf(b)]).toEqual([[first.id], []])
    const { call: second } = await calls.add(call())
    expect([await idsOf(b), await idsOf(a)]).toEqual([[second.id], [first.id]])
    for (let i = 0; i < 10; i++) {
      await pass(1_000)
      expect(await idsOf(b)).toEqual(i < 5 ? [second.id] : [first.id, second.id])
    }
    expect(await idsOf(a)).toEqual([])
    await b.handOver(first.id, 'a')
    expect([await idsOf(b), await idsOf(a)]).toEqual([[second.id], [first.id]])
    await calls.save({ ...first, state: { is: 'ended', reason: 'missed', answeredAtMs: null, endedAtMs: 1 } })
    await b.handOver(first.id, 'b')
    expect([await idsOf(a), await idsOf(b)]).toEqual([[], [second.id]])
  })
})
