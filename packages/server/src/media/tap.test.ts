import { randomBytes } from 'node:crypto'
import type { MediaKind } from 'mediasoup/types'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import type { EgressOptions } from './ports.ts'
import { openRoute, type Route } from './route.ts'
import { Tap } from './tap.ts'
import { eventually, SfuTestHarness, type TestOffer, type TestParticipant } from './testing/harness.ts'
import { TestMicrophone } from './testing/microphone.ts'
import { TestReceiver } from './testing/receiver.ts'

vi.setConfig({ testTimeout: 30_000 }) // processes come and go here

let harness: SfuTestHarness
let receiver: TestReceiver
beforeAll(async () => {
  harness = await SfuTestHarness.open()
})
afterAll(() => harness.sfu.stop())
beforeEach(async () => {
  receiver = await TestReceiver.open()
})
afterEach(() => receiver.close())

const kinds: MediaKind[] = ['audio', 'video']
const here = (more: Partial<EgressOptions> = {}): EgressOptions => ({
  kinds,
  ip: '127.0.0.1',
  port: receiver.port,
  ...more,
})
const srtp = (suite: NonNullable<EgressOptions['srtp']>['cryptoSuite'] = 'AEAD_AES_128_GCM', bytes = 28) => ({
  cryptoSuite: suite,
  keyBase64: randomBytes(bytes).toString('base64'),
})

describe('a tap', () => {
  let route: Route
  let microphone: TestMicrophone
  const consumed = async (options: EgressOptions) => {
    const tap = await Tap.open(route, options)
    const { rtpCapabilities, receive } = tap
    const consumer = await receive.transport.consume({ producerId: microphone.producer.id, rtpCapabilities })
    return { tap, ssrc: Number(consumer.rtpParameters.encodings?.[0]?.ssrc) }
  }

  beforeAll(async () => {
    const events = { activeSpeaker: () => {}, audioLevels: () => {} }
    route = await openRoute(await harness.sfu.workers.pick(), '1', events)
    microphone = await TestMicrophone.in(route.router)
  })
  afterAll(() => {
    microphone.close()
    route.router.close()
  })

  it('J17 brings RTP and sender reports to one port', async () => {
    const { tap, ssrc } = await consumed(here())
    await eventually(() => {
      expect(receiver.rtp.length).toBeGreaterThan(20)
      expect(receiver.senderReports.length).toBeGreaterThan(0)
    })
    const [first] = receiver.rtp
    expect(first?.subarray(-20)).toEqual(Buffer.alloc(20)) // what the microphone has sent
    expect(receiver.rtp.every(packet => packet.readUInt32BE(8) === ssrc)).toBe(true)
    expect(receiver.senderReports[0]?.readUInt32BE(4)).toBe(ssrc)
    tap.close()
  })

  it('J19 encrypts with a key of its own', async () => {
    const key = srtp()
    const { tap } = await consumed(here({ srtp: key }))
    await eventually(() => expect(receiver.rtp.length).toBeGreaterThan(5))
    expect(receiver.rtp[0]?.includes(Buffer.alloc(20))).toBe(false)
    expect(tap.describe().srtp).toMatchObject({ cryptoSuite: 'AEAD_AES_128_GCM' })
    expect(tap.describe().srtp?.keyBase64).not.toBe(key.keyBase64)
    tap.close()
    const other = await Tap.open(route, here({ srtp: srtp('AES_CM_128_HMAC_SHA1_80', 30) }))
    expect(other.describe().srtp?.cryptoSuite).toBe('AES_CM_128_HMAC_SHA1_80')
    other.close()
  })

  it('J19 leaves the machine only encrypted, and goes to somebody', async () => {
    const reasonOf = (options: EgressOptions) =>
      Tap.open(route, options).then(
        tap => tap.close(),
        error => error.reason,
      )
    expect(await reasonOf(here({ ip: '192.0.2.1' }))).toBe('srtp_required')
    expect(await reasonOf(here({ ip: '::ffff:192.0.2.1' }))).toBe('unsupported') // the server listens on IPv4
    for (const ip of ['nowhere', '', '0.0.0.0', '224.0.0.1', '255.255.255.255', '::', 'ff02::1'])
      expect(await reasonOf(here({ ip, srtp: srtp() }))).toBe('malformed')
    expect(await reasonOf(here({ srtp: srtp('AES_CM_128_HMAC_SHA1_80', 28) }))).toBe('malformed')
  })
})

