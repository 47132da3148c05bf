/** Offers as WebRTC stacks write them, shortened. */

const FINGERPRINT = Array.from({ length: 32 }, (_, i) => (i * 7 + 16).toString(16).toUpperCase()).join(':')

const head = (mids: string[]) => [
  'v=0',
  'o=- 4611731400430051336 2 IN IP4 127.0.0.1',
  's=-',
  't=0 0',
  `a=group:BUNDLE ${mids.join(' ')}`,
  'a=extmap-allow-mixed',
  'a=msid-semantic: WMS stream',
]

const transport = (mid: string, direction: string) => [
  'c=IN IP4 0.0.0.0',
  'a=rtcp:9 IN IP4 0.0.0.0',
  'a=candidate:1 1 udp 2113937151 192.0.2.7 50000 typ host generation 0',
  'a=ice-ufrag:Yk3f',
  'a=ice-pwd:rj5b0Yk5M1vVbmR1jqXb1f0a',
  'a=ice-options:trickle',
  `a=fingerprint:sha-256 ${FINGERPRINT}`,
  'a=setup:actpass',
  `a=mid:${mid}`,
  `a=${direction}`,
  'a=rtcp-mux',
]

const audio = (mid: string, direction: string, ssrc: number) => [
  'm=audio 9 UDP/TLS/RTP/SAVPF 111 63 9 0',
  ...transport(mid, direction),
  'a=extmap:1 urn:ietf:params:rtp-hdrext:ssrc-audio-level',
  'a=extmap:4 urn:ietf:params:rtp-hdrext:sdes:mid',
  'a=rtpmap:111 opus/48000/2',
  'a=rtcp-fb:111 transport-cc',
  'a=fmtp:111 minptime=10;useinbandfec=1',
  'a=rtpmap:63 red/48000/2',
  'a=fmtp:63 111/111',
  'a=rtpmap:9 G722/8000',
  'a=rtpmap:0 PCMU/8000',
  ...(direction === 'recvonly' ? [] : [`a=ssrc:${ssrc} cname:camera`, `a=ssrc:${ssrc} msid:stream mic`]),
]

const video = (mid: string, direction: string, ssrc: number) => [
  'm=video 9 UDP/TLS/RTP/SAVPF 96 97 102 103 98 99',
  ...transport(mid, direction),
  'a=rtcp-rsize',
  'a=extmap:4 urn:ietf:params:rtp-hdrext:sdes:mid',
  'a=extmap:13 urn:3gpp:video-orientation',
  'a=extmap:9 urn:ietf:params:rtp-hdrext:toffset',
  'a=rtpmap:96 VP8/90000',
  'a=rtcp-fb:96 goog-remb',
  'a=rtcp-fb:96 transport-cc',
  'a=rtcp-fb:96 ccm fir',
  'a=rtcp-fb:96 nack',
  'a=rtcp-fb:96 nack pli',
  'a=rtpmap:97 rtx/90000',
  'a=fmtp:97 apt=96',
  'a=rtpmap:102 H264/90000',
  'a=rtcp-fb:102 nack pli',
  'a=fmtp:102 level-asymmetry-allowed=1;packetization-mode=1;profile-level-id=42e01f',
  'a=rtpmap:103 rtx/90000',
  'a=fmtp:103 apt=102',
  'a=rtpmap:98 VP9/90000',
  'a=rtcp-fb:98 nack pli',
  'a=fmtp:98 profile-id=0',
  'a=rtpmap:99 rtx/90000',
  'a=fmtp:99 apt=98',
  ...(direction === 'recvonly'
    ? []
    : [
        `a=ssrc-group:FID ${ssrc} ${ssrc + 1}`,
        `a=ssrc:${ssrc} cname:camera`,
        `a=ssrc:${ssrc + 1} cname:camera`,
      ]),
]

/** A microphone and a camera, as Chromium offers them. `ssrc` of the microphone; the camera's follow. */
export const publisherOffer = (ssrc = 1_000): string =>
  [...head(['0', '1']), ...audio('0', 'sendonly', ssrc), ...video('1', 'sendonly', ssrc + 1), ''].join('\r\n')

/** Audio and video to receive, as Chromium offers them. */
export const playerOffer = (): string =>
  [...head(['0', '1']), ...audio('0', 'recvonly', 0), ...video('1', 'recvonly', 0), ''].join('\r\n')

/** A microphone and a camera, as the WHIP muxer of ffmpeg 8 offers them; one attribute has a slip. */
export const ffmpegOffer = (): string =>
  [
    ...head(['0', '1']),
    'm=audio 9 UDP/TLS/RTP/SAVPF 111',
    ...ffmpegTransport('0'),
    'a=rtpmap:111 opus/48000/2',
    'a=ssrc:7 cname:FFmpeg',
    'a=ssrc:7 msid:FFmpeg audio',
    'm=video 9 UDP/TLS/RTP/SAVPF 106 105',
    ...ffmpegTransport('1'),
    'a=rtcp-rsize',
    'a=rtpmap:106 H264/90000',
    'a=fmtp:106 level-asymmetry-allowed=1;packetization-mode=1;profile-level-id=42401f',
    'a=rtcp-fb106 nack',
    'a=rtpmap:105 rtx/90000',
    'a=fmtp:105 apt=106',
    'a=ssrc-group:FID 8 9',
    'a=ssrc:8 cname:FFmpeg',
    'a=ssrc:8 msid:FFmpeg video',
    '',
  ].join('\r\n')

const ffmpegTransport = (mid: string) => [
  'c=IN IP4 0.0.0.0',
  'a=ice-ufrag:0a1b2c3d',
  'a=ice-pwd:0a1b2c3d0a1b2c3d0a1b2c3d0a1b2c3d',
  `a=fingerprint:sha-256 ${FINGERPRINT}`,
  'a=setup:passive',
  `a=mid:${mid}`,
  'a=sendonly',
  `a=msid:FFmpeg ${mid}`,
  'a=rtcp-mux',
]
