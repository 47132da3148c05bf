import { randomBytes } from 'node:crypto'
import type { MediaKind } from 'mediasoup/types'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import type { EgressOptions } from './ports.ts'
import { RoomRouter } from './room-router.ts'
import { RtpEgress } from './rtp-egress.ts'
import { eventually, SfuTestHarness, type TestOffer, type TestParticipant } from './testing/harness.ts'
import { TestMicrophone } from './testing/microphone.ts'
import { TestReceiver } from './testing/receiver.ts'

let harness: SfuTestHarness
let receiver: TestReceiver
beforeAll(async () => {
  harness = await SfuTestHarness.open()
})
afterAll(() => harness.stop())
beforeEach(async () => {
  receiver = await TestReceiver.open()
})
afterEach(() => receiver.close())

const kinds: MediaKind[] = ['audio', 'video']
const loopback = (more: Partial<EgressOptions> = {}): EgressOptions => ({
  kinds,
  ip: '127.0.0.1',
  port: receiver.port,
  ...more,
})
const srtp = (suite: NonNullable<EgressOptions['srtp']>['cryptoSuite'] = 'AEAD_AES_128_GCM', bytes = 28) => ({
  cryptoSuite: suite,
  keyBase64: randomBytes(bytes).toString('base64'),
})

describe('RtpEgress', () => {
  let roomRouter: RoomRouter
  let microphone: TestMicrophone
  const consumed = async (options: EgressOptions) => {
    const egress = await RtpEgress.open(roomRouter, () => '1', options)
    const { rtpCapabilities, receive } = egress
    const consumer = await receive.transport.consume({ producerId: microphone.producer.id, rtpCapabilities })
    return { egress, ssrc: Number(consumer.rtpParameters.encodings?.[0]?.ssrc) }
  }

  beforeAll(async () => {
    roomRouter = await RoomRouter.create(await harness.sfu.workers.pick())
    microphone = await TestMicrophone.create(roomRouter.router)
  })
  afterAll(() => {
    microphone.close()
    roomRouter.router.close()
  })

  it('J17 sends RTP and sender reports to one port', async () => {
    const { egress, ssrc } = await consumed(loopback())
    await eventually(() => {
      expect(receiver.rtp.length).toBeGreaterThan(20)
      expect(receiver.senderReports.length).toBeGreaterThan(0)
    })
    const [first] = receiver.rtp
    expect(first?.subarray(-20)).toEqual(Buffer.alloc(20)) // what the microphone has sent
    expect(receiver.rtp.every(packet => packet.readUInt32BE(8) === ssrc)).toBe(true)
    expect(receiver.senderReports[0]?.readUInt32BE(4)).toBe(ssrc)
    egress.close()
  })

  it('J19 encrypts with a key of its own', async () => {
    const key = srtp()
    const { egress } = await consumed(loopback({ srtp: key }))
    await eventually(() => expect(receiver.rtp.length).toBeGreaterThan(5))
    expect(receiver.rtp[0]?.includes(Buffer.alloc(20))).toBe(false)
    expect(egress.describe().srtp).toMatchObject({ cryptoSuite: 'AEAD_AES_128_GCM' })
    expect(egress.describe().srtp?.keyBase64).not.toBe(key.keyBase64)
    egress.close()
    const other = await RtpEgress.open(
      roomRouter,
      () => '1',
      loopback({ srtp: srtp('AES_CM_128_HMAC_SHA1_80', 30) }),
    )
    expect(other.describe().srtp?.cryptoSuite).toBe('AES_CM_128_HMAC_SHA1_80')
    other.close()
  })

  it('J19 requires SRTP beyond loopback, and a unicast address', async () => {
    const reasonOf = (options: EgressOptions) =>
      RtpEgress.open(roomRouter, () => '1', options).then(
        egress => egress.close(),
        error => error.reason,
      )
    expect(await reasonOf(loopback({ ip: '192.0.2.1' }))).toBe('srtp_required')
    expect(await reasonOf(loopback({ ip: '::ffff:192.0.2.1' }))).toBe('unsupported') // the server listens on IPv4
    for (const ip of ['nowhere', '', '0.0.0.0', '224.0.0.1', '255.255.255.255', '::', 'ff02::1'])
      expect(await reasonOf(loopback({ ip, srtp: srtp() }))).toBe('malformed')
    expect(await reasonOf(loopback({ srtp: srtp('AES_CM_128_HMAC_SHA1_80', 28) }))).toBe('malformed')
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

  const egress = (options = loopback()) => harness.media.openEgress(observer.ref, options)
  const offered = async (count: number): Promise<TestOffer[]> => {
    await eventually(() => expect(observer.offers).toHaveLength(count))
    return observer.offers
  }
  const codecOf = ({ offer }: TestOffer) => {
    const [codec, ...others] = offer.rtpParameters.codecs as Record<string, unknown>[]
    expect(others).toEqual([])
    return codec
  }

  it('J17 is offered publications without RTX, feedback and header extensions', async () => {
    await anna.publish('mic-1', 'microphone')
    const { endpointId } = await egress()
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

  it('J17 is offered only the requested kinds', async () => {
    await anna.publish('cam-1', 'camera')
    await anna.publish('mic-1', 'microphone')
    await egress(loopback({ kinds: ['audio'] }))
    expect((await offered(1))[0]?.offer.kind).toBe('audio')
  })

  it('J18 keeps its egress when it repeats media.egress, and gets unanswered offers again', async () => {
    await anna.publish('mic-1', 'microphone')
    const first = await egress()
    const [offer] = await offered(1)
    expect(await egress(loopback({ kinds: ['video', 'audio'] }))).toEqual(first)
    expect((await offered(2))[1]).toEqual(offer)
    await observer.answer(offer as TestOffer)
    expect(await egress()).toEqual(first)
    const other = await egress(loopback({ kinds: ['audio'] }))
    expect(other.endpointId).not.toBe(first.endpointId)
    expect((await offered(3))[2]?.negotiation.endpointId).toBe(other.endpointId)
    expect(harness.consumers.get(offer?.offer.consumerId ?? '')?.closed).toBe(true)
  })

  it('J18 must repeat media.egress when the media worker died', async () => {
    const first = await egress()
    harness.media.closeParticipant(sessionId, 'anna') // the event is emitted for an observer alone, too
    for (const { worker } of harness.sfu.workers.alive) process.kill(worker.pid, 'SIGKILL')
    await eventually(() =>
      expect(harness.eventsOf('moved').filter(([id]) => id === sessionId)).toHaveLength(1),
    )
    const second = await egress()
    expect(second.endpointId).not.toBe(first.endpointId)
    expect(second.routeGeneration).toBe(String(Number(first.routeGeneration) + 1))
  })

  it('J18 leaves no consumer behind, and may close its egress repeatedly', async () => {
    await anna.publish('mic-1', 'microphone')
    await egress()
    const [offer] = await offered(1)
    for (let i = 0; i < 2; i++) harness.media.closeEgress(observer.ref)
    await harness.settled()
    expect(harness.consumers.get(offer?.offer.consumerId ?? '')?.closed).toBe(true)
    harness.media.closeEgress({ sessionId: 9999, participantId: 'job_1' })
  })

  it('J20 gets the best layers by default', async () => {
    await anna.publish('cam-1', 'camera')
    await egress()
    const [offer] = await offered(1)
    await observer.answer(offer as TestOffer)
    const consumer = observer.consumer(offer as TestOffer)
    expect(consumer).toMatchObject({ type: 'simulcast', preferredLayers: { spatialLayer: 2 } })
    await harness.media.setLayers(observer.ref, 'cam-1', { width: 320, height: 180 })
    expect(consumer.preferredLayers).toMatchObject({ spatialLayer: 0 })
  })

  it('J20 requests at most about one key frame per second', async () => {
    await anna.publish('cam-1', 'camera')
    await egress()
    const [offer] = await offered(1)
    const ask = vi.spyOn(observer.consumer(offer as TestOffer), 'requestKeyFrame')
    await harness.media.requestKeyFrame(observer.ref, 'cam-1') // not active yet
    await observer.answer(offer as TestOffer)
    const firstMs = performance.now()
    const clock = vi.spyOn(performance, 'now').mockReturnValue(firstMs)
    for (let i = 0; i < 5; i++) await harness.media.requestKeyFrame(observer.ref, 'cam-1')
    expect(ask).toHaveBeenCalledTimes(1)
    clock.mockReturnValue(firstMs + 1_000)
    await harness.media.requestKeyFrame(observer.ref, 'cam-1')
    expect(ask).toHaveBeenCalledTimes(2)
    clock.mockRestore()
    await anna.enter() // what she has sent is over, until she publishes it again
    await harness.media.requestKeyFrame(observer.ref, 'cam-1')
    await expect(harness.media.requestKeyFrame(observer.ref, 'none')).rejects.toMatchObject({
      reason: 'no_publication',
    })
  })

  it('publishes nothing', async () => {
    observer.endpoint = { ...anna.endpoint, endpointId: (await egress()).endpointId }
    await expect(observer.publish('mic-9', 'microphone')).rejects.toMatchObject({ reason: 'gone' })
  })
})
