import { afterAll, afterEach, beforeAll } from 'vitest'
import { type NatsServer, startNats } from '../../testing/nats.ts'
import { openNetworks } from '../testing.ts'

/** A nats-server for the tests of a file, and the networks of servers for one test. Registers the hooks that end them. */
export function useNetworks() {
  let nats: NatsServer
  const closers: (() => void)[] = []
  const networks = openNetworks(() => nats.url)
  beforeAll(async () => {
    nats = await startNats()
  })
  afterEach(async () => {
    for (const close of closers.splice(0).reverse()) close()
    await networks.closeAll()
  })
  afterAll(() => nats.stop())
  return {
    networks,
    /** Runs after the test, before the networks close; the last one first. */
    closeAfterTest: (...each: (() => void)[]) => void closers.push(...each),
    nats: () => nats,
  }
}
