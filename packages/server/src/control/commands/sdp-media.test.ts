import { encodeFrame, type JsonObject, type MediaRef } from '@lectern/protocol/control'
import { getSupportedRtpCapabilities } from 'mediasoup'
import { beforeEach, describe, expect, it } from 'vitest'
import { playerOffer, publisherOffer } from '../../media/sdp/testing/offers.ts'
import { type ControlHarness, createHarness } from '../testing/control-harness.ts'
import type { RawClient } from '../testing/raw-client.ts'
import { encodeTail } from '../v2/envelopes.ts'
import '../sdp-negotiation.ts' // or the first command would wait for it

let harness: ControlHarness
let anna: RawClient
beforeEach(async () => {
  harness = await createHarness()
  harness.media.routerRtpCapabilities = routerCapabilities()
  anna = await harness.enter('anna', 'moderator')
  anna.socket.received.length = 0
})

/** Those of mediasoup with payload types, as a router has them. */
function routerCapabilities() {
  const { codecs = [], headerExtensions = [] } = getSupportedRtpCapabilities()
  const wanted = ['audio/opus', 'video/VP8']
  return {
    codecs: codecs
      .filter(({ mimeType }) => wanted.includes(mimeType))
      .map((codec, i) => ({ ...codec, parameters: codec.parameters ?? {}, preferredPayloadType: 100 + i })),
    headerExtensions,
  }
}

const refOf = (changes: Partial<MediaRef> = {}): MediaRef => ({
  conference_session_id: anna.sessionId,
  participant_instance_id: anna.participantId,
  publication_id: 'p',
  endpoint_id: 'e',
  negotiation_id: 'n',
  rtc_node_id: 'r',
  route_generation: '1',
  scope: 'audio',
  ...changes,
})

async function negotiate(body: JsonObject, media = refOf(), name = 'webrtc_offer') {
  await anna.send(encodeFrame({ control_media: { binding: anna.binding, media, name: name as never, body } }))
  return anna.take('control_media').map(({ body }) => body)
}

const codeOf = async (body: JsonObject, media?: MediaRef) =>
  (await negotiate(body, media)).map(({ error }) => (error as JsonObject | undefined)?.code)

const openDescribed = () => anna.command('media.open', { format: 'sdp' })
const OFFER = { format: 'sdp', source: 'microphone', paused: false, mid: '0', sdp: publisherOffer() }
const callsOf = (name: string) => harness.media.calls.filter(([method]) => method === name)

