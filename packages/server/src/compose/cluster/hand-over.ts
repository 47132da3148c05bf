import { Mutex, withTimeout } from '@lectern/common'
import { serveDrain } from '../../cluster/members/drain.ts'
import type { ClusterNetwork } from '../../cluster/network/network.ts'
import type { ControlServer } from '../../control/control-server.ts'
import type { LiveSessions } from '../../sessions/live-sessions.ts'
import type { ServerContext } from '../context.ts'

/** A hand-over that takes longer is left to the leases, which run out. */
const HAND_OVER_MAX_MS = 3_000
/** To all servers: there are sessions that nobody runs. They would find them within a second. */
const VACANT = 'sessions.vacant'

interface HandOverParts {
  network: ClusterNetwork
  self: string
  control: Pick<ControlServer, 'drain' | 'undrain'>
}

/** Hands the sessions over when the server stops, and when an operator drains it. */
export function serveHandOver(
  { lifetime, log }: Pick<ServerContext, 'lifetime' | 'log'>,
  { conferences, upkeep }: Pick<LiveSessions, 'conferences' | 'upkeep'>,
  { network, self, control }: HandOverParts,
): void {
  const handOver = async () => {
    await withTimeout(upkeep.handOver(), HAND_OVER_MAX_MS, () => new Error('the database does not answer'))
    network.publish(VACANT, null)
  }
  const openVacant = () => {
    upkeep
      .openVacant()
      .catch(error =>
        log.error({ err: error }, 'a session that nobody runs could not be opened: retried within a second'),
      )
  }
  lifetime.own('sessions that others hand over', network.subscribe(VACANT, openVacant), stop => stop())
  // Closed before all else, so that people are at other servers while this one finishes its work.
  lifetime.own('sessions', upkeep, handOver)
  const drain = async () => {
    if (upkeep.isHandedOver) return
    log.info({ sessions: conferences.size.sessions }, 'this server drains: its sessions go to other servers')
    await handOver().catch(error =>
      log.warn(
        { err: error },
        'sessions could not be handed over: other servers take them when their leases have run out',
      ),
    )
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
  lifetime.own('requests to drain', serveDrain(network, self, actions), stop => stop())
}
