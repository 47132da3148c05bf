import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { eventually, SfuTestHarness, type TestOffer, type TestParticipant } from './testing/harness.ts'
import { vp9 } from './testing/rtp.ts'

let harness: SfuTestHarness
let sessionId = 0
let anna: TestParticipant
let ben: TestParticipant
beforeAll(async () => {
  harness = await SfuTestHarness.open()
})
afterAll(() => harness.stop())
beforeEach(async () => {
  sessionId += 1
  harness.events.length = 0
  harness.offers.clear()
  anna = await harness.participant('anna', sessionId).enter()
  ben = await harness.participant('ben', sessionId).enter()
})

async function offered(count = 1): Promise<TestOffer> {
  await eventually(() => expect(ben.offers).toHaveLength(count))
  return ben.offers.at(-1) as TestOffer
}

describe('subscribing', () => {
  it('sends nothing before the answer', async () => {
    await anna.publish('mic-1', 'microphone')
    const offer = await offered()
    expect(ben.consumer(offer).paused).toBe(true)
    await ben.answer(offer)
    expect(ben.consumer(offer).paused).toBe(false)
  })

  it('offers earlier publications to a newcomer, and repeats unanswered offers (G6)', async () => {
    await anna.publish('mic-1', 'microphone')
    await anna.publish('cam-1', 'camera')
    await ben.answer(await offered(2))
    await ben.receive()
    await offered(3)
    expect(ben.offers[2]).toEqual(ben.offers[0])
    const cleo = await harness.participant('cleo', sessionId).enter()
    await eventually(() => expect(cleo.offers).toHaveLength(2))
  })

  it('offers only what the viewer can decode', async () => {
    const capabilities = ben.endpoint.routerRtpCapabilities
    const codecs = (capabilities.codecs as { kind: string }[]).filter(({ kind }) => kind === 'audio')
    await ben.receive({ ...capabilities, codecs })
    await anna.publish('cam-1', 'camera')
    await anna.publish('mic-1', 'microphone')
    expect((await offered()).offer.kind).toBe('audio')
  })

  describe('of what a viewer cannot decode', () => {
    const without = (...names: string[]) => {
      const { codecs, ...rest } = ben.endpoint.routerRtpCapabilities as { codecs: { mimeType: string }[] }
      return ben.receive({ ...rest, codecs: codecs.filter(({ mimeType }) => !names.includes(mimeType)) })
    }
    const reports = () => harness.eventsOf('undecodable')

    it('informs the publisher, until the video is sent in VP8', async () => {
      await without('video/VP9')
      await anna.publish('cam-1', 'camera', { parameters: vp9() })
      await eventually(() => expect(reports().length).toBeGreaterThan(1))
      expect(reports()[0]).toEqual([{ sessionId, participantId: 'anna' }, 'cam-1'])
      await anna.publish('cam-1', 'camera')
      const { offer } = await offered()
      expect(offer.rtpParameters.codecs).toMatchObject([{ mimeType: 'video/VP8' }, {}])
      const before = reports().length
      await new Promise(resolve => setTimeout(resolve, 1_500))
      expect(reports()).toHaveLength(before)
    })

    it('informs the publisher also of a viewer who may not join spatial layers, and offers the video', async () => {
      await ben.open({ avoidsSpatialLayers: true })
      await ben.receive()
      await anna.publish('cam-1', 'camera', { parameters: vp9() })
      await offered()
      expect(reports()[0]).toEqual([{ sessionId, participantId: 'anna' }, 'cam-1'])
      await anna.publish('cam-1', 'camera')
      await offered(2)
    })

    it('does not inform the publisher of viewers who would not receive VP8 either', async () => {
      await without('video/VP9', 'video/VP8')
      await anna.publish('cam-1', 'camera', { parameters: vp9() })
      await anna.publish('mic-1', 'microphone')
      await offered()
      expect(reports()).toEqual([])
    })
  })

  it('offers nothing before the viewer has reported its capabilities', async () => {
    const cleo = harness.participant('cleo', sessionId)
    await cleo.open()
    await anna.publish('mic-1', 'microphone')
    await offered()
    expect(cleo.offers).toEqual([])
  })

  it('drops answers to obsolete offers', async () => {
    await anna.publish('mic-1', 'microphone')
    const current = await offered()
    const { negotiation } = current
    const stale = [
      { ...negotiation, id: 'other' },
      { ...negotiation, endpointId: 'other' },
      { ...negotiation, routeGeneration: '1' },
      { ...negotiation, workerId: 'other' },
      { ...negotiation, publicationId: 'other' },
    ]
    for (const wrong of stale) await ben.answer({ ...current, negotiation: wrong })
    await harness.media.answer({ sessionId: 99, participantId: 'ben' }, negotiation, {})
    expect(ben.consumer(current).paused).toBe(true)
  })

  it('closes a subscription that the viewer rejects', async () => {
    await anna.publish('mic-1', 'microphone')
    const offer = await offered()
    await harness.media.answer(ben.ref, offer.negotiation, { error: { code: 'unsupported_feature' } })
    expect(ben.consumer(offer).closed).toBe(true)
  })

  it('refuses invalid DTLS parameters and accepts valid ones afterwards (G3)', async () => {
    await anna.publish('mic-1', 'microphone')
    const offer = await offered()
    const wrong = { dtlsParameters: { fingerprints: [] } }
    await expect(harness.media.answer(ben.ref, offer.negotiation, wrong)).rejects.toMatchObject({
      controlCode: 'invalid_argument',
    })
    await ben.answer(offer)
    expect(ben.consumer(offer).paused).toBe(false)
  })

  it('chooses simulcast layers by the displayed size', async () => {
    await anna.publish('cam-1', 'camera')
    const offer = await offered()
    await ben.answer(offer)
    const consumer = ben.consumer(offer)
    expect(consumer.type).toBe('simulcast')
    const layerAt = async (height: number) => {
      await harness.media.setLayers(ben.ref, 'cam-1', { width: 16, height })
      const dump = await consumer.dump()
      return 'preferredSpatialLayer' in dump ? dump.preferredSpatialLayer : null
    }
    expect([await layerAt(150), await layerAt(400), await layerAt(900)]).toEqual([0, 1, 2])
  })

  it('chooses spatial layers within one encoding, too', async () => {
    await anna.publish('cam-1', 'camera', { parameters: vp9() })
    const offer = await offered()
    await ben.answer(offer)
    await harness.media.setLayers(ben.ref, 'cam-1', { width: 160, height: 90 })
    expect(ben.consumer(offer)).toMatchObject({ type: 'svc', preferredLayers: { spatialLayer: 0 } })
  })

  it('gives screens priority over cameras, and videos of high priority over others', async () => {
    await anna.publish('screen-1', 'screen')
    const screen = await offered()
    await ben.answer(screen)
    expect(ben.consumer(screen).priority).toBe(255)
    await anna.publish('cam-1', 'camera')
    const camera = await offered(2)
    await ben.answer(camera)
    const priorityAs = async (priority?: 'normal' | 'high') => {
      await harness.media.setLayers(ben.ref, 'cam-1', {
        width: 320,
        height: 180,
        ...(priority && { priority }),
      })
      return ben.consumer(camera).priority
    }
    expect([await priorityAs(), await priorityAs('high'), await priorityAs('normal')]).toEqual([1, 128, 1])
  })

  it('pauses a video that is not displayed, whatever the order of changes', async () => {
    await anna.publish('cam-1', 'camera')
    await harness.media.setLayers(ben.ref, 'cam-1', null)
    const offer = await offered()
    await ben.answer(offer)
    const consumer = ben.consumer(offer)
    expect(consumer.paused).toBe(true)
    const shown = { width: 320, height: 180 }
    await harness.media.setLayers(ben.ref, 'cam-1', shown)
    expect(consumer.paused).toBe(false)
    await Promise.all([shown, null].map(size => harness.media.setLayers(ben.ref, 'cam-1', size)))
    expect((await consumer.dump()).paused).toBe(true)
    await expect(harness.media.setLayers(ben.ref, 'none', null)).rejects.toMatchObject({
      reason: 'no_publication',
    })
  })

  it('keeps displayed sizes when the viewer opens another endpoint', async () => {
    await anna.publish('cam-1', 'camera')
    await offered()
    await harness.media.setLayers(ben.ref, 'cam-1', null)
    await ben.enter()
    const offer = await offered(2)
    await ben.answer(offer)
    expect(ben.consumer(offer).paused).toBe(true)
  })

  it('removes participants who leave, with their publications', async () => {
    await anna.publish('mic-1', 'microphone')
    const offer = await offered()
    harness.media.closeParticipant(sessionId, 'anna')
    await harness.settled()
    expect(harness.eventsOf('unpublished')).toMatchObject([[sessionId, { publicationId: 'mic-1' }]])
    expect(ben.consumer(offer).closed).toBe(true)
    await ben.answer(offer)
  })
})
