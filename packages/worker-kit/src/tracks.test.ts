import type { SessionView } from '@lectern/control-client'
import type { Publication, SubscribeOffer } from '@lectern/protocol/control'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { IncomingTrack } from './ports.ts'
import { RtpReceiver } from './rtp-receiver.ts'
import { Tracks } from './tracks.ts'

let intake: RtpReceiver
let tracks: Tracks
let keyFrameRequests: string[]
let sentSizes: string[]
let isConnected: boolean
beforeEach(async () => {
  intake = await RtpReceiver.open('127.0.0.1')
  keyFrameRequests = []
  sentSizes = []
  isConnected = true
  tracks = new Tracks({
    intake,
    requestKeyFrame: id => keyFrameRequests.push(id),
    setDisplaySize: async (id, { width, height }) => {
      sentSizes.push(`${id} ${width}x${height}`)
      if (!isConnected) throw new Error('not now')
    },
  })
})
afterEach(() => {
  vi.useRealTimers()
  tracks.endAll()
  intake.close()
})

const offer = (consumer_id: string, ssrc = 1, kind: 'audio' | 'video' = 'video'): SubscribeOffer => ({
  format: 'ortc',
  consumer_id,
  kind,
  source: kind === 'video' ? 'camera' : 'microphone',
  participant_id: '42.1.1',
  rtp_parameters: {
    codecs: [{ mimeType: 'video/VP8', payloadType: 101, clockRate: 90_000, rtcpFeedback: [] }],
    encodings: [{ ssrc }],
  },
})

const publication = (id: string, paused = false): Publication => ({
  publication_id: id,
  participant_id: '42.1.1',
  source: 'camera',
  paused,
})
const view = (publications: Publication[], ended: SessionView['ended'] = null) =>
  ({ publications, ended }) as SessionView

/** Everything that a listener receives from a track. */
function listen(track: IncomingTrack | undefined) {
  const received: unknown[] = []
  track?.setListener({
    packet: rtp => received.push(rtp.toString()),
    report: ({ rtpTimestamp }) => received.push(rtpTimestamp),
    paused: isPaused => received.push(isPaused ? 'paused' : 'resumed'),
    ended: () => received.push('ended'),
  })
  return received
}

const begun = () => {
  const all: IncomingTrack[] = []
  tracks.onTrack(track => all.push(track))
  return all
}

describe('tracks', () => {
  it('exposes the parameters of its offer', () => {
    tracks.add('p', offer('c1', 7), view([publication('p', true)]))
    const [track] = begun()
    expect(track).toMatchObject({
      publicationId: 'p',
      participantId: '42.1.1',
      source: 'camera',
      kind: 'video',
      codec: { mimeType: 'video/VP8', payloadType: 101, clockRate: 90_000, parameters: {} },
      ssrc: 7,
      isPaused: true,
    })
  })

  it('ignores repeated offers', () => {
    const all = begun()
    for (const consumer of ['c1', 'c1', 'c2']) tracks.add('p', offer(consumer), null)
    expect(all).toHaveLength(2)
    expect(listen(all[0])).toEqual(['ended'])
    expect(listen(all[1])).toEqual([])
  })

  it('delivers buffered packets in order and bounds the buffer', () => {
    tracks.add('p', offer('c1'), null)
    const [track] = begun() as [IncomingTrack & { packet: (rtp: Buffer, at: number) => void }]
    for (let i = 0; i < 5_000; i++) track.packet(Buffer.from(`${i}`), i)
    tracks.update(view([publication('p', true)]))
    const received = listen(track)
    expect(received).toHaveLength(4_000)
    expect(received.slice(-2)).toEqual(['4999', 'paused'])
    track.packet(Buffer.from('next'), 1)
    expect(received.at(-1)).toBe('next')
    expect(() => listen(track)).toThrow('already has a listener')
  })

  it('reports each pause and resume once', () => {
    tracks.add('p', offer('c1'), null)
    const received = listen(begun()[0])
    for (const paused of [false, true, true, false]) tracks.update(view([publication('p', paused)]))
    expect(received).toEqual(['paused', 'resumed'])
  })

  it('ends with its publication, but not before the publication is listed', () => {
    tracks.add('p', offer('c1'), view([]))
    const received = listen(begun()[0])
    tracks.update(view([]))
    expect(received).toEqual([])
    tracks.update(view([publication('p')]))
    tracks.update(view([]))
    tracks.endAll()
    expect(received).toEqual(['ended'])
    expect(begun()).toEqual([])
  })

  it('ends with the session', () => {
    tracks.add('p', offer('c1'), null)
    const received = listen(begun()[0])
    tracks.update(view([publication('p')], 'closed'))
    expect(received).toEqual(['ended'])
  })

  it('requests key frames immediately, then at most once a second', () => {
    vi.useFakeTimers()
    tracks.add('p', offer('c1'), null)
    tracks.add('q', offer('c2', 2, 'audio'), null)
    const [track, sound] = begun()
    sound?.requestKeyFrame()
    for (let i = 0; i < 3; i++) track?.requestKeyFrame()
    expect(keyFrameRequests).toEqual(['p'])
    vi.advanceTimersByTime(1_000)
    expect(keyFrameRequests).toEqual(['p', 'p'])
    vi.advanceTimersByTime(5_000)
    expect(keyFrameRequests).toHaveLength(2)
    track?.requestKeyFrame()
    track?.requestKeyFrame()
    tracks.endAll()
    vi.advanceTimersByTime(5_000)
    expect(keyFrameRequests).toHaveLength(3)
  })

  it('sends each display size once and repeats one that failed', async () => {
    tracks.add('p', offer('c1'), null)
    tracks.add('q', offer('c2', 2, 'audio'), null)
    const [track, sound] = begun()
    const small = { width: 320, height: 180 }
    const large = { width: 1280, height: 720 }
    sound?.setDisplaySize(small)
    for (const size of [small, small, large]) track?.setDisplaySize(size)
    expect(sentSizes).toEqual(['p 320x180', 'p 1280x720'])
    isConnected = false
    track?.setDisplaySize(small)
    await Promise.resolve()
    isConnected = true
    for (let i = 0; i < 2; i++) track?.setDisplaySize(small)
    expect(sentSizes.slice(2)).toEqual(['p 320x180', 'p 320x180'])
    tracks.add('p', offer('c3', 3), null)
    track?.setDisplaySize(large)
    expect(sentSizes).toHaveLength(4)
  })
})
