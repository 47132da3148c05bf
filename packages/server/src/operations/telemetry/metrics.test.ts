import Fastify from 'fastify'
import { expect, it, vi } from 'vitest'
import { type Gauges, useMetrics } from './metrics.ts'
import { RequestDurations } from './request-durations.ts'

it('leaves out what cannot be read now or in time, and reports everything else', async () => {
  let isStoreAway = false
  const ofStore = async () => {
    if (isStoreAway) throw new Error('the database does not answer')
    return 7
  }
  const gauges: Gauges = {
    lectern_rows: { help: 'Rows.', read: ofStore },
    lectern_written_total: { help: 'Writes.', type: 'counter', read: ofStore },
    lectern_hanging: { help: 'Hangs.', read: () => new Promise<number>(() => {}) },
    lectern_reasons_total: {
      help: 'Reasons.',
      type: 'counter',
      label: 'code',
      read: () => {
        if (isStoreAway) throw new Error('no')
        return new Map([['full', 2]])
      },
    },
    lectern_open: { help: 'Open ones.', read: () => 3 },
  }
  const app = Fastify()
  useMetrics(app, { token: '', isPublic: true }, gauges, new RequestDurations())
  const scrape = async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const answer = app.inject('/metrics')
    await vi.advanceTimersByTimeAsync(5_000)
    vi.useRealTimers()
    const { statusCode, body } = await answer
    expect(statusCode).toBe(200)
    return body.split('\n').filter(line => line.startsWith('lectern_'))
  }
  const all = [
    'lectern_rows 7',
    'lectern_written_total 7',
    'lectern_reasons_total{code="full"} 2',
    'lectern_open 3',
  ]
  expect(await scrape()).toEqual(all)
  isStoreAway = true
  expect(await scrape()).toEqual(['lectern_open 3'])
  isStoreAway = false
  expect(await scrape()).toEqual(all)
  await app.close()
})
