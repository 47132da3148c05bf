import { randomInt } from 'node:crypto'

/** RTP parameters of browsers, in the shape of mediasoup-client. */

const ssrc = () => randomInt(1, 2 ** 31)
let mids = 0
const mid = () => String(mids++)

const rtcp = { cname: 'tests', reducedSize: true }

const fingerprint = {
  algorithm: 'sha-256',
  value: Array.from({ length: 32 }, () => 'AB').join(':'),
}
export const dtlsParameters = { role: 'client', fingerprints: [fingerprint] }

export const opus = () => ({
  mid: mid(),
  codecs: [
    {
      mimeType: 'audio/opus',
      payloadType: 111,
      clockRate: 48_000,
      channels: 2,
      parameters: { minptime: 10, useinbandfec: 1, usedtx: 1 },
      rtcpFeedback: [{ type: 'transport-cc', parameter: '' }],
    },
  ],
  headerExtensions: [
    { uri: 'urn:ietf:params:rtp-hdrext:sdes:mid', id: 4, encrypt: false, parameters: {} },
    { uri: 'urn:ietf:params:rtp-hdrext:ssrc-audio-level', id: 1, encrypt: false, parameters: {} },
  ],
  encodings: [{ ssrc: ssrc(), dtx: true }],
  rtcp,
})

const feedback = [
  { type: 'goog-remb', parameter: '' },
  { type: 'transport-cc', parameter: '' },
  { type: 'ccm', parameter: 'fir' },
  { type: 'nack', parameter: '' },
  { type: 'nack', parameter: 'pli' },
]

const video = (mimeType: string, parameters: Record<string, string | number>, encodings: object[]) => ({
  mid: mid(),
  codecs: [
    { mimeType, payloadType: 96, clockRate: 90_000, parameters, rtcpFeedback: feedback },
    { mimeType: 'video/rtx', payloadType: 97, clockRate: 90_000, parameters: { apt: 96 }, rtcpFeedback: [] },
  ],
  headerExtensions: [
    { uri: 'urn:ietf:params:rtp-hdrext:sdes:mid', id: 4, encrypt: false, parameters: {} },
    { uri: 'urn:ietf:params:rtp-hdrext:sdes:rtp-stream-id', id: 10, encrypt: false, parameters: {} },
    {
      uri: 'http://www.ietf.org/id/draft-holmer-rmcat-transport-wide-cc-extensions-01',
      id: 3,
      encrypt: false,
      parameters: {},
    },
    {
      uri: 'http://www.webrtc.org/experiments/rtp-hdrext/abs-capture-time',
      id: 15,
      encrypt: false,
      parameters: {},
    },
  ],
  encodings,
  rtcp,
  msid: 'stream track',
})

const one = () => {
  const first = ssrc()
  return [{ ssrc: first, rtx: { ssrc: first + 1 } }]
}

export const vp8 = () => video('video/VP8', {}, one())
export const vp9 = () =>
  video(
    'video/VP9',
    { 'profile-id': 0 },
    one().map(e => ({ ...e, scalabilityMode: 'L3T3_KEY' })),
  )
export const h264 = (profile = '42e01f', mode = 1) =>
  video('video/H264', { 'packetization-mode': mode, 'profile-level-id': profile }, one())
export const av1 = () => video('video/AV1', {}, one())

export const simulcast = () =>
  video(
    'video/VP8',
    {},
    [4, 2, 1].map((scaleResolutionDownBy, i) => ({
      rid: `r${i}`,
      active: true,
      scaleResolutionDownBy,
      maxBitrate: 100_000 * 4 ** i,
      scalabilityMode: 'L1T3',
    })),
  )
