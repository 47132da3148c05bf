import { afterAll, beforeAll, describe } from 'vitest'
import { testOn } from '../../media/testing/harness.ts'
import { type NatsServer, startNats } from '../../testing/nats.ts'
import { openNetworks } from '../testing.ts'
import { openOnNode } from './testing.ts'

// The suites of the media server, on a media node behind NATS.

let nats: NatsServer
beforeAll(async () => {
  nats = await startNats()
})
afterAll(async () => {
  await networks.closeAll()
  await nats.stop()
})
const networks = openNetworks(() => nats.url)
testOn(openOnNode(networks))

describe('on a media node', () => {
  // Each suite has hooks of its own.
  describe('publishing', async () => void (await import('../../media/publishing.test.ts')))
  describe('subscribing', async () => void (await import('../../media/subscribing.test.ts')))
  describe('rooms', async () => void (await import('../../media/sfu-room.test.ts')))
  describe('RTP egress', async () => void (await import('../../media/rtp-egress.test.ts')))
  describe('hostile parameters', async () => void (await import('../../media/hostile.test.ts')))
})
