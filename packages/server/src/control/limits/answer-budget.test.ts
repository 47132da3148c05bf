import { describe, expect, it } from 'vitest'
import { createHarness, TAG } from '../testing/control-harness.ts'

/** At once a third of a minute's worth. */
const KIB_PER_MINUTE = 900
const open = () => createHarness({ answerBytesPerMinute: KIB_PER_MINUTE * 1024 })

const refused = {
  status: 'rejected',
  error: {
    code: 'rate_limited',
    retry_after_ms: expect.any(Number),
    extensions: { reason: 'too_many_answers' },
  },
}

describe('the answers to an account', () => {
  it('K13 cost their length and are refused until the budget has refilled', async () => {
    const harness = await open()
    const [anna, ben] = [await harness.enter('anna'), await harness.enter('ben')]
    let pages = 0
    const page = () => ben.command('chat.history', {})
    for (let last = await page(); last.status === 'applied'; last = await page()) pages++
    expect(pages).toBeGreaterThan(5)
    expect(pages).toBeLessThan(10)
    const wait = (await page()) as unknown as { error: { retry_after_ms: number } }
    expect(wait).toMatchObject(refused)
    expect((await anna.command('chat.history', {})).status).toBe('applied')
    await harness.pass(wait.error.retry_after_ms)
    expect((await page()).status).toBe('applied')
  })

  it('K13 share one budget on all connections of the account', async () => {
    const harness = await open()
    const ben = await harness.enter('ben')
    while ((await ben.command('chat.history', {})).status === 'applied');
    const other = harness.client('ben')
    other.instanceId = 'another-device'
    await other.login()
    expect(await other.fresh()).toMatchObject({ status: 'retry_later', error: refused.error })
    await ben.drop(1000)
    await ben.login()
    expect(await ben.fresh()).toMatchObject({ status: 'retry_later', error: refused.error })
    await harness.pass(5_000)
    expect((await ben.fresh()).status).toBe('ready')
  })

  it('K13 share the budget with v1', async () => {
    const harness = await open()
    const ben = harness.client('ben')
    await ben.login(null)
    const target = { kind: 'conference', id: TAG }
    const ask = async (command: string, more: object) => {
      await ben.send(JSON.stringify({ id: 'r', command, params: {}, ...more }))
      for (;;) {
        const answer = ben.takeOther<{ id?: string; error?: object }>()
        if (!answer || answer.id) return answer
      }
    }
    expect(await ask('conference.join', { target })).not.toHaveProperty('error')
    let last = await ask('chat.history', {})
    for (let i = 0; i < 20 && !last?.error; i++) last = await ask('chat.history', {})
    expect(last).toEqual({
      id: 'r',
      error: { code: 'rate_limited', message: expect.any(String), retry_after_ms: expect.any(Number) },
    })
  })

  it('K13 include the snapshots of joins and syncs', async () => {
    const harness = await open()
    const anna = await harness.enter('anna')
    for (let i = 0; i < 16; i++) await anna.command('chat.send', { text: `x${'\u0001'.repeat(3_998)}` })
    const ben = await harness.enter('ben') // the state is longer than all that may be asked for at once
    expect(await ben.resync()).toMatchObject({ status: 'retry_later', error: refused.error })
    await harness.pass(10_000)
    expect((await ben.resync()).status).toBe('ready')
    expect(await ben.resync()).toMatchObject({ status: 'retry_later' })
  })

  it('K16 fit a page of the largest messages into a frame', async () => {
    const harness = await createHarness()
    const anna = await harness.enter('anna')
    for (let i = 0; i < 30; i++) await anna.command('chat.send', { text: `x${'\u0001'.repeat(3_999)}` })
    anna.socket.received.splice(0)
    const page = await anna.command('chat.history', {}) // RawClient reads no frame that is too large
    expect(page).toMatchObject({ data: { messages: { length: 8 }, has_older: true } })
  })
})
