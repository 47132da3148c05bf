import { expect, it } from 'vitest'
import { createDatabaseClock } from '../../../cluster/testing/database-clock.ts'
import type { NewCall } from '../../../messaging/calls/ports.ts'
import { callSupervision } from '../../../messaging/stores/call-supervision.ts'
import { callStore } from '../../../messaging/stores/calls.ts'
import type { TestStores } from './test-stores.ts'

export function describeCallSupervision({ main }: TestStores): void {
  const idsOf = async (from: ReturnType<typeof callSupervision>) => (await from.take()).map(({ id }) => id)
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
    const db = await main()
    const { nowMs, pass } = await createDatabaseClock(db as never)
    const calls = callStore(db)
    const [a, b] = [callSupervision(db, nowMs, 'a'), callSupervision(db, nowMs, 'b')]
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

  it('CALL-19 belongs to another server when its own died before the clock of the database was set back', async () => {
    const db = await main()
    const { nowMs, pass } = await createDatabaseClock(db as never)
    const [a, b] = [callSupervision(db, nowMs, 'a'), callSupervision(db, nowMs, 'b')]
    const { call: only } = await callStore(db).add(call())
    await a.claim(only.id)
    await pass(-3_600_000)
    expect(await idsOf(b)).toEqual([only.id])
    expect(await idsOf(a)).toEqual([])
  })
}
