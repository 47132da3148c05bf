import { CODECS, type Kind } from './rtp.ts'

/** A WebRTC transport of mediasoup, as its server tells of it. */
export interface Transport {
  iceParameters: { usernameFragment: string; password: string }
  iceCandidates: { ip: string; port: number; priority: number; foundation: string; protocol: string }[]
  dtlsParameters: { fingerprints: { algorithm: string; value: string }[] }
}

/** What flows through it, one m-line for each. */
export interface Stream {
  kind: Kind
  payloadType: number
  /** Only of what the server sends. */
  ssrc?: number
}

/** The description that a browser would be given for the other end: an answer to what it sends, or an offer. */
export function describeTransport(transport: Transport, streams: Stream[], type: 'offer' | 'answer'): string {
  const mids = streams.map((_, mid) => mid)
  return [
    'v=0',
    'o=- 1 1 IN IP4 127.0.0.1',
    's=-',
    't=0 0',
    'a=ice-lite',
    `a=group:BUNDLE ${mids.join(' ')}`,
    'a=msid-semantic:WMS *',
    ...streams.flatMap((stream, mid) => describeStream(transport, stream, mid, type)),
    '',
  ].join('\r\n')
}

function describeStream(
  { iceParameters, iceCandidates, dtlsParameters }: Transport,
  { kind, payloadType, ssrc }: Stream,
  mid: number,
  type: 'offer' | 'answer',
): string[] {
  const { name, clockRate, channels } = CODECS[kind]
  const fingerprint = dtlsParameters.fingerprints.find(({ algorithm }) => algorithm === 'sha-256')
  const candidates = iceCandidates.filter(({ protocol }) => protocol === 'udp')
  return [
    `m=${kind} 9 UDP/TLS/RTP/SAVPF ${payloadType}`,
    'c=IN IP4 127.0.0.1',
    `a=mid:${mid}`,
    type === 'offer' ? 'a=sendonly' : 'a=recvonly',
    'a=rtcp-mux',
    `a=ice-ufrag:${iceParameters.usernameFragment}`,
    `a=ice-pwd:${iceParameters.password}`,
    `a=fingerprint:sha-256 ${fingerprint?.value}`,
    type === 'offer' ? 'a=setup:actpass' : 'a=setup:passive',
    `a=rtpmap:${payloadType} ${name}/${clockRate}${channels ? `/${channels}` : ''}`,
    ...(ssrc ? [`a=ssrc:${ssrc} cname:bench`] : []),
    ...candidates.map(
      ({ foundation, priority, ip, port }) =>
        `a=candidate:${foundation} 1 udp ${priority} ${ip} ${port} typ host`,
    ),
    'a=end-of-candidates',
  ]
}

/** What mediasoup is told of our end, which always begins DTLS. */
export function dtlsParametersOf(sdp: string) {
  const value = /a=fingerprint:sha-256 ([0-9A-F:]+)/i.exec(sdp)?.[1]
  return { role: 'client', fingerprints: [{ algorithm: 'sha-256', value }] }
}
