import { describe, expect, it } from 'vitest'
import { RETRY_WINDOW_MS, type ResultLimits } from '../limits/constants.ts'
import { encodeResult } from './envelopes.ts'
import {
  type Answer,
  type CommandKey,
  ENTRY_BYTES,
  GENERATION_MS,
  IdempotencyCache,
} from './idempotency-cache.ts'

const limits: ResultLimits = {
  ofPerson: 10 * ENTRY_BYTES,
  ofWorker: 100 * ENTRY_BYTES,
  ofAll: 50 * ENTRY_BYTES,
  guaranteed: 3 * ENTRY_BYTES,
  repeatableIds: 4,
}

/** Until everything is forgotten that was remembered before. */
const FORGOTTEN_MS = RETRY_WINDOW_MS + GENERATION_MS + 1

function setUp(changes: Partial<ResultLimits> = {}) {
  const clock = () => clock.now
  clock.now = 1_000_000
  const cache = new IdempotencyCache(clock, { ...limits, ...changes })
  const keyOf = (userId: number, commandId: string, more: Partial<CommandKey> = {}): CommandKey => ({
    userId,
    commandId,
    fingerprint: 'content',
    scope: '',
    ...more,
  })
  const applied = ({ commandId }: CommandKey) => encodeResult(commandId, 'applied')
  const give = async (key: CommandKey, text = applied(key), remember: Answer['remember'] = 'result') => {
    cache.remember(key, Promise.resolve({ text, remember }))
    await Promise.resolve()
  }
  /** Lets time pass as a server does, which looks every second. */
  const pass = (ms: number) => {
    for (let left = ms; left > 0; left -= 1_000) {
      clock.now += Math.min(left, 1_000)
      cache.tick()
    }
  }
  const textOf = async (key: CommandKey) => {
    const found = cache.find(key)
    return found === null || found === 'conflict' ? found : (await found).text
  }
  return { clock, cache, keyOf, give, textOf, applied, pass }
}

describe('the idempotency cache', () => {
  it('K14 keeps every result of an account for the whole window, whatever other accounts do', async () => {
    const { cache, keyOf, give, textOf, applied, pass } = setUp()
    const lock = keyOf(1, 'lock')
    await give(lock)
    for (let userId = 2; userId < 60; userId++)
      for (let i = 0; i < 20; i++) if (!cache.refusal(userId, 'ordinary')) await give(keyOf(userId, `c-${i}`))
    pass(RETRY_WINDOW_MS)
    expect(await textOf(lock)).toBe(applied(lock))
    pass(GENERATION_MS + 1)
    expect(await textOf(lock)).toBeNull()
  })

  it('K14 refuses commands of an account at its limit of bytes until the oldest ones expire', async () => {
    const { cache, keyOf, give, pass } = setUp()
    for (let i = 0; i < 10; i++) {
      expect(cache.refusal(1, 'ordinary')).toBeNull()
      await give(keyOf(1, `c-${i}`))
      pass(1_000)
    }
    expect(cache.refusal(1, 'ordinary')).toMatchObject({
      code: 'rate_limited',
      retry_after_ms: RETRY_WINDOW_MS - 1_000 + 1,
      extensions: { reason: 'too_many_commands' },
    })
    expect(cache.refusal(1, 'worker')).toBeNull()
    expect(cache.refusal(2, 'ordinary')).toBeNull()
    pass(RETRY_WINDOW_MS)
    expect(cache.refusal(1, 'ordinary')).toBeNull()
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

  it('K15 takes less than 100 bytes for a result that says no more than its status', async () => {
    const { cache, keyOf, give, textOf } = setUp()
    const key = keyOf(1, 'a-command-id-with-forty-characters-in-all')
    for (const status of ['applied', 'committed']) {
      const before = cache.size.bytes
      await give(
        { ...key, commandId: `${key.commandId}-${status}` },
        encodeResult(`${key.commandId}-${status}`, status),
      )
      expect(cache.size.bytes - before).toBeLessThan(100)
      expect(await textOf({ ...key, commandId: `${key.commandId}-${status}` })).toContain(
        `"status":"${status}"`,
      )
    }
    const text = encodeResult('with data', 'committed', { data: { message_id: '1', text: 'é' } })
    await give(keyOf(1, 'with data'), text)
    expect(await textOf(keyOf(1, 'with data'))).toBe(text)
  })

  it('reports its size, which is 0 after the retry window', async () => {
    const { cache, keyOf, give, pass } = setUp()
    await give(keyOf(1, 'a'), 'x'.repeat(1_000))
    await give(keyOf(1, 'b', { scope: 'c1' }))
    await give(keyOf(1, 'b', { scope: 'c2' }))
    await give(keyOf(1, 'gone'), 'busy', 'nothing')
    await give(keyOf(1, 'unknown'), '?', 'id')
    cache.rememberId(keyOf(1, 'read'))
    expect(cache.size.count).toBe(5) // each connection executes b
    expect(cache.size.bytes).toBeGreaterThan(1_000)
    pass(FORGOTTEN_MS)
    expect(cache.size).toEqual({ count: 0, bytes: 0 })
  })

  it('keeps a command in progress until it has ended', async () => {
    const { cache, keyOf, textOf, pass } = setUp()
    const { promise: answer, resolve: finish } = Promise.withResolvers<Answer>()
    cache.remember(keyOf(1, 'slow'), answer)
    pass(2 * RETRY_WINDOW_MS)
    const repeated = textOf(keyOf(1, 'slow'))
    finish({ text: 'done', remember: 'result' })
    expect(await repeated).toBe('done')
    expect(await textOf(keyOf(1, 'slow'))).toBe('done')
    pass(FORGOTTEN_MS)
    expect(cache.size).toEqual({ count: 0, bytes: 0 })
  })

  it('K3 keeps the ids of the newest repeatable commands', async () => {
    const { cache, keyOf, textOf } = setUp()
    for (let i = 0; i < 5; i++) cache.rememberId(keyOf(1, `c-${i}`))
    const other = { fingerprint: 'another' }
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
    expect(await textOf(keyOf(1, 'c', { fingerprint: 'another' }))).toBe('conflict')
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
