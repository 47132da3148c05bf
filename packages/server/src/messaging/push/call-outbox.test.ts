import { describe, expect, it } from 'vitest'
import { DAY_MS, until } from './testing/harness.ts'
import { usePush } from './testing/use-push.ts'

const push = usePush()

describe('the outbox of calls', () => {
  type Now = Parameters<typeof push.harness.calls.set>[1]
  /** Stores a change of a call as calls do. */
  const store = async (revision: number, now: Omit<Now, 'call'>) => {
    await push.harness.db.insertInto('push_call_outbox').values({ call_id: 1, revision }).execute()
    push.harness.calls.set(1, { call: push.call().call, ...now })
  }
  const ringing = () => ({ ringing: [push.anna], stopped: [] })
  const over = (reason: 'answered' | 'missed') => ({ ringing: [], stopped: [{ userId: push.anna, reason }] })
  const bodies = () =>
    push.service.received.map(({ body }) => (push.browser.decrypt(body) as { body: string }).body)
  const left = () => push.harness.callOutbox.list(10)
  /** Lets so much time pass that the changes are known to be abandoned. */
  const recover = async ({ service }: ReturnType<typeof push.harness.start>) => {
    await service.tick()
    push.harness.pass(5_000)
    await service.tick()
  }

  it('notifies of a call whose process died before, 5 s later and once', async () => {
    await push.subscribe()
    await store(1, ringing())
    const started = push.harness.start()
    await started.service.tick()
    expect(await left()).toHaveLength(1) // its process may still be at it
    await recover(started)
    await until(() => expect(bodies()).toEqual(['Incoming video call']))
    await push.untilEmpty()
    await recover(started)
    expect([bodies().length, await left()]).toEqual([1, []])
  })

  it('reports a call as missed if its ringing was not reported', async () => {
    await push.subscribe()
    await store(1, over('missed'))
    await store(2, over('missed'))
    push.harness.pass(60_000)
    await recover(push.harness.start())
    await until(() => expect(bodies()).toEqual(['Missed call']))
    await push.untilEmpty()
    expect(await left()).toEqual([])
  })

  it('sends nothing for an answered call, and replaces delivered notifications', async () => {
    await push.subscribe()
    await store(1, over('answered'))
    const started = push.harness.start()
    await recover(started)
    expect([await push.records(), await left()]).toEqual([[], []])
    started.domainEvents.publish('call-ringing', push.call())
    await until(() => expect(bodies()).toEqual(['Incoming video call']))
    await store(2, over('answered'))
    await recover(started)
    await until(() => expect(bodies()).toEqual(['Incoming video call', 'Answered on another device']))
  })

  it('removes entries that were notified in time, are too old, or belong to removed calls', async () => {
    await push.subscribe()
    const started = push.harness.start()
    await store(1, ringing())
    started.domainEvents.publish('call-ringing', push.call())
    await until(() => expect(bodies()).toHaveLength(1))
    await started.service.tick()
    expect(await left()).toEqual([])
    await store(2, over('missed'))
    push.harness.pass(2 * DAY_MS)
    await recover(started)
    await push.harness.db.insertInto('push_call_outbox').values({ call_id: 4711, revision: 1 }).execute()
    await recover(started)
    expect([bodies().length, await left()]).toEqual([1, []])
  })

  it('notifies of other calls while nothing can be said of one', async () => {
    await push.subscribe()
    const started = push.harness.start()
    await push.harness.db.insertInto('push_call_outbox').values({ call_id: 0, revision: 1 }).execute()
    push.harness.damaged.add(0)
    await store(1, ringing())
    await recover(started)
    await until(() => expect(bodies()).toEqual(['Incoming video call']))
    expect(await left()).toEqual([{ callId: 0, revision: 1 }])
    for (const seconds of [5, 30, 120, 600, 3_600]) {
      push.harness.pass(seconds * 1000)
      await started.service.tick()
    }
    expect(await left()).toEqual([])
  })

  it('keeps a call whose notification could not be stored', async () => {
    await push.subscribe()
    await store(1, ringing())
    const started = push.harness.start()
    await push.harness.db.schema.alterTable('push_deliveries').renameTo('away').execute()
    started.domainEvents.publish('call-ringing', push.call())
    await until(() => expect(push.logged()).toContain('a handler of a domain event failed'))
    await push.harness.db.schema.alterTable('away').renameTo('push_deliveries').execute()
    await recover(started)
    await until(() => expect(bodies()).toEqual(['Incoming video call']))
  })
})
