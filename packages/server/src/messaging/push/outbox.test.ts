import { describe, expect, it } from 'vitest'
import { DAY_MS, until } from './testing/harness.ts'
import { usePush } from './testing/use-push.ts'

const push = usePush()

describe('the outbox of pushes', () => {
  /** Stores a message as messaging does. */
  const store = async (text: string) => {
    const row = { chat_id: 'direct:1-9', user_id: 999_999, command_id: text, display_name: 'Ben', text }
    const { id } = await push.harness.db
      .insertInto('chat_messages')
      .values({ ...row, sent_at_ms: push.harness.clock() })
      .returning('id')
      .executeTakeFirstOrThrow()
    await push.harness.db.insertInto('push_outbox').values({ message_id: id }).execute()
    const event = push.message(text)
    const stored = { ...event, message: { ...event.message, id: String(id) } }
    push.harness.messages.set(id, stored)
    return stored
  }
  const texts = () =>
    push.service.received.map(({ body }) => (push.browser.decrypt(body) as { body: string }).body)
  const left = () => push.harness.outbox.list(push.harness.clock() + DAY_MS, 10)

  it('notifies of a message whose process died before, 5 s later and once', async () => {
    await push.subscribe()
    await store('lost')
    const { service } = push.harness.start()
    await service.tick()
    expect(await left()).toHaveLength(1) // its process may still be at it
    push.harness.pass(5_001)
    await service.tick()
    await until(() => expect(texts()).toEqual(['lost']))
    await push.untilEmpty()
    await service.tick()
    expect([texts(), await left()]).toEqual([['lost'], []])
  })

  it('removes entries that were notified in time or are obsolete', async () => {
    await push.subscribe()
    const { service, domainEvents } = push.harness.start()
    domainEvents.publish('message-stored', await store('in time'))
    await until(() => expect(texts()).toEqual(['in time']))
    const gone = await store('deleted')
    push.harness.messages.delete(Number(gone.message.id))
    await push.harness.db.insertInto('push_outbox').values({ message_id: 4711 }).execute() // a removed conversation
    push.harness.pass(5_001)
    await service.tick()
    expect(await left()).toEqual([])
    await store('too old')
    push.harness.pass(DAY_MS)
    await service.tick()
    expect([texts(), await left()]).toEqual([['in time'], []])
  })

  it('gives an entry up that fails six times, and delays no other one', async () => {
    await push.subscribe()
    const { service } = push.harness.start()
    const damaged = await store('damaged')
    await store('sound')
    push.harness.damaged.add(Number(damaged.message.id))
    push.harness.pass(5_001)
    await service.tick()
    await until(() => expect(texts()).toEqual(['sound']))
    expect((await left()).map(({ messageId }) => messageId)).toEqual([Number(damaged.message.id)])
    for (const seconds of [5, 30, 120, 600]) {
      push.harness.pass(seconds * 1000)
      await service.tick()
      await service.tick() // not before its time
    }
    expect(await left()).toHaveLength(1)
    push.harness.pass(3_600_000)
    await service.tick()
    expect(await left()).toEqual([])
    expect(push.logged().match(/"given_up":(true|false)/g)).toEqual([
      ...Array(5).fill('"given_up":false'),
      '"given_up":true',
    ])
  })

  it('notifies of a message that can be read again', async () => {
    await push.subscribe()
    const { service } = push.harness.start()
    const repaired = await store('repaired')
    push.harness.damaged.add(Number(repaired.message.id))
    push.harness.pass(5_001)
    await service.tick()
    push.harness.damaged.clear()
    push.harness.pass(5_000)
    await service.tick()
    await until(() => expect(texts()).toEqual(['repaired']))
    expect(await left()).toEqual([])
  })

  it('keeps a message whose notifications could not be stored', async () => {
    await push.subscribe()
    const { service, domainEvents } = push.harness.start()
    await push.harness.db.schema.alterTable('push_deliveries').renameTo('away').execute()
    domainEvents.publish('message-stored', await store('later'))
    await until(() => expect(push.logged()).toContain('a handler of a domain event failed'))
    await push.harness.db.schema.alterTable('away').renameTo('push_deliveries').execute()
    push.harness.pass(5_001)
    await service.tick()
    await until(() => expect(texts()).toEqual(['later']))
  })
})
