import { describe, expect, it } from 'vitest'
import { createHarness } from '../testing/control-harness.ts'

describe('a connection', () => {
  it('W8 has a budget of frames, which refills with time', async () => {
    const harness = await createHarness({ framesPerMinute: 600 })
    const anna = await harness.enter('anna')
    await harness.pass(30_000)
    for (let i = 0; i < 99; i++) await anna.command('chat.history', {})
    expect(anna.socket.closedWith).toBeNull()
    await harness.pass(1_000)
    for (let i = 0; i < 9; i++) await anna.command('chat.history', {})
    expect(anna.socket.closedWith).toBeNull()
    for (let i = 0; i < 4; i++) await anna.command('chat.history', {})
    expect(anna.socket.closedWith).toEqual({ code: 4429, reason: 'rate_limited' })
  })

  it('W8 is charged for large frames by their size, also on its next connection', async () => {
    const harness = await createHarness({ framesPerMinute: 600, answerBytesPerMinute: 1024 * 1024 })
    const anna = await harness.enter('anna')
    const large = () => anna.command('nothing', { x: 'x'.repeat(150_000) })
    expect(await large()).toMatchObject({ error: { code: 'unsupported_feature' } })
    expect((await anna.command('chat.history', {})).status).toBe('applied')
    await large()
    await large().catch(() => {})
    expect(anna.socket.closedWith).toEqual({ code: 4429, reason: 'rate_limited' })
    await anna.login()
    expect(await anna.fresh()).toMatchObject({ status: 'retry_later', error: { code: 'rate_limited' } })
  })

  it('W8 has a budget of frames for its account, which new connections do not renew', async () => {
    const harness = await createHarness({ framesPerMinute: 600 })
    const anna = harness.client('anna')
    const flood = async () => {
      for (let i = 0; i < 100; i++)
        await anna.send(JSON.stringify({ id: '1', command: 'nothing', params: {} }))
    }
    const closedWith = { code: 4429, reason: 'rate_limited' }
    for (let socket = 0; socket < 4; socket++) {
      expect(await anna.login(null)).toMatchObject({ ok: true })
      await flood()
      expect(anna.socket.closedWith).toEqual(closedWith)
      await anna.drop()
    }
    expect(await anna.login(null)).toBeUndefined()
    expect(anna.socket.closedWith).toEqual(closedWith)
    const ben = harness.client('ben')
    expect(await ben.login(null)).toMatchObject({ ok: true })
    await harness.pass(2_000)
    expect(await anna.login(null)).toMatchObject({ ok: true })
    expect(anna.socket.closedWith).toBeNull()
  })

  it('W8 is charged twenty frames for a sync', async () => {
    const harness = await createHarness({ framesPerMinute: 600 })
    const anna = await harness.connect('anna')
    for (let i = 0; i < 3; i++) await anna.resync()
    await anna.resync().catch(() => {})
    expect(anna.socket.closedWith).toEqual({ code: 4429, reason: 'rate_limited' })
  })
})
