import { describe, expect, it } from 'vitest'
import type { AttemptOutcome } from '../../platform/delivery/guarded-post.ts'
import { settlementFor } from './retry-policy.ts'

const answered = (status: number): AttemptOutcome => ({ is: 'answered', status })

describe('settlementFor', () => {
  it.each([200, 201, 202, 204, 299])('treats %i as delivered', status => {
    expect(settlementFor(answered(status), 0, 0)).toEqual({ is: 'delivered', responseStatus: status })
  })

  it.each([408, 425, 429, 500, 502, 503, 504, 599, 600, 999])('retries after %i', status => {
    expect(settlementFor(answered(status), 0, 5)).toEqual({
      is: 'retry',
      atMs: 10_005,
      responseStatus: status,
      error: `HTTP ${status}`,
    })
  })

  it.each([300, 301, 302, 303, 307, 308, 400, 401, 403, 404, 409, 410, 413, 422, 451, 499])(
    'gives up after %i (RETRY-4)',
    status => {
      expect(settlementFor(answered(status), 0, 0)).toMatchObject({ is: 'failed', responseStatus: status })
    },
  )

  it('retries unreachable receivers, but not forbidden targets', () => {
    expect(settlementFor({ is: 'unreachable', reason: 'ECONNREFUSED' }, 0, 0)).toMatchObject({
      is: 'retry',
      responseStatus: null,
      error: 'ECONNREFUSED',
    })
    expect(settlementFor({ is: 'forbidden', reason: 'FORBIDDEN_URL' }, 0, 0)).toMatchObject({ is: 'failed' })
  })

  it('makes six attempts, 10, 30, 120, 600 and 1800 seconds apart (rule RETRY-3)', () => {
    const delays = [0, 1, 2, 3, 4, 5].map(attempts => {
      const settlement = settlementFor(answered(503), attempts, 0)
      return settlement.is === 'retry' ? settlement.atMs / 1000 : settlement.is
    })
    expect(delays).toEqual([10, 30, 120, 600, 1800, 'failed'])
  })
})