describe('an observer', () => {
  let sessionId = 100
  let anna: TestParticipant
  let observer: TestParticipant
  beforeEach(async () => {
    sessionId += 1
    harness.events.length = 0
    harness.offers.clear()
    anna = await harness.participant('anna', sessionId).enter()
    observer = harness.participant('job_1', sessionId)
  })

  const tap = (options = here()) => harness.sfu.openEgress(observer.ref, options)
  const offered = async (count: number): Promise<TestOffer[]> => {
    await eventually(() => expect(observer.offers).toHaveLength(count))
    return observer.offers
  }
  const codecOf = ({ offer }: TestOffer) => {
    const [codec, ...others] = offer.rtpParameters.codecs as Record<string, unknown>[]
    expect(others).toEqual([])
    return codec
  }

  it('J17 is offered what is published, without what a recorder has no use for', async () => {
    await anna.publish('mic-1', 'microphone')
    const { endpointId } = await tap()
    await offered(1)
    await anna.publish('cam-1', 'camera')
    const [microphone, camera] = await offered(2)
    expect(microphone).toMatchObject({
      participant: { participantId: 'job_1' },
      negotiation: { endpointId, kind: 'audio', direction: 'subscribe' },
    })
    expect(camera && codecOf(camera)).toMatchObject({ mimeType: 'video/VP8', rtcpFeedback: [] })
    expect(camera?.offer.rtpParameters).toMatchObject({
      headerExtensions: [],
      encodings: [{ ssrc: expect.any(Number) }],
    })
    expect(camera && harness.consumers.get(camera.offer.consumerId)?.paused).toBe(true)
    for (const offer of observer.offers) await observer.answer(offer)
    expect(camera && harness.consumers.get(camera.offer.consumerId)?.paused).toBe(false)
    expect(anna.offers).toEqual([])
    expect(harness.eventsOf('quality')).toEqual([])
  })

  it('J17 is offered the kinds that it asks for', async () => {
    await anna.publish('cam-1', 'camera')
    await anna.publish('mic-1', 'microphone')
    await tap(here({ kinds: ['audio'] }))
    expect((await offered(1))[0]?.offer.kind).toBe('audio')
  })

  it('J18 that repeats its tap keeps what flows, and hears what it has not answered', async () => {
    await anna.publish('mic-1', 'microphone')
    const first = await tap()
    const [offer] = await offered(1)
    expect(await tap(here({ kinds: ['video', 'audio'] }))).toEqual(first)
    expect((await offered(2))[1]).toEqual(offer)
    await observer.answer(offer as TestOffer)
    expect(await tap()).toEqual(first)
    const other = await tap(here({ kinds: ['audio'] }))
    expect(other.endpointId).not.toBe(first.endpointId)
    expect((await offered(3))[2]?.negotiation.endpointId).toBe(other.endpointId)
    expect(harness.consumers.get(offer?.offer.consumerId ?? '')?.closed).toBe(true)
  })

  it('J18 has to tap again when the media worker is gone', async () => {
    const first = await tap()
    harness.sfu.closeParticipant(sessionId, 'anna') // an observer alone is told, too
    for (const { worker } of harness.sfu.workers.living) process.kill(worker.pid, 'SIGKILL')
    await eventually(() =>
      expect(harness.eventsOf('moved').filter(([id]) => id === sessionId)).toHaveLength(1),
    )
    harness.observeWorkers()
    const second = await tap()
    expect(second.endpointId).not.toBe(first.endpointId)
    expect(second.routeGeneration).toBe(String(Number(first.routeGeneration) + 1))
  })

  it('J18 leaves nothing behind, however often it goes', async () => {
    await anna.publish('mic-1', 'microphone')
    await tap()
    const [offer] = await offered(1)
    for (let i = 0; i < 2; i++) harness.sfu.closeEgress(observer.ref)
    expect(harness.consumers.get(offer?.offer.consumerId ?? '')?.closed).toBe(true)
    harness.sfu.closeEgress({ sessionId: 9999, participantId: 'job_1' })
  })

  it('J20 gets the best layers unless it says otherwise', async () => {
    await anna.publish('cam-1', 'camera')
    await tap()
    const [offer] = await offered(1)
    await observer.answer(offer as TestOffer)
    const consumer = observer.consumer(offer as TestOffer)
    expect(consumer).toMatchObject({ type: 'simulcast', preferredLayers: { spatialLayer: 2 } })
    await harness.sfu.setLayers(observer.ref, 'cam-1', { width: 320, height: 180 })
    expect(consumer.preferredLayers).toMatchObject({ spatialLayer: 0 })
  })

  it('J20 asks for a whole picture about once a second', async () => {
    await anna.publish('cam-1', 'camera')
    await tap()
    const [offer] = await offered(1)
    const ask = vi.spyOn(observer.consumer(offer as TestOffer), 'requestKeyFrame')
    await harness.sfu.requestKeyFrame(observer.ref, 'cam-1') // nothing comes yet
    await observer.answer(offer as TestOffer)
    const firstMs = performance.now()
    const clock = vi.spyOn(performance, 'now').mockReturnValue(firstMs)
    for (let i = 0; i < 5; i++) await harness.sfu.requestKeyFrame(observer.ref, 'cam-1')
    expect(ask).toHaveBeenCalledTimes(1)
    clock.mockReturnValue(firstMs + 1_000)
    await harness.sfu.requestKeyFrame(observer.ref, 'cam-1')
    expect(ask).toHaveBeenCalledTimes(2)
    clock.mockRestore()
    await anna.enter() // what she has sent is over, until she publishes it again
    await harness.sfu.requestKeyFrame(observer.ref, 'cam-1')
    await expect(harness.sfu.requestKeyFrame(observer.ref, 'none')).rejects.toMatchObject({
      reason: 'no_publication',
    })
  })

  it('publishes nothing', async () => {
    observer.endpoint = { ...anna.endpoint, endpointId: (await tap()).endpointId }
    await expect(observer.publish('mic-9', 'microphone')).rejects.toMatchObject({ reason: 'gone' })
  })
})
