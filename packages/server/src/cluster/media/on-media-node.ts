/** Setup of the tests that run on a media node behind NATS instead of an SFU in this process. */

import { afterAll, beforeAll } from 'vitest'
import { testOn } from '../../media/testing/harness.ts'
import { type NatsServer, startNats } from '../../testing/nats.ts'
import { openNetworks } from '../testing.ts'
import { openOnNode } from './testing.ts'

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
