import { encodeFrame } from '@lectern/protocol/control'
import { describe, expect, it } from 'vitest'
import { type ControlHarness, createHarness, TAG } from '../testing/control-harness.ts'
import type { RawClient } from '../testing/raw-client.ts'

const PER_MINUTE = 600
/** Devices of one person, so that a notification of everybody is expensive. */
const AUDIENCE = 11
const RECEIVERS = AUDIENCE + 1
/** Notifications of everybody that a full budget pays, less than the join has cost. */
const AFFORDABLE = PER_MINUTE / RECEIVERS - 1

const conference = { kind: 'conference', id: TAG } as const
const rateLimited = {
  code: 'rate_limited',
  retry_after_ms: expect.any(Number),
  extensions: { reason: 'too_many_notifications' },
}
const refused = { status: 'rejected', error: rateLimited }

async function fill(harness: ControlHarness) {
  for (let i = 0; i < AUDIENCE - 1; i++) {
    const device = harness.client('audience', `participant@${TAG}`)
    device.instanceId = `device-${i}`
    await device.login()
    await device.fresh()
    await device.join()
  }
  return { listener: await harness.enter('listener'), sender: await harness.enter('sender', 'moderator') }
}

const open = async () => {
  const harness = await createHarness({ notificationsPerMinute: PER_MINUTE })
  return { harness, ...(await fill(harness)) }
}

let hand = false
const raise = (client: RawClient) => {
  hand = !hand
  return client.command('participant.update', { hand_raised: hand })
}

async function exhaust(client: RawClient): Promise<number> {
  let sent = 0
  while (sent < PER_MINUTE && (await raise(client)).status === 'applied') sent++
  return sent
}

const typing = (from: RawClient, epoch: string) =>
  from.send(
    encodeFrame({
      control_signal: {
        binding: from.binding,
        stream_id: `session:${from.sessionId}`,
        stream_epoch: epoch,
        source_id: from.participantId,
        signal_seq: '1',
        ttl_ms: 3_000,
        name: 'chat.typing',
        body: {},
      },
    }),
  )

describe('the notifications that an account causes', () => {
  it('K18 cost one for each receiver and are refused until the budget has refilled', async () => {
    const { harness, sender, listener } = await open()
    expect(await exhaust(sender)).toBe(AFFORDABLE)
    expect(await sender.command('participant.mute', { source: 'audio' })).toMatchObject(refused)
    expect((await raise(listener)).status).toBe('applied')
    const { error } = (await raise(sender)) as unknown as { error: { retry_after_ms: number } }
    expect(error).toMatchObject(rateLimited)
    await harness.pass(error.retry_after_ms)
    expect((await raise(sender)).status).toBe('applied')
  })

  it('K18 share one budget on all connections of the account', async () => {
    const { sender, harness } = await open()
    await exhaust(sender)
    const tablet = harness.client('sender', `moderator@${TAG}`)
    tablet.instanceId = 'tablet'
    await tablet.login()
    await tablet.fresh()
    await tablet.join()
    expect(await raise(tablet)).toMatchObject(refused)
    await sender.drop()
    await harness.pass(1_000)
    await sender.login()
    expect(await sender.resume()).toMatchObject({ status: 'retry_later', error: rateLimited })
  })

  it('K18 share the budget with v1', async () => {
    const { harness } = await open()
    const client = harness.client('old', `participant@${TAG}`)
    await client.login(null)
    const ask = async (command: string, params: object, target?: object) => {
      await client.send(JSON.stringify({ id: 'r', command, params, target }))
      for (;;) {
        const answer = client.takeOther<{ id?: string; error?: object }>()
        if (!answer || answer.id) return answer
      }
    }
    await ask('conference.join', {}, { kind: 'conference', id: TAG })
    let last: Awaited<ReturnType<typeof ask>>
    for (let i = 0; i <= PER_MINUTE / RECEIVERS && !last?.error; i++)
      last = await ask('participant.update', { hand_raised: i % 2 === 0 })
    expect(last).toMatchObject({ error: { code: 'rate_limited', retry_after_ms: expect.any(Number) } })
  })

  it('K18 let an account without budget for commands join', async () => {
    const { harness, sender } = await open()
    await exhaust(sender)
    const tablet = harness.client('sender', `moderator@${TAG}`)
    tablet.instanceId = 'tablet'
    await tablet.login()
    expect((await tablet.fresh()).status).toBe('ready')
    expect((await tablet.join()).status).toBe('applied')
    expect((await sender.command('conference.leave', {}, conference)).status).toBe('applied')
  })

  it('K18 are charged for joins and leaves, which ends loops of them', async () => {
    const { harness } = await open()
    let joins = 0
    const looper = await harness.connect('looper', `participant@${TAG}`)
    for (; (await looper.join()).status === 'applied'; joins++)
      expect((await looper.command('conference.leave', {}, conference)).status).toBe('applied')
    expect(joins).toBeGreaterThan(10)
    expect(joins).toBeLessThan(PER_MINUTE / RECEIVERS)
    expect(await looper.join()).toMatchObject(refused)
  })

  it('K18 start with a full budget after a restart, so that everybody can rejoin', async () => {
    const { harness, sender } = await open()
    await exhaust(sender)
    await harness.restart()
    const { sender: again } = await fill(harness)
    expect((await raise(again)).status).toBe('applied')
  })

  it('N4 drop signals without budget', async () => {
    const { harness, sender, listener } = await open()
    const epoch = sender.snapshots().at(-1)?.stream_epoch ?? ''
    for (let i = 0; i < PER_MINUTE; i++) await typing(sender, epoch)
    expect(listener.take('control_signal')).toHaveLength(AFFORDABLE)
    expect(await raise(sender)).toMatchObject(refused)
    await harness.pass(2_000)
    await typing(sender, epoch)
    expect(listener.take('control_signal').filter(({ name }) => name === 'chat.typing')).toHaveLength(1)
  })
})
