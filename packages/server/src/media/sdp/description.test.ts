import { Refusal } from '@lectern/protocol'
import type { RtpCapabilities } from 'mediasoup-client/types'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readDtlsParameters, readRtpCapabilities, readRtpParameters } from '../ortc.ts'
import { RoomRouter } from '../room-router.ts'
import { SfuTestHarness } from '../testing/harness.ts'
import { readAnswer, readOffer } from './description.ts'
import { checkFragment, writeFragment } from './fragment.ts'
import { answerPlayer, payloadTypesOf, readPlayerSections, receivingCapabilities } from './playing.ts'
import { answerPublisher, assignSources, readOfferedTracks } from './publishing.ts'
import { ReceivingDescription, readReceivingCapabilities } from './receiving.ts'
import { mutate, randomFrom } from './testing/mutate.ts'
import { ffmpegOffer, playerOffer, publisherOffer } from './testing/offers.ts'

const TRANSPORT = {
  ice_parameters: { usernameFragment: 'server', password: 'secret', iceLite: true },
  ice_candidates: [
    {
      foundation: 'udp',
      priority: 1,
      ip: '192.0.2.1',
      address: '192.0.2.1',
      port: 40_000,
      protocol: 'udp',
      type: 'host',
    },
  ],
  dtls_parameters: { role: 'auto', fingerprints: [{ algorithm: 'sha-256', value: 'AA:BB' }] },
}

let harness: SfuTestHarness
let router: RtpCapabilities
beforeAll(async () => {
  harness = await SfuTestHarness.open()
  router = await capabilitiesOfRouter()
})
afterAll(() => harness.stop())

async function capabilitiesOfRouter(types?: Parameters<typeof RoomRouter.create>[1]) {
  const { router } = await RoomRouter.create(await harness.sfu.workers.pick(), types)
  return router.rtpCapabilities as RtpCapabilities
}

const linesOf = (sdp: string, start: string) => sdp.split('\r\n').filter(line => line.startsWith(start))

