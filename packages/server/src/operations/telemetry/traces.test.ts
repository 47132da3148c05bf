import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { Refusal } from '@lectern/protocol'
import { afterEach, describe, expect, it } from 'vitest'
import { createLog } from '../../platform/log.ts'
import { noTracing } from '../../platform/tracing.ts'
import { TraceCollector } from '../../testing/trace-collector.ts'
import { type TraceSettings, Traces } from './traces.ts'

const closers: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

async function openCollector() {
  const collector = await TraceCollector.start()
  closers.push(() => collector.stop())
  return collector
}

function openTraces(endpoint: string, more: Partial<TraceSettings> = {}) {
  const lines: string[] = []
  const traces = new Traces({
    endpoint,
    headers: { 'x-access-key': 'the key' },
    sampleRatio: 1,
    resource: { 'service.name': 'lectern', 'service.instance.id': 'server-1' },
    log: createLog('info', { write: line => void lines.push(line) }),
    delayMs: 10,
    ...more,
  })
  closers.push(() => traces.stop())
  return { traces, lines: () => lines.map(line => JSON.parse(line)) }
}

const collected = (collector: TraceCollector, count: number) =>
  expect.poll(() => collector.spans.length).toBe(count)

describe('traces', () => {
  it('reach a collector with names, times, attributes and parents, and the configured headers', async () => {
    const collector = await openCollector()
    const { traces } = openTraces(collector.url)
    const before = Date.now()
    await traces.run('outer', { kind: 'server', attributes: { 'lectern.command': 'x' } }, async outer => {
      outer.set({ 'lectern.attempt': 2 })
      await traces.run('inner', { kind: 'client' }, () => sleep(5))
      traces.record({ name: 'SELECT users', startedAtMs: before, endedAtMs: before + 1.5 })
    })
    await collected(collector, 3)
    const [outer] = collector.named('outer')
    expect(outer).toMatchObject({
      parentSpanId: '',
      kind: 2,
      attributes: { 'lectern.command': 'x', 'lectern.attempt': 2 },
      isFailed: false,
    })
    expect(collector.named('inner')[0]).toMatchObject({
      traceId: outer?.traceId,
      parentSpanId: outer?.spanId,
      kind: 3,
    })
    const [statement] = collector.named('SELECT users')
    expect(statement).toMatchObject({ traceId: outer?.traceId, parentSpanId: outer?.spanId })
    expect((statement?.endMs ?? 0) - (statement?.startMs ?? 0)).toBeCloseTo(1.5, 2)
    expect(outer?.startMs).toBeGreaterThanOrEqual(before - 1)
    expect(outer?.endMs).toBeLessThanOrEqual(Date.now() + 1)
    expect(collector.headers[0]).toMatchObject({ 'x-access-key': 'the key' })
    expect(collector.resources[0]).toMatchObject({ 'service.instance.id': 'server-1' })
    // The answer arrives after the collector has the spans.
    await expect.poll(() => traces.counts).toEqual({ exported: 3, failed: 0 })
  })

  it('continue those of the sender, whose traceparent is checked (TRACE-3)', async () => {
    const collector = await openCollector()
    const { traces } = openTraces(collector.url)
    const trace = 'a'.repeat(32)
    const accepted = `00-${trace}-${'b'.repeat(16)}-01`
    await traces.run('accepted', { traceparent: accepted }, async () => {
      expect(traces.traceparent).toMatch(new RegExp(`^00-${trace}-[0-9a-f]{16}-01$`))
    })
    const refused = [
      `01-${trace}-${'b'.repeat(16)}-01`,
      `00-${'0'.repeat(32)}-${'b'.repeat(16)}-01`,
      `00-${trace}-${'0'.repeat(16)}-01`,
      `00-${trace.toUpperCase()}-${'b'.repeat(16)}-01`,
      `${accepted}-x`,
      [accepted, accepted],
      undefined,
    ]
    for (const traceparent of refused) await traces.run('refused', { traceparent }, async () => {})
    await collected(collector, 1 + refused.length)
    expect(collector.named('accepted')[0]).toMatchObject({ traceId: trace, parentSpanId: 'b'.repeat(16) })
    for (const span of collector.named('refused')) {
      expect(span.parentSpanId).toBe('')
      expect(span.traceId).not.toBe(trace)
    }
    // The sender records nothing.
    await traces.run('unwanted', { traceparent: `00-${trace}-${'b'.repeat(16)}-00` }, async () => {})
    await traces.stop()
    expect(collector.named('unwanted')).toEqual([])
  })

  it('have the code of a refusal and the name of an error, never a message (TRACE-1)', async () => {
    const collector = await openCollector()
    const { traces } = openTraces(collector.url)
    const failing = async (error: Error) => {
      await expect(traces.run('work', {}, () => Promise.reject(error))).rejects.toBe(error)
    }
    await failing(new Refusal('permission_denied', 'Anna may not do that.'))
    await failing(new TypeError('the secret of Anna'))
    await failing(Object.assign(new Error('the secret of Ben'), { code: 'ECONNRESET' }))
    await collected(collector, 3)
    expect(collector.spans.map(({ isFailed, attributes }) => [isFailed, attributes])).toEqual([
      [false, { 'lectern.refusal': 'permission_denied' }],
      [true, { 'error.type': 'TypeError' }],
      [true, { 'error.type': 'ECONNRESET' }],
    ])
    expect(collector.texts.join()).not.toMatch(/Anna|Ben/)
  })

  it('of a long-lived operation are one trace, whichever server records what of it', async () => {
    const collector = await openCollector()
    const [one, other] = [openTraces(collector.url).traces, openTraces(collector.url).traces]
    const yesterday = Date.now() - 86_400_000
    const part = { id: 'job_1', is: 'part' } as const
    one.record({ name: 'queued', startedAtMs: yesterday, endedAtMs: yesterday + 10, operation: part })
    other.record({
      name: 'job',
      startedAtMs: yesterday,
      endedAtMs: yesterday + 90,
      failure: 'job_failed',
      operation: { ...part, is: 'whole' },
    })
    await one.run('webhook', { partOf: 'job_1' }, async () => {})
    await one.run('webhook', { partOf: 'job_2' }, async () => {})
    await collected(collector, 4)
    const [job] = collector.named('job')
    expect(job).toMatchObject({ parentSpanId: '', isFailed: true, startMs: yesterday, endMs: yesterday + 90 })
    expect(collector.named('queued')[0]).toMatchObject({ traceId: job?.traceId, parentSpanId: job?.spanId })
    const parents = collector.named('webhook').map(({ parentSpanId }) => parentSpanId)
    expect(parents.filter(id => id === job?.spanId)).toHaveLength(1)
  })

  it('record a share of operations, and statements only as their parts (TRACE-3)', async () => {
    const collector = await openCollector()
    const { traces: none } = openTraces(collector.url, { sampleRatio: 0 })
    const sampled = { traceparent: `00-${'f'.repeat(32)}-${'b'.repeat(16)}-01` }
    for (const options of [{}, sampled, { partOf: 'job_1' }])
      await none.run('work', options, async () => {
        none.record({ name: 'SELECT users', startedAtMs: 1, endedAtMs: 2 })
      })
    await none.stop()
    const { traces: all } = openTraces(collector.url)
    all.record({ name: 'SELECT users', startedAtMs: 1, endedAtMs: 2 })
    await all.run('last', {}, async () => {})
    await collected(collector, 1)
    expect(collector.spans[0]?.name).toBe('last')
  })

  it('that cannot be exported are dropped, which is logged once, as is the recovery (TRACE-2)', async () => {
    const collector = await openCollector()
    const { traces, lines } = openTraces(collector.url)
    collector.status = 400 // not repeated
    await traces.run('lost', {}, async () => {})
    await expect.poll(() => traces.counts.failed).toBe(1)
    await traces.run('lost', {}, async () => {})
    await expect.poll(() => traces.counts.failed).toBe(2)
    collector.status = 200
    await traces.run('kept', {}, async () => {})
    await collected(collector, 1)
    await expect.poll(() => lines().length).toBe(2)
    expect(lines()).toMatchObject([
      { level: 'warn', msg: 'traces cannot be exported; the service is not affected' },
      { level: 'info', msg: 'traces are exported again' },
    ])
  })

  it('wait in a bounded queue of short spans, and are dropped if they do not fit (TRACE-2)', async () => {
    const collector = await openCollector()
    const { traces } = openTraces(collector.url)
    const attributes = { 'lectern.command': 'x'.repeat(100_000) }
    // Nothing is sent meanwhile, as nothing here waits for the network.
    for (let i = 0; i < 5_000; i++) await traces.run('work', { attributes }, async () => {})
    await traces.stop()
    expect(collector.spans.length).toBeGreaterThan(0)
    expect(collector.spans.length).toBeLessThanOrEqual(2_048 + 512)
    expect(String(collector.spans[0]?.attributes['lectern.command'])).toHaveLength(256)
  })

  it('never delay work while the collector is unavailable or silent, and a shutdown for seconds only (TRACE-2)', async () => {
    const silent = createServer()
    closers.push(() => silent.close())
    silent.listen(0, '127.0.0.1')
    await once(silent, 'listening')
    for (const port of [9, (silent.address() as AddressInfo).port]) {
      const { traces } = openTraces(`http://127.0.0.1:${port}/v1/traces`)
      for (let i = 0; i < 100; i++) await traces.run('work', {}, async () => sleep(0))
      const stopped = await Promise.race([traces.stop(), sleep(30_000, 'late', { ref: false })])
      expect(stopped).toBeUndefined()
    }
    silent.closeAllConnections()
  })

  it('record nothing while they are disabled', async () => {
    expect(await noTracing.run('work', {}, async span => span.set({ 'lectern.command': 'x' }) ?? 7)).toBe(7)
    await expect(noTracing.run('work', {}, () => Promise.reject(new Error('x')))).rejects.toThrow('x')
    expect(noTracing.within(noTracing.start('work', {}), () => noTracing.traceparent)).toBeUndefined()
  })
})
