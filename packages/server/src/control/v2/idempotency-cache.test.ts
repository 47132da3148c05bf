import { describe, expect, it } from 'vitest'
import { RETRY_WINDOW_MS, type ResultLimits } from '../limits/constants.ts'
import { type Answer, type CommandKey, IdempotencyCache } from './idempotency-cache.ts'

const limits: ResultLimits = {
  ofPerson: { count: 10, bytes: 20_000 },
  ofWorker: { count: 100, bytes: 20_000 },
  ofAll: { count: 50, bytes: 1_000_000 },
  guaranteedCount: 3,
  repeatableCount: 4,
}

function setUp(changes: Partial<ResultLimits> = {}) {
  const clock = () => clock.now
  clock.now = 1_000_000
  const cache = new IdempotencyCache(clock, { ...limits, ...changes })
  const keyOf = (userId: number, commandId: string, more: Partial<CommandKey> = {}): CommandKey => ({
    userId,
    commandId,
    fingerprint: 'f',
    scope: '',
    ...more,
  })
  const give = async (key: CommandKey, text = 'done', remember: Answer['remember'] = 'result') => {
    cache.remember(key, Promise.resolve({ text, remember }), 100)
    await Promise.resolve()
  }
  const textOf = async (key: CommandKey) => {
    const found = cache.find(key)
    return found === null || found === 'conflict' ? found : (await found).text
  }
  return { clock, cache, keyOf, give, textOf }
}

describe('the idempotency cache', () => {
  it('K14 keeps every result of an account for the whole window, whatever other accounts do', async () => {
    const { clock, cache, keyOf, give, textOf } = setUp()
    await give(keyOf(1, 'lock'))
    for (let userId = 2; userId < 60; userId++)
      for (let i = 0; i < 20; i++) if (!cache.refusal(userId, 'ordinary')) await give(keyOf(userId, `c-${i}`))
    clock.now += RETRY_WINDOW_MS
    cache.tick()
    expect(await textOf(keyOf(1, 'lock'))).toBe('done')
    clock.now += 1
    cache.tick()
    expect(await textOf(keyOf(1, 'lock'))).toBeNull()
  })

  it('K14 refuses commands of an account at its limit of results until the oldest one expires', async () => {
    const { clock, cache, keyOf, give } = setUp()
    for (let i = 0; i < 10; i++) {
      expect(cache.refusal(1, 'ordinary')).toBeNull()
      await give(keyOf(1, `c-${i}`))
      clock.now += 1_000
    }
    expect(cache.refusal(1, 'ordinary')).toMatchObject({
      code: 'rate_limited',
      retry_after_ms: RETRY_WINDOW_MS - 10_000,
      extensions: { reason: 'too_many_commands' },
    })
    expect(cache.refusal(1, 'worker')).toBeNull()
    expect(cache.refusal(2, 'ordinary')).toBeNull()
    clock.now += RETRY_WINDOW_MS - 9_999
    cache.tick()
    expect(cache.refusal(1, 'ordinary')).toBeNull()
  })

  it('K14 refuses commands of an account at its limit of bytes', async () => {
    const { cache, keyOf, give } = setUp()
    await give(keyOf(1, 'large'), 'x'.repeat(10_000))
    expect(cache.refusal(1, 'ordinary')?.code).toBe('rate_limited')
  })

  it('K15 accepts results of accounts with few of them up to twice the bound of the cache', async () => {
    const { cache, keyOf, give } = setUp()
    for (let userId = 1; userId <= 5; userId++)
      for (let i = 0; i < 10; i++) await give(keyOf(userId, `c-${i}`))
    expect(cache.refusal(6, 'ordinary')).toBeNull()
    for (let i = 0; i < 3; i++) await give(keyOf(6, `c-${i}`))
    expect(cache.refusal(6, 'ordinary')).toMatchObject({
      code: 'temporarily_unavailable',
      retry_after_ms: expect.any(Number),
    })
    for (let userId = 7; cache.refusal(userId, 'ordinary') === null; userId++) await give(keyOf(userId, 'c'))
    expect(cache.size.count).toBe(100)
  })

  it('reports its size, which is 0 after the retry window', async () => {
    const { clock, cache, keyOf, give } = setUp()
    await give(keyOf(1, 'a'), 'x'.repeat(1_000))
    await give(keyOf(1, 'b', { scope: 'c1' }))
    await give(keyOf(1, 'b', { scope: 'c2' }))
    await give(keyOf(1, 'gone'), 'busy', 'nothing')
    await give(keyOf(1, 'unknown'), '?', 'id')
    cache.rememberId(keyOf(1, 'read'))
    expect(cache.size.count).toBe(3)
    expect(cache.size.bytes).toBeGreaterThan(2_000)
    clock.now += RETRY_WINDOW_MS + 1
    cache.tick()
    expect(cache.size).toEqual({ count: 0, bytes: 0 })
  })

  it('keeps a command in progress until it has ended', async () => {
    const { clock, cache, keyOf, textOf } = setUp()
    let finish = (_: Answer) => {}
    const answer = new Promise<Answer>(resolve => {
      finish = resolve
    })
    cache.remember(keyOf(1, 'slow'), answer, 100)
    clock.now += 2 * RETRY_WINDOW_MS
    cache.tick()
    const repeated = textOf(keyOf(1, 'slow'))
    finish({ text: 'done', remember: 'result' })
    expect(await repeated).toBe('done')
    cache.tick()
    expect(cache.size).toEqual({ count: 0, bytes: 0 })
  })

  it('K3 keeps the ids of the newest repeatable commands', async () => {
    const { cache, keyOf, textOf } = setUp()
    for (let i = 0; i < 5; i++) cache.rememberId(keyOf(1, `c-${i}`))
    const other = { fingerprint: 'other' }
    expect(await textOf(keyOf(1, 'c-4'))).toBeNull()
    expect(await textOf(keyOf(1, 'c-4', other))).toBe('conflict')
    expect(await textOf(keyOf(1, 'c-1', other))).toBe('conflict')
    expect(await textOf(keyOf(1, 'c-0', other))).toBeNull()
    expect(await textOf(keyOf(2, 'c-4', other))).toBeNull()
  })

  it('K4 keeps the id of a command with an unknown outcome and executes its repetition', async () => {
    const { keyOf, give, textOf } = setUp()
    await give(keyOf(1, 'c'), '?', 'id')
    expect(await textOf(keyOf(1, 'c'))).toBeNull()
    expect(await textOf(keyOf(1, 'c', { fingerprint: 'other' }))).toBe('conflict')
  })

  it('K2 keeps one result per connection for commands that each connection executes', async () => {
    const { keyOf, give, textOf } = setUp()
    await give(keyOf(1, 'join', { scope: 'c1' }), 'first')
    expect(await textOf(keyOf(1, 'join', { scope: 'c2' }))).toBeNull()
    await give(keyOf(1, 'join', { scope: 'c2' }), 'second')
    expect(await textOf(keyOf(1, 'join', { scope: 'c1' }))).toBe('first')
    expect(await textOf(keyOf(1, 'join', { scope: 'c2' }))).toBe('second')
  })
})
