import { Mutex } from '@lectern/common'
import type { ControlServer } from '../control/control-server.ts'
import type { LiveSessions } from '../sessions/live-sessions.ts'
import type { ClusterPart } from './cluster.ts'
import type { ServerContext } from './context.ts'
import { handOver } from './leases.ts'

/**
 * Lets operators drain this server before they stop it: its sessions go to other servers, its clients reconnect there, and
 * `/readyz` tells load balancers that it is not ready. It answers requests until it is stopped, or takes sessions again
 * when it is undrained.
 */
export async function composeDrain(
  { lifetime, log }: ServerContext,
  { network, identity }: ClusterPart,
  { conferences, upkeep }: Pick<LiveSessions, 'conferences' | 'upkeep'>,
  control: ControlServer,
): Promise<void> {
  if (!network) return
  const { serveDrain } = await import('../cluster/drain.ts')
  const drain = async () => {
    if (upkeep.isHandedOver) return
    log.info({ sessions: conferences.size.sessions }, 'this server drains: its sessions go to other servers')
    await handOver(upkeep).catch(error => log.warn({ err: error }, 'sessions are left to their leases'))
    control.drain()
  }
  const undrain = async () => {
    if (!upkeep.isHandedOver) return
    await upkeep.resume()
    control.undrain()
    log.info('this server takes sessions again')
  }
  // In the order in which they were asked for.
  const mutex = new Mutex()
  const actions = { drain: () => void mutex.run(drain), undrain: () => void mutex.run(undrain) }
  lifetime.own('requests to drain', serveDrain(network, identity.id, actions), stop => stop())
}
