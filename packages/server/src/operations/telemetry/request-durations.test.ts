import { Histogram, Registry } from 'prom-client'
import { expect, it } from 'vitest'
import { RequestDurations } from './request-durations.ts'

const REQUESTS = [
  ['GET', '/rooms/:id', 200, 0.0005],
  ['GET', '/rooms/:id', 200, 0.001], // a bound belongs to its bucket
  ['GET', '/rooms/:id', 404, 0.0011],
  ['PUT', '/rooms/:id', 200, 0.3],
  ['GET', 'unknown', 404, 10],
  ['GET', '/rooms/:id', 200, 10.5],
] as const

it('the durations of requests are exported as the histogram of prom-client would', async () => {
  const registry = new Registry()
  const durations = new RequestDurations()
  registry.registerMetric(durations.toMetric())

  const expected = new Registry()
  const histogram = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from the arrival of a request to its response.',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.001, 0.005, 0.02, 0.1, 0.5, 2, 10],
    registers: [expected],
  })

  for (const [method, route, status, seconds] of REQUESTS) {
    durations.observe(method, route, status, seconds)
    histogram.observe({ method, route, status }, seconds)
  }
  const lines = async (from: Registry) => (await from.metrics()).split('\n').toSorted()
  expect(await lines(registry)).toEqual(await lines(expected))
  expect(await registry.metrics()).toContain('status="404"} 1')
})

it('requests and their failures are counted over all routes', () => {
  const durations = new RequestDurations()
  expect([durations.requests, durations.failures]).toEqual([0, 0])
  for (const [method, route, status, seconds] of REQUESTS) durations.observe(method, route, status, seconds)
  durations.observe('GET', '/rooms/:id', 500, 11)
  durations.observe('PUT', '/rooms/:id', 503, 0.1)
  expect([durations.requests, durations.failures]).toEqual([REQUESTS.length + 2, 2])
})

it('before the first request only the description is exported', async () => {
  const registry = new Registry()
  registry.registerMetric(new RequestDurations().toMetric())
  expect((await registry.metrics()).trim().split('\n')).toHaveLength(2)
})
