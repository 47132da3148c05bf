import type { ProbeView } from '@lectern/protocol'

type Protocol = 'udp' | 'tcp'

/**
 * The server's SDP answer to the offer of a data channel. The server does not need to know the browser's
 * candidates: with an ICE-lite agent, checks from one side suffice (RFC 8445 §2.5).
 */
export function describeServer(probe: ProbeView, mid: string, protocols: readonly Protocol[]): string {
  const { username_fragment, password } = probe.ice_parameters
  const lines = [
    'v=0',
    'o=- 1 1 IN IP4 0.0.0.0',
    's=-',
    't=0 0',
    `a=group:BUNDLE ${mid}`,
    'a=ice-lite',
    'm=application 9 UDP/DTLS/SCTP webrtc-datachannel',
    'c=IN IP4 0.0.0.0',
    `a=mid:${mid}`,
    `a=ice-ufrag:${username_fragment}`,
    `a=ice-pwd:${password}`,
    ...probe.fingerprints.map(({ algorithm, value }) => `a=fingerprint:${algorithm} ${value}`),
    'a=setup:passive',
    'a=sctp-port:5000',
    ...probe.ice_candidates.filter(({ protocol }) => protocols.includes(protocol)).map(describeCandidate),
    'a=end-of-candidates',
  ]
  return `${lines.join('\r\n')}\r\n`
}

type Candidate = ProbeView['ice_candidates'][number]

function describeCandidate({ foundation, priority, address, port, protocol }: Candidate): string {
  const type = protocol === 'tcp' ? 'host tcptype passive' : 'host'
  return `a=candidate:${foundation} 1 ${protocol} ${priority} ${address} ${port} typ ${type}`
}
