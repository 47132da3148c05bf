import { mediaData, SubscribeOffer } from '@lectern/protocol/control'
import type { RtpCapabilities } from 'mediasoup-client/types'
import { Compile } from 'typebox/compile'
import { afterAll, afterEach, assert, beforeAll, describe, expect, it } from 'vitest'
import { presentEndpoint, presentOffer } from '../control/media-mapping.ts'
import { MAX_PUBLICATIONS } from './publishing.ts'
import { readOffer } from './sdp/description.ts'
import { readOfferedTracks } from './sdp/publishing.ts'
import { publisherOffer } from './sdp/testing/offers.ts'
import { eventually, SfuTestHarness } from './testing/harness.ts'
import { av1, h264, opus, vp8, vp9 } from './testing/rtp.ts'

let harness: SfuTestHarness
beforeAll(async () => {
  harness = await SfuTestHarness.open({ republishTimeoutMs: 1000 })
})
afterAll(() => harness.stop())
afterEach(() => {
  harness.media.closeRoom(1)
  harness.events.length = 0
  harness.offers.clear()
})

const opened = Compile(mediaData['media.open'])
const offered = Compile(SubscribeOffer)

describe('publishing', () => {
  it('opens an endpoint that conforms to the protocol', async () => {
    const endpoint = await harness.participant('anna').open()
    expect(opened.Check({ ...presentEndpoint(endpoint), ice_servers: [] })).toBe(true)
    const protocols = endpoint.send.iceCandidates.map(({ protocol }) => protocol)
    expect(protocols.sort()).toEqual(['tcp', 'udp'])
    const codecs = endpoint.routerRtpCapabilities.codecs as { mimeType: string }[]
    expect(codecs.map(({ mimeType }) => mimeType).filter(type => type !== 'video/rtx')).toEqual([
      'audio/opus',
      'video/VP8',
      'video/VP9',
      'video/H264',
      'video/H264',
      'video/AV1',
    ])
    expect(codecs[0]).toMatchObject({ parameters: { useinbandfec: 1, usedtx: 1 } })
    const video = JSON.stringify(codecs[1])
    for (const feedback of ['"nack"', '"pli"', '"transport-cc"']) expect(video).toContain(feedback)
  })

  it('leaves no phone to send its camera lying on the side, as recorders would store it', async () => {
    const { routerRtpCapabilities } = await harness.participant('anna').open()
    const router = routerRtpCapabilities as unknown as RtpCapabilities
    const [camera] = readOfferedTracks(readOffer(publisherOffer()), router).slice(1)
    const uris = camera?.rtpParameters.headerExtensions?.map(({ uri }) => uri)
    expect(uris).toContain('urn:ietf:params:rtp-hdrext:sdes:mid')
    expect(publisherOffer()).toContain('urn:3gpp:video-orientation')
    expect(uris).not.toContain('urn:3gpp:video-orientation')
  })

  it('offers only TCP candidates on request', async () => {
    const endpoint = await harness.participant('anna').open({ tcpOnly: true })
    for (const { iceCandidates } of [endpoint.send, endpoint.receive])
      expect(iceCandidates).toMatchObject([{ protocol: 'tcp', tcpType: 'passive' }])
  })

  it('restarts ICE with new parameters for both directions', async () => {
    const anna = harness.participant('anna')
    const { endpointId, send, receive } = await anna.open()
    const restarted = await harness.media.restartIce(anna.ref, endpointId)
    expect(restarted.send.iceParameters).not.toEqual(send.iceParameters)
    expect(restarted.receive.iceParameters).not.toEqual(receive.iceParameters)
    await expect(harness.media.restartIce(anna.ref, 'other')).rejects.toMatchObject({ reason: 'gone' })
  })

  it("accepts Firefox's CNAME, a UUID in braces", async () => {
    const anna = await harness.participant('anna').enter()
    const parameters = {
      ...vp8(),
      rtcp: { cname: '{6e5a1f0c-1f3b-4a6e-9d0a-5f4b7c1e2d3a}', reducedSize: true },
    }
    await anna.publish('p-1', 'camera', { parameters })
    expect(harness.eventsOf('published')).toHaveLength(1)
  })

  it('offers a publication to all participants except its sender', async () => {
    const [anna, ben, cleo] = await Promise.all(
      ['anna', 'ben', 'cleo'].map(id => harness.participant(id).enter()),
    )
    await anna?.publish('mic-1', 'microphone')
    await eventually(() => expect([ben?.offers.length, cleo?.offers.length]).toEqual([1, 1]))
    const [first] = ben?.offers ?? []
    assert(first)
    const { participant, negotiation, offer } = first
    expect(offered.Check(presentOffer(offer))).toBe(true)
    expect(offer).toMatchObject({ kind: 'audio', source: 'microphone', participantId: 'anna' })
    expect(participant).toEqual({ sessionId: 1, participantId: 'ben' })
    expect(negotiation).toMatchObject({
      publicationId: 'mic-1',
      endpointId: ben?.endpoint.endpointId,
      kind: 'audio',
      direction: 'subscribe',
    })
    expect(anna?.offers).toEqual([])
    const publication = {
      publicationId: 'mic-1',
      participantId: 'anna',
      source: 'microphone',
      paused: false,
    }
    expect(harness.eventsOf('published')).toEqual([[1, publication]])
  })

  it('accepts every codec of the router, and screens beside cameras', async () => {
    const anna = await harness.participant('anna').enter()
    const ben = await harness.participant('ben').enter()
    const codecs = { vp8, vp9, h264, h264Baseline: () => h264('42001f'), av1 }
    for (const [id, parameters] of Object.entries(codecs))
      await anna.publish(id, 'screen', { parameters: parameters() })
    await anna.publish('camera', 'camera')
    await anna.publish('sound', 'screen_audio')
    await eventually(() => expect(ben.offers).toHaveLength(7))
  })

  it('offers nothing to other sessions', async () => {
    const anna = await harness.participant('anna').enter()
    const zoe = await harness.participant('zoe', 2).enter()
    await anna.publish('mic-1', 'microphone')
    await harness.participant('ben').enter()
    await eventually(() => expect(harness.offers.get('ben')).toHaveLength(1))
    expect(zoe.offers).toEqual([])
    harness.media.closeRoom(2)
  })

  it('pauses and resumes for the sender, with one event each', async () => {
    const anna = await harness.participant('anna').enter()
    await anna.publish('mic-1', 'microphone')
    const producer = [...harness.producers].at(-1)
    await harness.media.pause(anna.ref, 'mic-1')
    await harness.media.pause(anna.ref, 'mic-1')
    expect(producer?.paused).toBe(true)
    expect(harness.eventsOf('changed')).toMatchObject([[1, { publicationId: 'mic-1', paused: true }]])
    await harness.media.resume(anna.ref, 'mic-1')
    expect(producer?.paused).toBe(false)
    expect(harness.eventsOf('changed')).toHaveLength(2)
  })

  it('refuses changes to the publications of others', async () => {
    const anna = await harness.participant('anna').enter()
    const ben = await harness.participant('ben').enter()
    await anna.publish('mic-1', 'microphone')
    await expect(harness.media.pause(ben.ref, 'mic-1')).rejects.toMatchObject({ reason: 'not_yours' })
    await expect(harness.media.close(ben.ref, 'mic-1')).rejects.toMatchObject({ reason: 'not_yours' })
    await expect(ben.publish('mic-1', 'microphone')).rejects.toMatchObject({ reason: 'id_taken' })
    expect(harness.eventsOf('unpublished')).toEqual([])
  })

  it('mutes a participant by source until the sender resumes', async () => {
    const anna = await harness.participant('anna').enter()
    await anna.publish('mic-1', 'microphone')
    await anna.publish('sound', 'screen_audio')
    await anna.publish('cam-1', 'camera')
    harness.media.mute(1, 'anna', 'audio')
    await harness.settled()
    expect(harness.eventsOf('changed')).toMatchObject([
      [1, { publicationId: 'mic-1', paused: true }],
      [1, { publicationId: 'sound', paused: true }],
    ])
    await eventually(() =>
      expect([...harness.producers].slice(-3).map(({ paused }) => paused)).toEqual([true, true, false]),
    )
    await harness.media.resume(anna.ref, 'mic-1')
    expect(harness.eventsOf('changed')).toHaveLength(3)
  })

  it('closes one publication, or all of them with the endpoint', async () => {
    const anna = await harness.participant('anna').enter()
    const ben = await harness.participant('ben').enter()
    await anna.publish('mic-1', 'microphone')
    await anna.publish('cam-1', 'camera')
    await eventually(() => expect(ben.offers).toHaveLength(2))
    await harness.media.close(anna.ref, 'mic-1')
    expect(harness.eventsOf('unpublished')).toEqual([[1, { publicationId: 'mic-1', participantId: 'anna' }]])
    await harness.media.close(anna.ref)
    expect(harness.eventsOf('unpublished')).toHaveLength(2)
    expect(ben.offers.map(offer => ben.consumer(offer).closed)).toEqual([true, true])
  })

  it('replaces an endpoint and keeps publications that are published again under their ids (G7)', async () => {
    const anna = await harness.participant('anna').enter()
    const ben = await harness.participant('ben').enter()
    await anna.publish('mic-1', 'microphone')
    await anna.publish('cam-1', 'camera')
    await eventually(() => expect(ben.offers).toHaveLength(2))
    const stale = anna.negotiation('mic-1', 'microphone')
    await anna.enter()
    await expect(anna.publish('mic-1', 'microphone', { negotiation: stale })).rejects.toMatchObject({
      reason: 'gone',
    })
    await anna.publish('mic-1', 'microphone')
    await eventually(() => expect(ben.offers).toHaveLength(3))
    expect(ben.offers[2]?.negotiation.publicationId).toBe('mic-1')
    await eventually(() =>
      expect(harness.eventsOf('unpublished')).toEqual([
        [1, { publicationId: 'cam-1', participantId: 'anna' }],
      ]),
    )
    expect(harness.eventsOf('published')).toHaveLength(2)
    expect(harness.eventsOf('changed')).toEqual([])
  })

  it('keeps a publication muted that was muted while its sender changed endpoints', async () => {
    const anna = await harness.participant('anna').enter()
    await anna.publish('mic-1', 'microphone')
    await anna.open()
    harness.media.mute(1, 'anna', 'audio')
    await anna.publish('mic-1', 'microphone')
    expect([...harness.producers].at(-1)?.paused).toBe(true)
    await harness.media.resume(anna.ref, 'mic-1')
    expect([...harness.producers].at(-1)?.paused).toBe(false)
  })

  it('keeps publications of a former route that are published again, and removes the others (G5)', async () => {
    const [mic, cam] = ['mic-1', 'cam-1'].map((publicationId, i) => ({
      publicationId,
      participantId: i === 0 ? 'anna' : 'ben',
      source: i === 0 ? ('microphone' as const) : ('camera' as const),
      paused: i === 0,
    }))
    assert(mic && cam)
    harness.media.openRoom({ sessionId: 1, incarnation: 1, awaited: [mic, cam] })
    harness.media.openRoom({ sessionId: 1, incarnation: 1, awaited: [{ ...mic, paused: false }] })
    expect((await harness.media.describe(1))?.publications).toEqual([mic, cam])
    const cleo = await harness.participant('cleo').enter()
    const anna = await harness.participant('anna').enter()
    await expect(cleo.publish('mic-1', 'microphone')).rejects.toMatchObject({ reason: 'id_taken' })
    await anna.publish('mic-1', 'microphone')
    await eventually(() => expect(cleo.offers).toHaveLength(1))
    expect([...harness.producers].at(-1)?.paused).toBe(true) // it was muted before
    await eventually(() =>
      expect(harness.eventsOf('unpublished')).toEqual([
        [1, { publicationId: 'cam-1', participantId: 'ben' }],
      ]),
    )
    expect(harness.eventsOf('published')).toEqual([])
    harness.media.openRoom({ sessionId: 1, incarnation: 1, awaited: [cam] })
    harness.media.closeParticipant(1, 'ben')
    await harness.settled()
    expect(harness.eventsOf('unpublished')).toHaveLength(2)
  })

  it('leaves no producer behind when the endpoint is replaced or the sender leaves meanwhile', async () => {
    const anna = await harness.participant('anna').enter()
    const replaced = outcomeOf(anna.publish('mic-1', 'microphone'))
    await anna.open()
    const left = outcomeOf(anna.publish('cam-1', 'camera'))
    harness.media.closeParticipant(1, 'anna')
    const published = [await replaced, await left].filter(outcome => outcome !== 'gone')
    await eventually(() => expect([...harness.producers].filter(({ closed }) => !closed)).toEqual([]))
    // A media node may have published before the next request reaches it.
    expect(harness.eventsOf('published')).toHaveLength(published.length)
    await eventually(() => expect(harness.eventsOf('unpublished')).toHaveLength(published.length))
  })

  it('lets the newest of several attempts to open an endpoint win', async () => {
    const anna = harness.participant('anna')
    const attempts = await Promise.allSettled([1, 2, 3].map(() => harness.media.openEndpoint(anna.ref, {})))
    expect(attempts.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'fulfilled'])
    expect(attempts[0]).toMatchObject({ reason: { reason: 'superseded' } })
  })

  it('refuses an offer of another route, endpoint or node', async () => {
    const anna = await harness.participant('anna').enter()
    for (const other of [{ endpointId: 'other' }, { routeGeneration: '1' }, { workerId: 'other' }]) {
      const negotiation = { ...anna.negotiation('mic-1', 'microphone'), ...other }
      await expect(anna.publish('mic-1', 'microphone', { negotiation })).rejects.toMatchObject({
        reason: 'gone',
      })
    }
    await anna.publish('mic-1', 'microphone')
  })

  it('refuses a wrong scope, unknown sessions and unknown participants', async () => {
    const anna = await harness.participant('anna').enter()
    const negotiation = anna.negotiation('mic-1', 'camera')
    await expect(anna.publish('mic-1', 'microphone', { negotiation })).rejects.toMatchObject({
      reason: 'wrong_scope',
    })
    await expect(
      harness.media.openEndpoint({ sessionId: 99, participantId: 'anna' }, {}),
    ).rejects.toMatchObject({
      code: 'media_no_session',
    })
    const stranger = { sessionId: 1, participantId: 'nobody' }
    await expect(harness.media.setRtpCapabilities(stranger, 'x', {})).rejects.toMatchObject({
      reason: 'gone',
    })
  })

  it('limits the publications of one participant', async () => {
    const anna = await harness.participant('anna').enter()
    const ids = Array.from({ length: MAX_PUBLICATIONS + 2 }, (_, i) => `mic-${i}`)
    const tries = await Promise.allSettled(
      ids.map(id => anna.publish(id, 'microphone', { parameters: opus() })),
    )
    const refused = tries.filter(({ status }) => status === 'rejected')
    expect(refused).toHaveLength(2)
    expect(refused[0]).toMatchObject({ reason: { code: 'media_too_many' } })
  })
})

const outcomeOf = (published: Promise<unknown>): Promise<string> =>
  published.then(
    () => 'published',
    error => error.reason,
  )
