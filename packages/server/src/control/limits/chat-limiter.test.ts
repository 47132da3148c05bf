import { describe, expect, it } from 'vitest'
import { createHarness, OTHER_TAG, TAG } from '../testing/control-harness.ts'
import type { RawClient } from '../testing/raw-client.ts'
import type { ChatRates } from './chat-limiter.ts'

const KIB = 1024
/** At once a third of a minute's worth. */
const rates = (changes: Partial<ChatRates> = {}): { chatRates: ChatRates } => ({
  chatRates: {
    account: { messages: 30, bytes: 60 * KIB },
    session: { messages: 60, bytes: 90 * KIB },
    ...changes,
  },
})

const say = (client: RawClient, text: string, more = {}) =>
  client.command('chat.send', { text }, client.session, more)

/** How many messages are sent until one is refused. */
async function flood(client: RawClient, text = 'x'): Promise<number> {
  for (let sent = 0; ; sent++) if ((await say(client, text)).status !== 'committed') return sent
}

const refused = (reason: string) => ({
  status: 'rejected',
  error: { code: 'rate_limited', retry_after_ms: expect.any(Number), extensions: { reason } },
})

describe('the chat limiter', () => {
  it('T10 limits the messages of an account (K17)', async () => {
    const harness = await createHarness(rates())
    const [anna, ben] = [await harness.enter('anna'), await harness.enter('ben')]
    expect(await flood(ben)).toBe(10)
    expect(await say(ben, 'x')).toMatchObject({
      ...refused('too_many_messages'),
      error: { retry_after_ms: 2_000 },
    })
    expect((await say(anna, 'x')).status).toBe('committed')
    await harness.pass(2_000)
    expect(await flood(ben)).toBe(1)
  })

  it('T10 limits the bytes of an account, as they are sent', async () => {
    const harness = await createHarness(rates())
    const ben = await harness.enter('ben')
    expect(await flood(ben, '漢'.repeat(3_000))).toBe(2) // 9 kB each
    await harness.pass(60_000)
    expect(await flood(ben, `x${'\u0001'.repeat(1_599)}`)).toBe(2) // as escapes, 9.6 kB each
  })

  it('T10 is shared by all connections and sessions of an account, also after a reconnect', async () => {
    const harness = await createHarness(rates())
    const ben = await harness.enter('ben')
    expect(await flood(ben)).toBe(10)
    const device = harness.client('ben', `participant@${OTHER_TAG}`)
    device.instanceId = 'another-device'
    await device.login()
    await device.fresh()
    await device.join(OTHER_TAG)
    expect(await say(device, 'x')).toMatchObject(refused('too_many_messages'))
    await ben.drop(1000)
    await ben.login()
    await ben.fresh()
    await ben.join()
    expect(await say(ben, 'x')).toMatchObject(refused('too_many_messages'))
  })

  it('T10 applies to v1', async () => {
    const harness = await createHarness(rates())
    const ben = harness.client('ben')
    await ben.login(null)
    const ask = async (id: string, command: string, params: object, more = {}) => {
      await ben.send(JSON.stringify({ id, command, params, ...more }))
      for (let answer = ben.takeOther<{ id?: string }>(); answer; answer = ben.takeOther())
        if (answer.id === id) return answer
    }
    await ask('join', 'conference.join', {}, { target: { kind: 'conference', id: TAG } })
    for (let i = 0; i < 10; i++)
      expect(await ask(`c-${i}`, 'chat.send', { text: 'x' })).toHaveProperty('result')
    expect(await ask('more', 'chat.send', { text: 'x' })).toEqual({
      id: 'more',
      error: { code: 'rate_limited', message: expect.any(String), retry_after_ms: 2_000 },
    })
  })

  it('T11 limits the messages of a session and does not refuse moderators', async () => {
    const harness = await createHarness(rates())
    const anna = await harness.enter('anna', 'moderator')
    for (const name of ['ben', 'carl']) expect(await flood(await harness.enter(name))).toBe(10)
    const dora = await harness.enter('dora')
    expect(await say(dora, 'x')).toMatchObject(refused('chat_busy'))
    expect((await say(anna, 'Quiet, please')).status).toBe('committed')
    const elsewhere = await harness.connect('eve', `participant@${OTHER_TAG}`)
    await elsewhere.join(OTHER_TAG)
    expect((await say(elsewhere, 'x')).status).toBe('committed')
  })

  it('T11 limits the bytes of a session', async () => {
    const harness = await createHarness(rates({ account: null }))
    const text = '漢'.repeat(3_000)
    expect(await flood(await harness.enter('ben'), text)).toBe(3)
    expect(await say(await harness.enter('carl'), text)).toMatchObject(refused('chat_busy'))
  })

  it('T12 returns the result of a stored message, and sends a refused message later', async () => {
    const harness = await createHarness(rates())
    const ben = await harness.enter('ben')
    const first = await say(ben, 'first', { command_id: 'first' })
    await flood(ben)
    await harness.restart() // nothing is remembered but what is stored
    await ben.login()
    await ben.fresh()
    await ben.join()
    await flood(ben)
    expect((await say(ben, 'first', { command_id: 'first' })).data).toEqual(first.data)
    expect(await say(ben, 'late', { command_id: 'late' })).toMatchObject(refused('too_many_messages'))
    await harness.pass(10_000)
    expect((await say(ben, 'late', { command_id: 'late' })).status).toBe('committed')
  })

  it('T12 reads the store once for a refused message', async () => {
    const harness = await createHarness(rates())
    const ben = await harness.enter('ben')
    await flood(ben)
    let reads = 0
    const { find } = harness.chat
    harness.chat.find = key => {
      reads += 1
      return find(key)
    }
    expect(await say(ben, 'x')).toMatchObject(refused('too_many_messages'))
    expect(reads).toBe(1)
  })
})
