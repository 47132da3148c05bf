import { ensure } from '@lectern/protocol'
import { describedCandidates, type Offer, type ServerTransport } from './description.ts'
import { activeSections } from './sections.ts'

/** Fragments of session descriptions, which hold ICE only (RFC 8840, section 9). */

const LINES_MAX = 200

/** Checks the fragment of a client. Its content is not needed: the server is ICE-lite. Throws `invalid_argument`. */
export function checkFragment(text: string): void {
  const lines = text.split('\n', LINES_MAX + 1).map(line => line.trimEnd())
  const isFragment = lines.length <= LINES_MAX && lines.every(line => /^($|[am]=)/.test(line))
  const hasIce = lines.some(line => /^a=(ice-ufrag|ice-pwd|candidate|end-of-candidates)/.test(line))
  ensure(isFragment && hasIce, 'invalid_argument', 'The body is not a fragment of a session description.')
}

/** ICE of the server, in the section that describes the transport of all. */
export function writeFragment(offer: Offer, transport: ServerTransport): string {
  const section = activeSections(offer)[0] ?? offer.description.media[0]
  const { usernameFragment, password } = transport.ice_parameters as {
    usernameFragment: string
    password: string
  }
  const candidates = describedCandidates(transport).map(
    ({ foundation, priority, address, ip, port, protocol, type, tcpType }) =>
      `a=candidate:${foundation} 1 ${protocol} ${priority} ${address ?? ip} ${port} typ ${type}${tcpType ? ` tcptype ${tcpType}` : ''}`,
  )
  return [
    'a=ice-lite',
    `m=${section?.type} 9 ${section?.protocol} 0`,
    `a=mid:${section?.mid}`,
    `a=ice-ufrag:${usernameFragment}`,
    `a=ice-pwd:${password}`,
    ...candidates,
    'a=end-of-candidates',
    '',
  ].join('\r\n')
}