describe('an offer to send', () => {
  it('becomes parameters of a microphone and a camera, and an answer', () => {
    const offer = readOffer(publisherOffer())
    const tracks = assignSources(readOfferedTracks(offer, router))
    expect(tracks.map(({ source }) => source)).toEqual(['microphone', 'camera'])
    for (const { kind, rtpParameters } of tracks) readRtpParameters(kind, rtpParameters)
    expect(tracks[1]?.rtpParameters).toMatchObject({
      mid: '1',
      codecs: [{ mimeType: 'video/VP8', payloadType: 96 }, { payloadType: 97 }],
      encodings: [{ ssrc: 1_001, rtx: { ssrc: 1_002 } }],
    })
    expect(offer.dtls).toMatchObject({ role: 'client', fingerprints: [{ algorithm: 'sha-256' }] })
    const answer = answerPublisher(offer, TRANSPORT, tracks)
    expect(linesOf(answer, 'm=')).toEqual([
      'm=audio 7 UDP/TLS/RTP/SAVPF 111',
      'm=video 7 UDP/TLS/RTP/SAVPF 96 97',
    ])
    expect(linesOf(answer, 'a=setup')).toEqual(['a=setup:passive', 'a=setup:passive'])
    expect(linesOf(answer, 'a=recvonly')).toHaveLength(2)
    expect(linesOf(answer, 'a=candidate')).toHaveLength(2)
  })

  it('of ffmpeg is answered with UDP first, which it takes alone, and without "udp" in a foundation, which it takes for the protocol', () => {
    const offer = readOffer(ffmpegOffer())
    const tracks = assignSources(readOfferedTracks(offer, router))
    expect(tracks.map(({ rtpParameters }) => rtpParameters.encodings)).toEqual([
      [{ ssrc: 7 }],
      [{ ssrc: 8, rtx: { ssrc: 9 } }],
    ])
    const [udp] = TRANSPORT.ice_candidates
    const candidates = [
      { ...udp, foundation: 'tcpcandidate', protocol: 'tcp', tcpType: 'passive' },
      { ...udp, foundation: 'udpcandidate', port: 40_001 },
    ]
    const transport = { ...TRANSPORT, ice_candidates: candidates }
    const expected = [
      'a=candidate:1 1 udp 1 192.0.2.1 40001 typ host',
      'a=candidate:2 1 tcp 1 192.0.2.1 40000 typ host tcptype passive',
    ]
    const answer = answerPublisher(offer, transport, tracks)
    expect(linesOf(answer, 'a=candidate')).toEqual([...expected, ...expected])
    expect(linesOf(answer, 'a=setup')).toEqual(['a=setup:active', 'a=setup:active'])
    expect(linesOf(writeFragment(offer, transport), 'a=candidate')).toEqual(expected)
  })

  it('is simulcast by RIDs, and by MID alone where nothing else is announced', () => {
    const simulcast = publisherOffer().replace(
      /a=ssrc-group:FID[\s\S]*$/,
      'a=rid:q send\r\na=rid:h send\r\na=simulcast:send q;h\r\n',
    )
    const [, camera] = readOfferedTracks(readOffer(simulcast), router)
    expect(camera?.rtpParameters.encodings).toEqual([{ rid: 'q' }, { rid: 'h' }])
    const bare = publisherOffer().replace(/a=ssrc.*\r\n/g, '')
    expect(readOfferedTracks(readOffer(bare), router)[0]?.rtpParameters).toMatchObject({
      mid: '0',
      encodings: [{}],
    })
  })

  const h264 = (parameters: string) =>
    publisherOffer().replace(
      /(m=video 9 \S+) [\s\S]*/,
      (_, line) =>
        `${line} 96\r\na=rtcp-mux\r\na=mid:1\r\na=sendonly\r\na=rtpmap:96 H264/90000\r\na=fmtp:96 ${parameters}\r\n`,
    )

  it.each([
    ['no known codec', publisherOffer().replace('opus/48000/2', 'G729/8000'), '"0" (audio)', 'opus'],
    [
      'H.264 High',
      h264('packetization-mode=1;profile-level-id=640028'),
      '"1" (video)',
      'H264 packetization-mode=1',
    ],
    ['H.264 in mode 0', h264('profile-level-id=42e01f'), '"1" (video)', 'H264 packetization-mode=1'],
    [
      'VP9 of another profile',
      publisherOffer()
        .replace(/98 99\r/, '98\r')
        .replace(/ 96 97 102 103 98/, ' 98')
        .replace('profile-id=0', 'profile-id=2'),
      '"1" (video)',
      'VP9 profile-id=0',
    ],
    [
      'a codec that its m= line does not offer',
      publisherOffer().replace('SAVPF 96 97 102 103 98 99', 'SAVPF 99'),
      '"1" (video)',
      'VP8',
    ],
    ['another transport', publisherOffer().replace('BUNDLE 0 1', 'BUNDLE 0'), '"1" (video)', 'BUNDLE'],
    ['RTCP on its own port', publisherOffer().replaceAll('a=rtcp-mux\r\n', ''), '"0" (audio)', 'a=rtcp-mux'],
    [
      'AV1 of another profile',
      publisherOffer()
        .replace(' 96 97 102 103 98 99', ' 96 97')
        .replace('VP8/90000', 'AV1/90000')
        .replace('a=fmtp:97', 'a=fmtp:96 profile=1\r\na=fmtp:97'),
      '"1" (video)',
      'AV1',
    ],
    [
      'payload types that are RTCP',
      publisherOffer().replace(' 96 97 102 103 98 99', ' 72').replaceAll(':96 ', ':72 '),
      '"1" (video)',
      'VP8',
    ],
    ['payload types that no packet has', publisherOffer().replaceAll('111', '200'), '"0" (audio)', 'opus'],
    [
      'two streams of audio',
      publisherOffer().replace('a=ssrc:1000 cname:camera', 'a=ssrc:1000 cname:c\r\na=ssrc:7 cname:c'),
      '"0" (audio)',
      'streams',
    ],
    [
      'a stream without a number',
      publisherOffer().replaceAll('ssrc:1000', 'ssrc:0'),
      '"0" (audio)',
      'streams',
    ],
    ['the streams of another one', publisherOffer().replaceAll('1001', '1000'), '"1" (video)', 'SSRC 1000'],
    ['RTX in the same stream', publisherOffer().replaceAll('1002', '1001'), '"1" (video)', 'SSRC 1001'],
    [
      'RIDs that packets cannot have',
      publisherOffer().replace(
        /a=ssrc-group:FID[\s\S]*$/,
        'a=rid:hi-res send\r\na=rid:lo-res send\r\na=simulcast:send hi-res;lo-res\r\n',
      ),
      '"1" (video)',
      'a=rid',
    ],
    [
      'five streams of simulcast',
      publisherOffer().replace(
        /a=ssrc-group:FID[\s\S]*$/,
        `${[1, 2, 3, 4, 5].map(rid => `a=rid:${rid} send\r\n`).join('')}a=simulcast:send 1;2;3;4;5\r\n`,
      ),
      '"1" (video)',
      'streams',
    ],
    [
      'a mid for which packets have no room, and no SSRC',
      publisherOffer()
        .replace(/a=ssrc.*\r\n/g, '')
        .replace('a=mid:0', 'a=mid:microphone')
        .replace('BUNDLE 0', 'BUNDLE microphone'),
      '"microphone" (audio)',
      'mid',
    ],
    [
      'a data channel',
      `${publisherOffer()}m=application 9 UDP/DTLS/SCTP webrtc-datachannel\r\na=mid:d\r\n`,
      '"d" (application)',
      'neither audio nor video',
    ],
  ])('is refused with the name of a section that cannot be served: %s', (_, sdp, section, reason) => {
    const read = () => readOfferedTracks(readOffer(sdp), router)
    expect(read).toThrow(`The media section ${section} cannot be served`)
    expect(read).toThrow(reason)
  })

  const VP8_STREAMS = /a=ssrc-group:FID[\s\S]*$/
  const streams = (text: string) => publisherOffer().replace(VP8_STREAMS, text)

  it.each([
    ['a stream of its own without RTX', streams('a=ssrc:7 cname:c\r\n'), [{ ssrc: 7 }]],
    [
      'repaired by forward error correction',
      streams(
        'a=ssrc-group:FID 7 8\r\na=ssrc-group:FEC-FR 7 9\r\na=ssrc:7 cname:c\r\na=ssrc:8 cname:c\r\na=ssrc:9 cname:c\r\n',
      ),
      [{ ssrc: 7, rtx: { ssrc: 8 } }],
    ],
    [
      'paused at first',
      streams('a=rid:q send\r\na=rid:h send\r\na=simulcast:send q;~h\r\n'),
      [{ rid: 'q' }, { rid: 'h' }],
    ],
    [
      'alternatives',
      streams('a=rid:q send\r\na=rid:h send\r\na=rid:f send\r\na=simulcast:send q,h;f\r\n'),
      [{ rid: 'q' }, { rid: 'f' }],
    ],
    [
      'named twice, or not at all',
      streams('a=rid:q send\r\na=rid:h send\r\na=rid:f send\r\na=simulcast:send q;h;q\r\n'),
      [{ rid: 'q' }, { rid: 'h' }],
    ],
    [
      'restricted in size and bitrate',
      streams(
        'a=rid:a send max-width=1280;max-height=720;max-br=900000\r\na=rid:b send pt=96;max-height=180\r\na=simulcast:send a;b\r\n',
      ),
      [
        { rid: 'a', maxBitrate: 900_000, scaleResolutionDownBy: 1 },
        { rid: 'b', scaleResolutionDownBy: 4 },
      ],
    ],
    [
      'in both directions',
      streams('a=rid:0 send\r\na=rid:1 send\r\na=rid:2 recv\r\na=simulcast:recv 2 send 0;1\r\n'),
      [{ rid: '0' }, { rid: '1' }],
    ],
  ])('has streams, and is answered with those: %s (WHIP-2)', (_, sdp, encodings) => {
    const offer = readOffer(sdp)
    const tracks = readOfferedTracks(offer, router)
    expect(tracks[1]?.rtpParameters.encodings).toEqual(encodings)
    const rids = encodings.flatMap(encoding => ('rid' in encoding ? encoding.rid : []))
    const answer = answerPublisher(offer, TRANSPORT, tracks)
    expect(linesOf(answer, 'a=rid')).toEqual(rids.map(rid => `a=rid:${rid} recv`))
    expect(linesOf(answer, 'a=simulcast')).toEqual(
      rids.length > 0 ? [`a=simulcast:recv ${rids.join(';')}`] : [],
    )
  })

  it.each([
    ['RTX for nothing', publisherOffer().replace('a=fmtp:97 apt=96\r\n', '')],
    ['RTX for a name', publisherOffer().replace('apt=96', 'apt=vp8')],
    [
      'names that no text of a browser has',
      publisherOffer().replaceAll('cname:camera', 'cname:Анна, 2. Etage'),
    ],
    ['a name that is too long', publisherOffer().replaceAll('cname:camera', `cname:${'x'.repeat(300)}`)],
    ['numbers that no extension has', publisherOffer().replaceAll('extmap:4 ', 'extmap:4096 ')],
    ['extensions of two bytes', publisherOffer().replaceAll('extmap:4 ', 'extmap:200 ')],
    [
      'parameters of others',
      publisherOffer().replace(
        'useinbandfec=1',
        'useinbandfec=1;x_y=1;name="a b";title=я;maxaveragebitrate=99999999999',
      ),
    ],
    [
      'dozens of parameters',
      publisherOffer().replace('minptime=10', Array.from({ length: 40 }, (_, i) => `x${i}=1`).join(';')),
    ],
  ])('is served without what is optional and cannot be used: %s (WHIP-1)', (_, sdp) => {
    const offer = readOffer(sdp)
    const tracks = readOfferedTracks(offer, router)
    expect(tracks.map(({ rtpParameters }) => rtpParameters.codecs[0]?.mimeType)).toEqual([
      'audio/opus',
      'video/VP8',
    ])
    for (const { kind, rtpParameters } of tracks) readRtpParameters(kind, rtpParameters)
    expect(answerPublisher(offer, TRANSPORT, tracks)).not.toMatch(/x_y|"a b"|я|Анна/)
  })

  it('may have sections that want nothing, which the answer rejects (WHIP-1)', () => {
    const offer = readOffer(publisherOffer().replace('sendonly', 'inactive'))
    const tracks = readOfferedTracks(offer, router)
    expect(tracks.map(({ kind }) => kind)).toEqual(['video'])
    const answer = answerPublisher(offer, TRANSPORT, tracks)
    expect(linesOf(answer, 'm=')[0]).toBe('m=audio 0 UDP/TLS/RTP/SAVPF 111 63 9 0')
    expect(linesOf(answer, 'a=group')).toEqual(['a=group:BUNDLE 1'])
    const count = (sdp: string) => readOfferedTracks(readOffer(sdp), router).length
    const bundled = publisherOffer().replace('m=video 9', 'm=video 0')
    expect(count(bundled)).toBe(1)
    expect(count(bundled.replace('a=mid:1', 'a=mid:1\r\na=bundle-only'))).toBe(2) // as GStreamer offers it
    expect(count(publisherOffer().replaceAll('sendonly', 'inactive'))).toBe(0)
  })

  it('has two tracks of a kind at most, where sections are the sources (WHIP-1)', () => {
    const [head = '', audio = '', video = ''] = publisherOffer().split(/(?=m=)/)
    const three = [
      audio,
      ...['1', '2', '3'].map(mid =>
        video.replace('a=mid:1', `a=mid:${mid}`).replace(/\b100(?=\d\b)/g, `${mid}00`),
      ),
    ].join('')
    const tracks = readOfferedTracks(readOffer(head.replace('0 1', '0 1 2 3') + three), router)
    expect(() => assignSources(tracks)).toThrow('"3" (video)')
  })

  it('prefers the codec that its m= line names first', () => {
    const sdp = publisherOffer().replace('SAVPF 96 97 102 103', 'SAVPF 102 103 96 97')
    const [, camera] = readOfferedTracks(readOffer(sdp), router)
    expect(camera?.rtpParameters.codecs).toMatchObject([{ payloadType: 102 }, { payloadType: 103 }])
  })

  it('has names that are compared without case', () => {
    const sdp = publisherOffer()
      .replace(/a=[a-z-]+/g, name => name.toUpperCase().replace('A=', 'a='))
      .replace(/(?<=:)(sha-256|actpass|bundle|fid)/gi, name => name.toUpperCase())
      .replace('BUNDLE', 'bundle')
      .replace('FID', 'fid')
      .replace(/(opus|rtx|vp8|h264)(?=\/)/gi, name => name.toUpperCase())
      .replace(/ (cname|nack|pli|goog-remb)\b/g, name => name.toUpperCase())
      .replace(/(apt|packetization-mode|profile-level-id|useinbandfec)(?==)/g, name => name.toUpperCase())
      .replaceAll(';', ' ; ')
    expect(sdp).toContain('a=FINGERPRINT:SHA-256')
    const described = (text: string) => {
      const offer = readOffer(text)
      const tracks = readOfferedTracks(offer, router).map(({ rtpParameters }) => rtpParameters)
      return JSON.stringify([offer.dtls, tracks]).replace(/(audio|video)\/\w+/g, name => name.toLowerCase())
    }
    expect(described(sdp)).toBe(described(publisherOffer()))
  })

  it('has a fingerprint that is compared without case: mediasoup expects capitals, browsers write RTCDtlsFingerprint without', () => {
    const { dtls } = readOffer(publisherOffer())
    const [{ algorithm = '', value = '' } = {}] = dtls.fingerprints
    const written = { algorithm: algorithm.toUpperCase(), value: value.toLowerCase() }
    expect(readDtlsParameters({ ...dtls, fingerprints: [written] })).toEqual(dtls)
    const several = publisherOffer().replaceAll(
      /a=fingerprint.*\r\n/g,
      line => `${line}a=fingerprint:md5 AB:CD\r\n`,
    )
    expect(readOffer(several).dtls).toEqual(dtls)
  })

  it.each(['stereo=1', 'stereo=1;sprop-stereo=1', 'sprop-stereo=1'])(
    'keeps %s of Opus for all who receive it (WHIP-2)',
    parameters => {
      const sdp = publisherOffer().replace(
        'minptime=10;',
        `minptime=10;${parameters};maxaveragebitrate=256000;`,
      )
      const offer = readOffer(sdp)
      const tracks = readOfferedTracks(offer, router)
      expect(tracks[0]?.rtpParameters.codecs[0]?.parameters).toMatchObject({ 'sprop-stereo': 1 })
      const [fmtp = ''] = linesOf(answerPublisher(offer, TRANSPORT, tracks), 'a=fmtp:111')
      expect(fmtp.split(/[ ;]/)).toEqual(
        expect.arrayContaining(['stereo=1', 'maxaveragebitrate=256000', 'useinbandfec=1']),
      )
    },
  )
})

