import { describe, expect, it } from 'vitest'
import { DAY_MS, until } from './testing/harness.ts'
import { hang } from './testing/push-service.ts'
import { usePush } from './testing/use-push.ts'

const push = usePush()

describe('the queue of pushes', () => {
  it('delivers to healthy endpoints at once while others hang', async () => {
    for (let number = 0; number < 19; number++)
      await push.harness.subscribe(
        push.browser.subscription(push.anna, push.service.endpoint(`hanging-${number}`, hang)),
      )
    const ben = (await push.harness.addUser('ben')).id
    for (const [id, name] of [
      [push.anna, 'of-anna'],
      [ben, 'of-ben'],
    ] as const)
      await push.harness.subscribe(push.browser.subscription(id, push.service.endpoint(name)))
    const { domainEvents } = push.harness.start({ timeoutMs: 300_000 })
    const recipients = [push.anna, ben].map(userId => ({ userId, isMuted: false }))
    domainEvents.publish('message-stored', { ...push.message(), recipients })
    await until(() =>
      expect(push.service.pathsReceived()).toEqual(expect.arrayContaining(['of-anna', 'of-ben'])),
    )
    await until(async () => expect(await push.records()).toHaveLength(19))
  })

  it('resends the deliveries of a dead process when its lease has expired', async () => {
    await push.subscribe()
    const expiresAtMs = push.harness.clock() + DAY_MS
    const payload = { title: 'Ben', body: 'Hi', type: 'message', url: '/' } as const
    const [{ endpoint } = expect.fail()] = await push.harness.subscriptions.listOf(push.anna)
    const delivery = { clientId: push.anna, endpoint, topic: 'chat:1', expiresAtMs, payload }
    const limits = { nowMs: push.harness.clock(), maxPerAccount: 9 }
    await push.harness.deliveries.add([delivery], limits)
    const [{ id } = expect.fail()] = await push.records()
    await push.harness.deliveries.lease(
      [id],
      { token: 'gone', untilMs: push.harness.clock() + 20_000 },
      push.harness.clock(),
    )
    const { id: ben } = await push.harness.addUser('ben')
    const other = push.browser.subscription(ben, push.service.endpoint('of-ben'))
    await push.harness.subscribe(other)
    push.harness.start()
    // Each is sent by a later poll than the one before: the queue has passed over the leased one.
    for (const topic of ['chat:2', 'chat:3']) {
      await push.harness.deliveries.add(
        [{ ...delivery, clientId: ben, endpoint: other.endpoint, topic }],
        limits,
      )
      await until(async () => expect(await push.records()).toHaveLength(1))
    }
    expect(push.service.pathsReceived()).toEqual(['of-ben', 'of-ben'])
    push.harness.pass(20_000)
    await push.untilEmpty()
    expect(push.service.pathsReceived()).toEqual(['of-ben', 'of-ben', 'anna'])
  })

  it('shares the work of two processes, sending each once', async () => {
    const users = [push.anna]
    for (let number = 0; number < 30; number++) users.push((await push.harness.addUser(`user-${number}`)).id)
    for (const id of users)
      await push.harness.subscribe(push.browser.subscription(id, push.service.endpoint(`of-${id}`)))
    const [{ domainEvents } = expect.fail()] = [push.harness.start(), push.harness.start()]
    domainEvents.publish('message-stored', {
      ...push.message(),
      recipients: users.map(userId => ({ userId, isMuted: false })),
    })
    await until(() => expect(push.service.received).toHaveLength(users.length))
    await push.untilEmpty()
    expect(new Set(push.service.pathsReceived()).size).toBe(users.length)
  })

  it('drops deliveries that expired while the server was down', async () => {
    await push.subscribe()
    const { domainEvents, service } = push.harness.start()
    await service.stop()
    domainEvents.publish('call-ringing', push.call())
    await until(async () => expect(await push.records()).toHaveLength(1))
    push.harness.pass(120_000)
    push.harness.start()
    await push.untilEmpty()
    expect(push.service.received).toEqual([])
  })
})
