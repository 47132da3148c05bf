import { Refusal } from '@lectern/protocol'
import type { RtpCapabilities } from 'mediasoup-client/types'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readRtpCapabilities, readRtpParameters } from '../media/ortc.ts'
import { RoomRouter } from '../media/room-router.ts'
import { SfuTestHarness } from '../media/testing/harness.ts'
import { readAnswer, readOffer } from './description.ts'
import { checkFragment, writeFragment } from './fragment.ts'
import { answerPlayer, payloadTypesOf, readPlayerSections, receivingCapabilities } from './playing.ts'
import { answerPublisher, assignSources, readOfferedTracks } from './publishing.ts'
import { ReceivingDescription, readReceivingCapabilities } from './receiving.ts'
import { mutate, randomFrom } from './testing/mutate.ts'
import { playerOffer, publisherOffer } from './testing/offers.ts'

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

  it('rejects in the answer what the server cannot receive', () => {
    const offer = readOffer(publisherOffer().replace('opus/48000/2', 'G729/8000'))
    const tracks = readOfferedTracks(offer, router)
    expect(tracks.map(({ kind }) => kind)).toEqual(['video'])
    const answer = answerPublisher(offer, TRANSPORT, tracks)
    expect(linesOf(answer, 'm=')[0]).toBe('m=audio 0 UDP/TLS/RTP/SAVPF 111 63 9 0')
    expect(linesOf(answer, 'a=group')).toEqual(['a=group:BUNDLE 1'])
  })

  it('needs one transport for all sections', () => {
    const count = (sdp: string) => readOfferedTracks(readOffer(sdp), router).length
    expect(count(publisherOffer().replace('BUNDLE 0 1', 'BUNDLE 0'))).toBe(1)
    const bundled = publisherOffer().replace('m=video 9', 'm=video 0')
    expect(count(bundled)).toBe(1)
    expect(count(bundled.replace('a=mid:1', 'a=mid:1\r\na=bundle-only'))).toBe(2) // as GStreamer offers it
    expect(count(publisherOffer().replaceAll('a=rtcp-mux\r\n', ''))).toBe(0)
    expect(count(publisherOffer().replaceAll('sendonly', 'inactive'))).toBe(0)
  })
})

describe('an offer to receive', () => {
  it('is answered in the payload types of the client, which its router has', async () => {
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

  it('has nothing to play when it sends, or offers no supported codec', () => {
    expect(readPlayerSections(readOffer(publisherOffer()))).toEqual([])
    const unknown = playerOffer().replace(/rtpmap:(\d+) \w+/g, 'rtpmap:$1 X')
    expect(payloadTypesOf(readPlayerSections(readOffer(unknown)))).toEqual({})
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
      'a=candidate:udp 1 udp 1 192.0.2.1 40000 typ host',
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
