import type { ProbeView } from '@lectern/protocol'
import type { WebRtcTransport } from 'mediasoup/types'
import { type TurnSettings, turnCredentials } from './turn.ts'

/** The caller is anonymous: only a little longer than a test takes and clocks may differ. */
const TURN_TTL_SECONDS = 300

type ProbeTransport = Pick<WebRtcTransport, 'iceParameters' | 'iceCandidates' | 'dtlsParameters'>

/** What a browser needs to reach the transport. */
export const presentProbe = (transport: ProbeTransport) => ({
  ice_parameters: {
    username_fragment: transport.iceParameters.usernameFragment,
    password: transport.iceParameters.password,
  },
  ice_candidates: transport.iceCandidates.map(({ foundation, priority, address, port, protocol }) => ({
    foundation,
    priority,
    address,
    port,
    protocol,
  })),
  fingerprints: transport.dtlsParameters.fingerprints.map(({ algorithm, value }) => ({ algorithm, value })),
})

/** TURN credentials that are bound to no account and expire soon. */
export function probeIceServers({ urls, secret }: TurnSettings, nowMs: number): ProbeView['ice_servers'] {
  if (urls.length === 0 || !secret) return []
  const expiresAt = Math.floor(nowMs / 1000) + TURN_TTL_SECONDS
  return [{ urls, ...turnCredentials(secret, 'probe', expiresAt) }]
}
