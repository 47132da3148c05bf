import { expect, it } from 'vitest'
import { Sampler } from './sampler.ts'

it('samples measure traffic now, and count requests since the sample before (CHART-2)', async () => {
  const stored: object[] = []
  const requests = { requests: 0, failures: 0 }
  const traffic = { incomingBps: 1_000.4, outgoingBps: 2_000, packetLoss: 0.0125 as number | null }
  let now = 119_000
  const sampler = new Sampler({
    server: '',
    store: { add: async (_, sample) => void stored.push(sample), list: async () => new Map() },
    clock: () => now,
    sessions: { size: { sessions: 2, participants: 5 } },
    connections: () => 6,
    jobs: { countUnfinished: async () => ({ queued: 1, leased: 2 }) },
    requests,
    media: { measureTraffic: async () => ({ ...traffic }), readProcessorTimes: async () => new Map() },
  })
  Object.assign(requests, { requests: 50, failures: 2 })
  await sampler.sample()
  Object.assign(requests, { requests: 70, failures: 2 })
  Object.assign(traffic, { incomingBps: 0, outgoingBps: 0, packetLoss: null })
  now += 60_000
  await sampler.sample()
  sampler.stop()
  expect(stored).toMatchObject([
    {
      ...{ at_ms: 60_000, sessions: 2, participants: 5, connections: 6, jobs: 3 },
      ...{ requests: 50, request_failures: 2 },
      ...{ incoming_bps: 1_000, outgoing_bps: 2_000, packet_loss_percent: 1.3 },
    },
    {
      ...{ at_ms: 120_000, requests: 20, request_failures: 0 },
      ...{ incoming_bps: 0, outgoing_bps: 0, packet_loss_percent: null },
    },
  ])
})
