import { describe, expect, it } from 'vitest'
import { requestDrain } from '../../cluster/members/drain.ts'
import { useNetworks } from '../../cluster/testing/use-networks.ts'
import { waitFor } from '../../cluster/testing.ts'
import { Lifetime } from '../../platform/lifetime.ts'
import { createLog } from '../../platform/log.ts'
import { useDatabaseLeases } from '../../sessions/testing/database-leases.ts'
import { OTHER_TAG, openTestHarness, TAG } from '../../sessions/testing/test-harness.ts'
import { serveHandOver } from './hand-over.ts'

describe('the hand-over of sessions', () => {
  const { networks } = useNetworks()
  const log = createLog('silent')

  /** The sessions of a server, without its timers. */
  async function start(self: string) {
    const harness = await openTestHarness()
    useDatabaseLeases(harness)
    await harness.restart()
    const network = await networks.open(self)
    const control = { isDraining: false, drain: () => {}, undrain: () => {} }
    control.drain = () => {
      control.isDraining = true
    }
    const { conferences, upkeep } = harness
    serveHandOver({ lifetime: new Lifetime(log), log }, { conferences, upkeep }, { network, self, control })
    return { harness, network, control }
  }

  it('LEASE-6 is announced, so that the other servers open the sessions before their timers do', async () => {
    const [leaving, other] = [await start('leaving'), await start('other')]
    await leaving.harness.join('anna')
    await networks.settle()
    // A session that no server runs since the other one has checked.
    await other.harness.unwrapped.sessions.findOrOpen(OTHER_TAG, 1)
    expect(other.harness.registry.getByTag(OTHER_TAG)).toBeUndefined()
    await requestDrain(other.network, 'leaving', 'drain')
    await waitFor(() => leaving.control.isDraining)
    expect(leaving.harness.registry.getByTag(TAG)).toBeUndefined()
    await waitFor(() => other.harness.registry.getByTag(OTHER_TAG))
  })
})
