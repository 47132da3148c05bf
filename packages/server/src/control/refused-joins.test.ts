import Fastify from 'fastify'
import { expect, it } from 'vitest'
import { useMetrics } from '../operations/telemetry/metrics.ts'
import { RequestDurations } from '../operations/telemetry/request-durations.ts'
import { createHarness, TAG } from './testing/control-harness.ts'

it('counts who could not enter, by reason, and not who waits in the lobby', async () => {
  const harness = await createHarness()
  const ben = await harness.connect('ben')
  for (let i = 0; i < 2; i++)
    expect((await ben.command('conference.join', {}, { kind: 'conference', id: 'none' })).status).toBe(
      'rejected',
    )
  const known = harness.directory.known.get(TAG)
  if (known) harness.directory.known.set(TAG, { ...known, entry: 'lobby' })
  expect(await ben.join()).toMatchObject({ error: { extensions: { reason: 'approval' } } })

  const app = Fastify()
  useMetrics(app, { token: '', isPublic: true }, harness.control.metrics, new RequestDurations())
  const { body } = await app.inject('/metrics')
  await app.close()
  const counted = body.split('\n').filter(line => line.startsWith('lectern_refused_joins_total{'))
  expect(counted).toEqual(['lectern_refused_joins_total{code="conference_not_found"} 2'])
})
