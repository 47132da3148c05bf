import { type Static, Type } from 'typebox'
import { Result } from './schema.ts'

export const ProbeCandidate = Type.Object({
  foundation: Type.String(),
  priority: Type.Integer(),
  address: Type.String(),
  port: Type.Integer(),
  protocol: Type.Enum(['udp', 'tcp'], { description: 'TCP is passive: the browser connects.' }),
})
export type ProbeCandidate = Static<typeof ProbeCandidate>

/** Something on the server that answers the ICE checks of a browser, and nothing else. */
const Probe = Type.Object({
  ice_parameters: Type.Object(
    { username_fragment: Type.String(), password: Type.String() },
    { description: 'ICE parameters of an ICE-lite agent.' },
  ),
  ice_candidates: Type.Array(ProbeCandidate, { description: 'Host candidates.' }),
  fingerprints: Type.Array(Type.Object({ algorithm: Type.String(), value: Type.String() }), {
    description: 'For the session description; no DTLS handshake is answered.',
  }),
  ice_servers: Type.Array(
    Type.Object({
      urls: Type.Array(Type.String()),
      username: Type.String(),
      credential: Type.String(),
    }),
    { description: 'TURN servers as RTCIceServer objects; empty without TURN.' },
  ),
  expires_in_ms: Type.Integer({ description: 'The endpoint closes after this time.' }),
})
export type ProbeView = Static<typeof Probe>

export const ConnectionTestResponse = Type.Object({ result: Result, ...Probe.properties })
