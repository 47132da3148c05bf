import type { ProbeView } from '@lectern/protocol'
import type { WebRtcTransport } from 'mediasoup/types'
import { type TurnSettings, turnCredentials } from './turn.ts'

/** Whoever asks is unknown: longer than a test takes, and than two clocks differ, but not much. */
const TURN_TTL_SECONDS = 300

type Offered = Pick<WebRtcTransport, 'iceParameters' | 'iceCandidates' | 'dtlsParameters'>

/** What a browser must know to reach the transport. */
export const describeProbe = (transport: Offered) => ({
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

/** As a guest gets them on joining, but for nobody in particular, and for a short time. */
export function probeIceServers({ urls, secret }: TurnSettings, nowMs: number): ProbeView['ice_servers'] {
  if (urls.length === 0 || !secret) return []
  const expiresAt = Math.floor(nowMs / 1000) + TURN_TTL_SECONDS
  return [{ urls, ...turnCredentials(secret, 'probe', expiresAt) }]
}
