import { CODECS, type Kind } from './rtp.ts'

/** The parameters of a WebRTC transport of mediasoup. */
export interface Transport {
  iceParameters: { usernameFragment: string; password: string }
  iceCandidates: { ip: string; port: number; priority: number; foundation: string; protocol: string }[]
  dtlsParameters: { fingerprints: { algorithm: string; value: string }[] }
}

/** A media stream, one m-line each. */
export interface Stream {
  kind: Kind
  payloadType: number
  /** Only for streams that the server sends. */
  ssrc?: number
}

/** The remote session description for a transport: an answer or an offer. */
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

/** The DTLS parameters for mediasoup; the client is always the DTLS client. */
export function dtlsParametersOf(sdp: string) {
  const value = /a=fingerprint:sha-256 ([0-9A-F:]+)/i.exec(sdp)?.[1]
  return { role: 'client', fingerprints: [{ algorithm: 'sha-256', value }] }
}