describe('an offer to receive', () => {
  it('is answered in the payload types of the client, which its router has (WHEP-1)', async () => {
    const offer = readOffer(playerOffer())
    const sections = readPlayerSections(offer)
    const types = payloadTypesOf(sections)
    expect(types).toEqual({ opus: 111, vp8: 96, vp9: 98, h264_42e01f: 102 })
    const numbered = await capabilitiesOfRouter(types)
    const answer = answerPlayer(offer, TRANSPORT, sections, numbered)
    expect(linesOf(answer, 'm=')).toEqual([
      'm=audio 7 UDP/TLS/RTP/SAVPF 111',
      'm=video 7 UDP/TLS/RTP/SAVPF 96 102 98',
    ])
    expect(linesOf(answer, 'a=sendonly')).toHaveLength(2)
    expect(linesOf(answer, 'a=extmap:')).toEqual(['a=extmap:9 urn:ietf:params:rtp-hdrext:toffset'])
    const capabilities = readRtpCapabilities(receivingCapabilities(sections, numbered)) as RtpCapabilities
    expect(capabilities.codecs?.map(({ preferredPayloadType }) => preferredPayloadType)).toEqual([
      111, 96, 102, 98,
    ])
  })

  it('is refused with the name of a section that cannot be served (WHEP-1)', () => {
    const read = (sdp: string) => () => readPlayerSections(readOffer(sdp))
    expect(read(playerOffer().replaceAll('recvonly', 'inactive'))()).toEqual([])
    const channel = 'm=application 9 UDP/DTLS/SCTP webrtc-datachannel\r\na=mid:d\r\n'
    expect(read(publisherOffer() + channel)()).toEqual([])
    const split = playerOffer().replace('BUNDLE 0 1', 'BUNDLE 0')
    expect(read(split)).toThrow('"1" (video) cannot be served: it is not in the first BUNDLE group')
    const unknown = playerOffer().replace(/rtpmap:(\d+) (VP.|H264|rtx)/g, 'rtpmap:$1 X')
    expect(read(unknown)).toThrow('"1" (video) cannot be served: none of its formats is VP8')
  })

  it('describes what a client decodes in the payload types of the router', () => {
    const { codecs = [] } = readReceivingCapabilities(playerOffer(), router)
    expect(codecs.map(({ mimeType }) => mimeType).sort()).toEqual([
      'audio/opus',
      'video/H264',
      'video/VP8',
      'video/VP9',
      'video/rtx',
      'video/rtx',
      'video/rtx',
    ])
    const types = new Map(
      router.codecs?.map(({ mimeType, preferredPayloadType }) => [mimeType, preferredPayloadType]),
    )
    expect(codecs.find(({ mimeType }) => mimeType === 'video/VP8')?.preferredPayloadType).toBe(
      types.get('video/VP8'),
    )
  })
})

