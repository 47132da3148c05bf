import { createSocket } from 'node:dgram'
import { pino } from 'pino'
import { afterAll, afterEach, assert, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { AudioLevel } from '../ports.ts'
import { RoomRouter } from '../room-router.ts'
import { RoomSpeakers } from '../room-speakers.ts'
import { RtpEgress } from '../rtp-egress.ts'
import { TestCamera } from '../testing/camera.ts'
import { eventually, SfuTestHarness } from '../testing/harness.ts'
import { TestMicrophone } from '../testing/microphone.ts'
import { TestReceiver } from '../testing/receiver.ts'
import { av1 } from '../testing/rtp.ts'
import { LocalSource } from '../track-source.ts'

let harness: SfuTestHarness
let sender: RoomRouter
let receiver: RoomRouter
beforeAll(async () => {
  harness = await SfuTestHarness.open({ workers: 2 })
})
afterAll(() => harness.sfu.stop())

async function openRouters(): Promise<void> {
  await eventually(() => expect(harness.sfu.workers.alive).toHaveLength(2))
  const [first, second] = harness.sfu.workers.alive
  assert(first && second)
  ;[sender, receiver] = await Promise.all([RoomRouter.create(first), RoomRouter.create(second)])
}
beforeEach(openRouters)
afterEach(async () => {
  sender.router.close()
  receiver.router.close()
  await eventually(() => expect(harness.sfu.workers.alive.map(({ load }) => load())).toEqual([0, 0]))
})

/** Receives a producer of a router as plain RTP. */
async function egress(roomRouter: RoomRouter, producerId: string, layer?: number) {
  const target = await TestReceiver.open()
  const { receive, rtpCapabilities } = await RtpEgress.open(roomRouter, () => '1', {
    kinds: ['audio', 'video'],
    ip: '127.0.0.1',
    port: target.port,
  })
  const consumer = await receive.transport.consume({ producerId, rtpCapabilities, paused: true })
  if (layer !== undefined) await consumer.setPreferredLayers({ spatialLayer: layer })
  await consumer.resume()
  return { target, consumer }
}

describe('a pipe between workers', () => {
  it('carries the packets of a microphone, in order and complete', async () => {
    const microphone = await TestMicrophone.create(sender.router)
    const { producer, release } = await new LocalSource(microphone.producer, sender).acquire(receiver)
    const { target } = await egress(receiver, producer.id)
    await eventually(() => expect(target.rtp.length).toBeGreaterThan(30))
    const numbers = target.rtp.map(packet => packet.readUInt16BE(2))
    expect(numbers).toEqual(numbers.map((_, i) => ((numbers[0] ?? 0) + i) & 0xffff))
    expect(target.rtp[0]?.subarray(-20)).toEqual(Buffer.alloc(20)) // what the microphone has sent
    await eventually(() => expect(target.senderReports.length).toBeGreaterThan(0))
    target.close()
    release()
    microphone.close()
  })

  it('carries all layers of a camera, of which each viewer gets one, and requests for keyframes', async () => {
    const camera = await TestCamera.create(sender.router)
    const { producer, release } = await new LocalSource(camera.producer, sender).acquire(receiver)
    expect(producer.type).toBe('simulcast')
    // A viewer that has begun with another layer changes only with sender reports, which this camera does not send.
    await eventually(async () => expect(await producer.getStats()).toHaveLength(3))
    const viewers = await Promise.all([0, 1, 2].map(layer => egress(receiver, producer.id, layer)))
    for (const [layer, { target, consumer }] of viewers.entries()) {
      await eventually(() => {
        expect(target.rtp.length).toBeGreaterThan(20)
        expect(new Set(target.rtp.slice(-10).map(packet => packet.at(-1)))).toEqual(new Set([layer]))
      })
      expect(consumer.type).toBe('simulcast')
    }
    expect(camera.requested.every(count => count > 0)).toBe(true)
    const before = camera.requested[2] ?? 0
    await eventually(async () => {
      await viewers[2]?.consumer.requestKeyFrame()
      expect(camera.requested[2]).toBeGreaterThan(before)
    })
    expect(viewers[2]?.consumer.score).toMatchObject({ score: 10 })
    for (const { target } of viewers) target.close()
    release()
    await camera.close()
  })

  it('pauses and resumes with the producer', async () => {
    const microphone = await TestMicrophone.create(sender.router)
    await microphone.producer.pause()
    const { producer } = await new LocalSource(microphone.producer, sender).acquire(receiver)
    expect(producer.paused).toBe(true)
    const { target, consumer } = await egress(receiver, producer.id)
    expect(consumer.producerPaused).toBe(true)
    await microphone.producer.resume()
    await eventually(() => expect(consumer.producerPaused).toBe(false))
    await eventually(() => expect(target.rtp.length).toBeGreaterThan(5))
    await microphone.producer.pause()
    await eventually(() => expect(consumer.producerPaused).toBe(true))
    target.close()
    microphone.close()
  })

  it('is shared by its users, and closes with the last one', async () => {
    const microphone = await TestMicrophone.create(sender.router)
    const source = new LocalSource(microphone.producer, sender)
    const [one, two] = await Promise.all([source.acquire(receiver), source.acquire(receiver)])
    expect(one.producer).toBe(two.producer)
    expect(sender.node.consumers()).toBe(1)
    one.release()
    one.release()
    expect(two.producer.closed).toBe(false)
    two.release()
    expect(two.producer.closed).toBe(true)
    expect(sender.node.consumers()).toBe(0)
    const again = await source.acquire(receiver)
    expect(again.producer.closed).toBe(false)
    expect(receiver.node.load()).toBe(3) // a router, the transport of the link, a producer
    microphone.close()
    await eventually(() => expect(again.producer.closed).toBe(true))
    await eventually(() => expect(sender.node.consumers()).toBe(0))
  })

  it('closes when its only user has left before it was open', async () => {
    const microphone = await TestMicrophone.create(sender.router)
    const source = new LocalSource(microphone.producer, sender)
    const acquired = source.acquire(receiver).then(({ release }) => release())
    await acquired
    await eventually(() => expect(sender.node.consumers()).toBe(0))
    microphone.close()
  })

  it('leaves nothing behind when the producer closes while it is made', async () => {
    for (const delay of [0, 1, 2, 5, 10, 20]) {
      const microphone = await TestMicrophone.create(sender.router)
      const acquired = new LocalSource(microphone.producer, sender).acquire(receiver)
      await Promise.all([
        acquired.then(
          ({ producer }) => eventually(() => expect(producer.closed).toBe(true)),
          () => {},
        ),
        new Promise(resolve => setTimeout(resolve, delay)).then(() => microphone.close()),
      ])
      await eventually(() => expect(sender.node.consumers()).toBe(0))
    }
  })

  it.each(['sender', 'receiver'] as const)(
    'fails at once when the worker of its %s dies while it is made',
    async end => {
      const microphone = await TestMicrophone.create(sender.router)
      const dying = end === 'sender' ? sender : receiver
      const acquired = new LocalSource(microphone.producer, sender).acquire(receiver)
      process.kill(dying.node.worker.pid, 'SIGKILL')
      await expect(acquired).rejects.toBeInstanceOf(Error)
      const living = end === 'sender' ? receiver : sender
      await eventually(() => expect(dying.router.closed).toBe(true))
      // The router, and the microphone with its transport: nothing of the link.
      await eventually(() => expect(living.node.load()).toBe(end === 'sender' ? 1 : 3))
      microphone.close()
    },
  )

  it('drops packets from any source but the other worker', async () => {
    const microphone = await TestMicrophone.create(sender.router)
    const { producer } = await new LocalSource(microphone.producer, sender).acquire(receiver)
    const [ssrc] = producer.rtpParameters.encodings?.map(encoding => encoding.ssrc ?? 0) ?? []
    assert(ssrc)
    const { target } = await egress(receiver, producer.id)
    await eventually(() => expect(target.rtp.length).toBeGreaterThan(5))
    await microphone.producer.pause()
    const socket = createSocket('udp4')
    const forged = Buffer.alloc(60, 7)
    forged.writeUInt16BE(0x806f, 0)
    forged.writeUInt32BE(ssrc, 8)
    const port = portOf(receiver)
    for (let i = 0; i < 20; i++) socket.send(forged, port, '127.0.0.1')
    await microphone.producer.resume()
    const before = target.rtp.length
    await eventually(() => expect(target.rtp.length).toBeGreaterThan(before + 5))
    expect(target.rtp.filter(packet => packet.at(-1) === 7)).toEqual([])
    socket.close()
    target.close()
    microphone.close()
  })

  it('keeps the dependency descriptor of AV1', async () => {
    const transport = await sender.router.createPlainTransport({ listenIp: '127.0.0.1', comedia: true })
    const camera = await transport.produce({ kind: 'video', rtpParameters: av1() as never })
    const { producer } = await new LocalSource(camera, sender).acquire(receiver)
    const uris = producer.rtpParameters.headerExtensions?.map(({ uri }) => uri)
    expect(uris?.some(uri => uri.includes('dependency-descriptor'))).toBe(true)
  })
})

/** The port of the router's only pipe transport. */
function portOf({ router }: RoomRouter): number {
  const transports = (
    router as unknown as {
      transportsForTesting: Map<string, { type: string; tuple?: { localPort: number } }>
    }
  ).transportsForTesting
  const pipe = [...transports.values()].find(({ type }) => type === 'pipe')
  assert(pipe?.tuple)
  return pipe.tuple.localPort
}

describe('RoomSpeakers', () => {
  it('detects speakers on all workers, and continues when the detecting router is closed', async () => {
    const active: (string | null)[] = []
    let levels: AudioLevel[] = []
    const speakers = new RoomSpeakers(
      {
        activeSpeaker: id => active.push(id),
        audioLevels: reported => {
          levels = reported
        },
      },
      pino({ level: 'silent' }),
    )
    const third = await RoomRouter.create(receiver.node)
    const anna = await TestMicrophone.create(sender.router)
    const ben = await TestMicrophone.create(third.router)
    await speakers.moveTo(receiver)
    speakers.add('mic-a', { participantId: 'anna', source: new LocalSource(anna.producer, sender) })
    speakers.add('mic-b', { participantId: 'ben', source: new LocalSource(ben.producer, third) })
    anna.isSpeaking = true
    await eventually(() => expect(active.at(-1)).toBe('anna'))
    await eventually(() => expect(levels).toMatchObject([{ participantId: 'anna' }]))
    anna.isSpeaking = false
    ben.isSpeaking = true
    await eventually(() => expect(active.at(-1)).toBe('ben'))

    receiver.router.close()
    active.length = 0
    await speakers.moveTo(sender)
    await eventually(() => expect(active.at(-1)).toBe('ben'))
    await eventually(() => expect(levels).toMatchObject([{ participantId: 'ben' }]))
    anna.close()
    ben.close()
    third.router.close()
  })
})
