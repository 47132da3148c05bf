/** Setup of the tests that run on a media node behind NATS instead of an SFU in this process. */

import { afterAll, beforeAll } from 'vitest'
import { openOnNode } from '../cluster/media/testing.ts'
import { openNetworks } from '../cluster/testing.ts'
import { testOn } from '../media/testing/harness.ts'
import { type NatsServer, startNats } from './nats.ts'

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
