import { describe, expect, it } from 'vitest'
import { scrubLog } from './log-lines.ts'

const scrub = (...records: (object | string)[]) => {
  const text = records.map(each => (typeof each === 'string' ? each : JSON.stringify(each))).join('\n')
  const { text: kept, ...counts } = scrubLog(text, each => each.replaceAll('secret', '***'))
  const lines = kept.split('\n').filter(Boolean)
  return { ...counts, kept: lines.map(line => JSON.parse(line)) }
}

describe('the log lines of a support bundle', () => {
  it('have known fields only, without secrets, addresses and messages of errors (BUNDLE-2)', () => {
    const line = {
      level: 'error',
      time: '2026-01-01T00:00:00.000Z',
      msg: 'request failed',
      status: 500,
      conference_session_id: 7,
      reason: 'the secret of 192.0.2.7, ::ffff:192.0.2.7, 2001:db8::1 and ::1 at 10:30',
      address: '192.0.2.7',
      title: 'Anna',
      details: { status: 'Anna' },
      err: {
        type: 'PostgresError',
        code: '23505',
        message: 'Anna',
        detail: 'Key (login)=(anna)',
        job_id: 'job_1',
        stack: 'PostgresError: Anna\n    at one (a.js:1:2)\n    at two (b.js:3:4)\nAnna',
      },
    }
    expect(scrub(line).kept).toEqual([
      {
        level: 'error',
        time: line.time,
        msg: 'request failed',
        status: 500,
        conference_session_id: 7,
        reason: 'the *** of ***, ***, *** and *** at 10:30',
        err: {
          type: 'PostgresError',
          code: '23505',
          job_id: 'job_1',
          frames: ['at one (a.js:1:2)', 'at two (b.js:3:4)'],
        },
      },
    ])
  })

  it('are counted; those of others, and broken ones, are left out (BUNDLE-2)', () => {
    const ours = { level: 'info', msg: 'worker ready' }
    const others = [
      'Anna wrote this',
      '{"level":"info"}',
      { level: 'loud', msg: 'x' },
      { level: 'info', msg: 7 },
    ]
    const broken = ['{"level":"info","msg":"Anna', '[]', '{}']
    expect(scrub(ours, ...others, ...broken, '', `Jan 01 host lectern[7]: ${JSON.stringify(ours)}`)).toEqual({
      lines: 2,
      dropped: 7,
      kept: [ours, ours],
    })
    expect(scrub()).toEqual({ lines: 0, dropped: 0, kept: [] })
  })

  it('are truncated, whatever a field contains', () => {
    const [line] = scrub({ level: 'info', msg: 'x'.repeat(10_000), reason: 'y'.repeat(10_000) }).kept
    expect([line.msg.length, line.reason.length]).toEqual([200, 200])
    const stack = `Error\n${'    at f (x.js:1:1)\n'.repeat(500)}`
    expect(scrub({ level: 'info', msg: 'm', err: { stack } }).kept[0].err.frames).toHaveLength(12)
  })

  it('have no beginning of a secret where they are truncated', () => {
    const [line] = scrub({ level: 'info', msg: `${'x'.repeat(195)} secret` }).kept
    expect(line.msg).toBe(`${'x'.repeat(195)} ***`)
  })
})