describe('a description of what a client receives', () => {
  const track = (publicationId: string, mid: string) => ({
    publicationId,
    participantId: 'anna',
    kind: 'audio' as const,
    rtpParameters: {
      mid,
      codecs: [
        {
          mimeType: 'audio/opus',
          payloadType: 100,
          clockRate: 48_000,
          channels: 2,
          parameters: {},
          rtcpFeedback: [],
        },
      ],
      headerExtensions: [],
      encodings: [{ ssrc: 7 }],
      rtcp: { cname: 'c' },
    },
  })

  it('has a section for each track, which is used again when the track has ended', () => {
    const description = new ReceivingDescription(TRANSPORT)
    for (const [id, mid] of [
      ['a', '0'],
      ['b', '1'],
      ['c', '2'],
    ] as const)
      description.add(track(id, mid))
    description.removeUnless(id => id === 'c')
    expect(description.tracks).toBe(1)
    // The first section stays, for it describes the transport.
    expect(linesOf(description.write(), 'm=').map(line => line.split(' ')[1])).toEqual(['7', '0', '7'])
    description.add(track('d', '3'))
    const written = description.write()
    expect(linesOf(written, 'a=mid')).toEqual(['a=mid:0', 'a=mid:3', 'a=mid:2'])
    expect(linesOf(written, 'a=group')).toEqual(['a=group:BUNDLE 0 3 2'])
    expect(linesOf(written, 'o=')[0]).toBe('o=- 1 2 IN IP4 0.0.0.0')
    description.add(track('c', '4')) // its next consumer
    expect(description.midOf('c')).toBe('4')
    expect(linesOf(description.write(), 'a=mid')).toEqual(['a=mid:0', 'a=mid:3', 'a=mid:4'])
  })
})

