import { expect, it } from 'vitest'
import { singleFlight } from './single-flight.ts'

it('singleFlight shares a running call among its callers, and runs again afterwards', async () => {
  const ends: ((result: string) => void)[] = []
  const load = singleFlight((name: string) => new Promise<string>(resolve => ends.push(() => resolve(name))))
  const shared = [load('first'), load('second')]
  expect(ends).toHaveLength(1)
  ends[0]?.('')
  expect(await Promise.all(shared)).toEqual(['first', 'first'])
  const next = load('third')
  ends[1]?.('')
  expect(await next).toBe('third')
})

it('singleFlight reports a failure to all callers, and runs again afterwards', async () => {
  let calls = 0
  const load = singleFlight(async () => {
    calls += 1
    if (calls === 1) throw new Error('offline')
    return calls
  })
  const failed = await Promise.allSettled([load(), load()])
  expect(failed.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  expect(await load()).toBe(2)
})
