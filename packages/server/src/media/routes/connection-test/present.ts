import type { ProbeView } from '@lectern/protocol'
import type { ConnectionProbe } from '../../ports.ts'

export const presentProbe = (probe: ConnectionProbe): ProbeView => ({
  ice_parameters: {
    username_fragment: probe.iceParameters.usernameFragment,
    password: probe.iceParameters.password,
  },
  ice_candidates: probe.iceCandidates.map(({ foundation, priority, address, port, protocol }) => ({
    foundation,
    priority,
    address,
    port,
    protocol,
  })),
  fingerprints: probe.fingerprints.map(({ algorithm, value }) => ({ algorithm, value })),
  ice_servers: probe.turnServers,
  expires_in_ms: probe.expiresInMs,
})
