import { describe, expect, it } from 'vitest'
import { describeServer } from './description.ts'

const at = { priority: 1076302079, address: '192.0.2.7', port: 4000 }
const probe = {
  ice_parameters: { username_fragment: 'fragment', password: 'secret' },
  ice_candidates: [
    { ...at, foundation: 'udpcandidate', protocol: 'udp' as const },
    { ...at, foundation: 'tcpcandidate', protocol: 'tcp' as const },
  ],
  fingerprints: [{ algorithm: 'sha-256', value: 'AB:CD' }],
  ice_servers: [],
  expires_in_ms: 20_000,
}
const linesOf = (...protocols: ('udp' | 'tcp')[]) => describeServer(probe, '0', protocols).split('\r\n')

describe('describeServer', () => {
  it('describes an ICE-lite server that waits for a data channel', () => {
    const lines = linesOf('udp')
    expect(lines[0]).toBe('v=0')
    expect(lines).toEqual(
      expect.arrayContaining([
        'a=ice-lite',
        'a=mid:0',
        'a=ice-ufrag:fragment',
        'a=ice-pwd:secret',
        'a=fingerprint:sha-256 AB:CD',
        'a=setup:passive',
      ]),
    )
    expect(lines.at(-1)).toBe('')
  })

  it('contains only candidates of the given protocols', () => {
    const udp = 'a=candidate:udpcandidate 1 udp 1076302079 192.0.2.7 4000 typ host'
    const tcp = 'a=candidate:tcpcandidate 1 tcp 1076302079 192.0.2.7 4000 typ host tcptype passive'
    const candidates = (lines: string[]) => lines.filter(line => line.startsWith('a=candidate'))
    expect(candidates(linesOf('udp'))).toEqual([udp])
    expect(candidates(linesOf('tcp'))).toEqual([tcp])
    expect(candidates(linesOf('udp', 'tcp'))).toEqual([udp, tcp])
  })
})