describe('media in the format sdp', () => {
  it('G9 publishes what an offer describes, and answers all of it', async () => {
    await openDescribed()
    const [answer] = await negotiate(OFFER)
    expect(answer).toMatchObject({ format: 'sdp', publication_id: 'p' })
    expect(String(answer?.sdp).match(/a=recvonly/g)).toHaveLength(2)
    expect(callsOf('publish')).toMatchObject([
      [
        'publish',
        { participantId: anna.participantId },
        { publicationId: 'p', kind: 'audio' },
        {
          source: 'microphone',
          paused: false,
          rtpParameters: { mid: '0', encodings: [{ ssrc: 1_000 }] },
          dtlsParameters: { role: 'client' },
        },
      ],
    ])
  })

  it('G9 refuses other formats, endpoints, sections and descriptions', async () => {
    expect(await codeOf(OFFER)).toEqual(['unsupported_feature']) // no endpoint in this format
    await openDescribed()
    expect(await codeOf({ format: 'ortc', source: 'microphone', paused: false, rtp_parameters: {} })).toEqual(
      ['unsupported_feature'],
    )
    expect(await codeOf(OFFER, refOf({ endpoint_id: 'former' }))).toEqual(['temporarily_unavailable'])
    for (const change of [
      { mid: '9' },
      { sdp: 'v=0' },
      { sdp: '' },
      { mid: 7 },
      { extra: 1 },
      { source: 'eye' },
    ])
      expect(await codeOf({ ...OFFER, ...change } as JsonObject)).toEqual(['invalid_argument'])
    expect(callsOf('publish')).toEqual([])
    await anna.command('media.open', {})
    expect(await codeOf(OFFER)).toEqual(['unsupported_feature'])
  })

  it('G9 names a section that the server cannot receive, whichever the publication is', async () => {
    await openDescribed()
    const sdp = OFFER.sdp.replace(/(VP8|VP9|H264)\//g, 'X/')
    for (const mid of ['0', '1']) {
      const [{ error } = {}] = await negotiate({ ...OFFER, mid, sdp })
      expect(error).toMatchObject({
        code: 'invalid_argument',
        message: expect.stringMatching(/"1" \(video\).*VP8/),
      })
    }
    expect(callsOf('publish')).toEqual([])
  })

  it('G9 passes refusals of the media server on', async () => {
    await openDescribed()
    harness.media.refuse()
    expect(await codeOf(OFFER)).toEqual(['resource_exhausted'])
  })

  it('G10 reads what a client decodes from an offer to receive', async () => {
    await openDescribed()
    await anna.command('media.receive', { endpoint_id: 'e', sdp: playerOffer() })
    const [, , , capabilities] = callsOf('setRtpCapabilities')[0] as [
      string,
      object,
      string,
      { codecs: object[] },
    ]
    expect(capabilities.codecs).toMatchObject([
      { mimeType: 'audio/opus', preferredPayloadType: 100 },
      { mimeType: 'video/VP8', preferredPayloadType: 101 },
    ])
    for (const body of [
      { endpoint_id: 'e' },
      { endpoint_id: 'e', sdp: 'v=0' },
      { endpoint_id: 'e', rtp_capabilities: {}, sdp: playerOffer() },
      { endpoint_id: 'e', rtp_capabilities: {} },
    ])
      expect(await anna.command('media.receive', body as never)).toMatchObject({ status: 'rejected' })
    expect(callsOf('setRtpCapabilities')).toHaveLength(1)
  })

  it('G11 describes each publication in a section, and reads the answer', async () => {
    await openDescribed()
    const sessionId = Number(anna.sessionId)
    const offer = (publication_id: string, mid: string) => {
      const publication = {
        publication_id,
        participant_id: 'ben',
        source: 'microphone' as const,
        paused: false,
      }
      harness.reports.applyMediaEvent(sessionId, {
        name: 'publication.added',
        body: { publication },
      })
      const media = refOf({ scope: 'audio-subscribe', publication_id })
      const rtp_parameters = {
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
      }
      const body = {
        format: 'ortc',
        consumer_id: 'c',
        kind: 'audio',
        source: 'microphone',
        participant_id: 'ben',
        rtp_parameters,
      }
      harness.streams.sessions.send(
        sessionId,
        anna.participantId,
        encodeTail({ media, name: 'webrtc_offer', body }),
      )
      return anna.take('control_media').map(({ body }) => body)[0] as JsonObject
    }
    offer('q1', '0')
    const { sdp, ...rest } = offer('q2', '1')
    expect(rest).toEqual({
      format: 'sdp',
      mid: '1',
      kind: 'audio',
      source: 'microphone',
      participant_id: 'ben',
    })
    expect(String(sdp).match(/a=mid:\d/g)).toEqual(['a=mid:0', 'a=mid:1'])

    const answered = publisherOffer().replaceAll('actpass', 'active').replaceAll('sendonly', 'recvonly')
    const answer = (body: JsonObject) =>
      negotiate(body, refOf({ scope: 'audio-subscribe', publication_id: 'q2' }), 'webrtc_answer')
    await answer({ format: 'sdp', sdp: answered })
    await answer({ format: 'sdp', sdp: answered.replace('m=video 9', 'm=video 0') })
    await answer({ format: 'sdp', sdp: 'v=0' })
    await answer({ format: 'ortc' })
    expect(callsOf('answer').map(([, , , answer]) => answer)).toMatchObject([
      { dtlsParameters: { role: 'client' } },
      { error: { code: 'unsupported_feature' } },
      { error: { code: 'invalid_argument' } },
      { error: { code: 'invalid_argument' } },
    ])
  })

  it('G12 opens another endpoint instead of restarting ICE', async () => {
    await openDescribed()
    expect(await anna.command('media.restart_ice', { endpoint_id: 'e' })).toMatchObject({
      error: { code: 'unsupported_feature' },
    })
    await anna.command('media.open', {})
    expect(await anna.command('media.restart_ice', { endpoint_id: 'e' })).toMatchObject({ status: 'applied' })
  })
})
