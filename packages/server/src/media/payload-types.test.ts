import type { PayloadTypes } from '@lectern/protocol/control'
import type { RtpParameters } from 'mediasoup/types'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { codecsFor, numberingOf } from './payload-types.ts'
import { RoomRouter } from './room-router.ts'
import { NUMBERINGS_MAX } from './router-set.ts'
import { eventually, SfuTestHarness } from './testing/harness.ts'

let harness: SfuTestHarness
beforeAll(async () => {
  harness = await SfuTestHarness.open()
})
afterAll(() => harness.stop())

/** The payload types of a router of mediasoup, which refuses duplicates. */
async function numbered(types: PayloadTypes) {
  const roomRouter = await RoomRouter.create(await harness.sfu.workers.pick(), types)
  const codecs = roomRouter.router.rtpCapabilities.codecs ?? []
  roomRouter.router.close()
  return codecs
    .filter(({ mimeType }) => !mimeType.endsWith('rtx'))
    .map(({ mimeType, preferredPayloadType }) => `${mimeType} ${preferredPayloadType}`)
    .sort()
}

describe('payload types of a client', () => {
  it('are those of its router: Chromium, Firefox, GStreamer', async () => {
    const chromium = { opus: 111, vp8: 96, vp9: 98, h264_42e01f: 106, h264_42001f: 102, av1: 45 }
    expect(await numbered(chromium)).toEqual([
      'audio/opus 111',
      'video/AV1 45',
      'video/H264 102',
      'video/H264 106',
      'video/VP8 96',
      'video/VP9 98',
    ])
    const firefox = { opus: 109, vp8: 120, vp9: 121, h264_42e01f: 126, av1: 99 }
    expect(await numbered(firefox)).toHaveLength(5)
    expect(await numbered({ opus: 97, vp8: 96 })).toEqual(['audio/opus 97', 'video/VP8 96'])
  })

  it('omit those that mediasoup would refuse', async () => {
    expect(await numbered({ vp8: 100, vp9: 101, h264_42e01f: 102, av1: 103 })).toEqual([
      'video/H264 102',
      'video/VP8 100',
    ])
    expect(await numbered({ opus: 111, vp8: 111 })).toEqual(['audio/opus 111'])
    expect(codecsFor({})).toEqual([])
  })

  it('are accepted by mediasoup, whichever they are', async () => {
    const names = ['opus', 'vp8', 'vp9', 'h264_42e01f', 'h264_42001f', 'av1'] as const
    let seed = 7
    const random = (below: number) => {
      seed = (seed * 48_271) % 2_147_483_647
      return seed % below
    }
    for (let i = 0; i < 40; i++) {
      const types = Object.fromEntries(names.map(name => [name, 96 + random(16)]))
      expect((await numbered(types)).length).toBeGreaterThan(0)
    }
  })

  it('share a router if they are equal', () => {
    expect(numberingOf({ opus: 111, vp8: 96 })).toBe(numberingOf({ vp8: 96, opus: 111 }))
    expect(numberingOf({ opus: 111 })).not.toBe(numberingOf({ opus: 110 }))
    expect(numberingOf(undefined)).toBe('')
  })
})

describe('a participant with payload types', () => {
  it('receives in these, through a router of their own, and others as before', async () => {
    const anna = await harness.participant('anna').enter()
    await anna.publish('cam-1', 'camera')
    const ben = harness.participant('ben')
    await ben.open({ payloadTypes: { opus: 97, vp8: 98 } })
    await ben.receive()
    const carl = await harness.participant('carl').enter()
    await eventually(() => expect([ben.offers.length, carl.offers.length]).toEqual([1, 1]))
    expect(payloadTypesIn(ben.offers[0]?.offer.rtpParameters)[0]).toBe(98)
    expect(payloadTypesIn(carl.offers[0]?.offer.rtpParameters)[0]).not.toBe(98)
  })

  it('is refused when there are too many different ones (G14, WHEP-5)', async () => {
    const open = (type: number) => harness.participant(`p${type}`, 2).open({ payloadTypes: { opus: type } })
    for (let i = 0; i < NUMBERINGS_MAX; i++) await open(96 + i)
    await expect(open(110)).rejects.toMatchObject({ code: 'media_too_many_numberings' })
    await open(96)
    await harness.participant('anybody', 2).open()
  })

  it('do not direct anybody to the dead worker that had several routers of the room', async () => {
    const sessionId = 3
    const anna = await harness.participant('anna', sessionId).open()
    const ben = await harness.participant('ben', sessionId).open({ payloadTypes: { opus: 97, vp8: 98 } })
    expect(ben.workerId).toBe(anna.workerId)
    const dead = harness.sfu.workers.alive.find(({ id }) => id === anna.workerId)
    process.kill(Number(dead?.worker.pid), 'SIGKILL')
    const moved = () => harness.eventsOf('moved').filter(([id]) => id === sessionId)
    await eventually(() => expect(moved()).toHaveLength(2))
    expect(JSON.stringify(moved())).not.toContain(anna.workerId)
  })
})

const payloadTypesIn = (rtpParameters: object = {}): number[] =>
  ((rtpParameters as RtpParameters).codecs ?? []).map(({ payloadType }) => payloadType)