describe('a fragment', () => {
  it('holds ICE of the section that describes the transport', () => {
    const fragment = writeFragment(readOffer(publisherOffer()), TRANSPORT)
    checkFragment(fragment)
    expect(fragment.split('\r\n')).toEqual([
      'a=ice-lite',
      'm=audio 9 UDP/TLS/RTP/SAVPF 0',
      'a=mid:0',
      'a=ice-ufrag:server',
      'a=ice-pwd:secret',
      'a=candidate:1 1 udp 1 192.0.2.1 40000 typ host',
      'a=end-of-candidates',
      '',
    ])
    for (const wrong of ['', 'v=0', 'm=audio 9 X 0', 'hello\r\na=ice-ufrag:x', 'a=ice-ufrag:x\n'.repeat(300)])
      expect(() => checkFragment(wrong), wrong.slice(0, 20)).toThrow(Refusal)
  })
})

describe('malformed descriptions', () => {
  const refused = (text: string) => {
    try {
      readOffer(text)
      return false
    } catch (error) {
      expect(error).toMatchObject({ code: 'invalid_argument' })
      return true
    }
  }

  it('are refused: sizes, sections, formats', () => {
    const [head = '', ...sections] = publisherOffer().split(/(?=m=)/)
    for (const text of [
      '',
      'hello',
      'v=0',
      'v=0\r\n'.repeat(2_001),
      publisherOffer() + 'a=x\r\n'.repeat(14_000),
      publisherOffer().replace('s=-', `s=${'x'.repeat(2_100)}`),
      head + sections.join('').repeat(5),
      head + (sections[0] ?? '').repeat(2),
      publisherOffer().replace('a=mid:1', 'a=mid:0'),
      publisherOffer().replace(/a=fingerprint.*\r\n/g, ''),
      publisherOffer().replace(/a=setup.*\r\n/g, ''),
      publisherOffer() + 'a=rtpmap:96 VP8/90000\r\n'.repeat(130),
    ])
      expect(refused(text), text.slice(0, 40)).toBe(true)
    expect(() => readAnswer(publisherOffer())).toThrow('decides who begins DTLS')
    expect(() => readOffer(publisherOffer().replace('a=group', 'a=ice-lite\r\na=group'))).toThrow('ICE-lite')
  })

  it('never cause another error, however they are malformed', async () => {
    const random = randomFrom(20_261_123)
    let accepted = 0
    const attempt = (run: () => void) => {
      try {
        run()
        accepted += 1
      } catch (error) {
        if (!(error instanceof Refusal)) throw error
      }
    }
    for (let i = 0; i < 300; i++) {
      const publisher = mutate(publisherOffer(), random)
      const player = mutate(playerOffer(), random)
      attempt(() => {
        const offer = readOffer(publisher)
        const tracks = assignSources(readOfferedTracks(offer, router))
        readOffer(answerPublisher(offer, TRANSPORT, tracks).replaceAll('AA:BB', '00'))
        for (const { kind, rtpParameters } of tracks)
          readRtpParameters(kind, JSON.parse(JSON.stringify(rtpParameters)))
      })
      attempt(() => {
        const offer = readOffer(player)
        const sections = readPlayerSections(offer)
        payloadTypesOf(sections)
        readRtpCapabilities(JSON.parse(JSON.stringify(receivingCapabilities(sections, router))))
        answerPlayer(offer, TRANSPORT, sections, router)
      })
      attempt(() => readReceivingCapabilities(player, router))
      attempt(() => readAnswer(publisher))
    }
    expect(accepted).toBeGreaterThan(100)
  })
})
