import { expect, it } from 'vitest'
import type { VideoTrack } from '../tracks/video-track.ts'
import { placeFrames, TICKS, untilDecodable } from './place-frames.ts'

const STARTED_AT_MS = 1_000_000

/** A track with frames at these milliseconds of the recording; negative numbers would be before it. */
const track = (...frames: { atMs: number; isKey?: boolean }[]) =>
  ({
    frames: frames.map(({ atMs, isKey = false }) => ({
      data: Buffer.of(1),
      isKey,
      atMs: STARTED_AT_MS + atMs,
    })),
  }) as VideoTrack

const ticksOf = (media: VideoTrack, fromMs: number, length: number) =>
  placeFrames(media, STARTED_AT_MS + fromMs, length).map(({ ticks }) => ticks)

it('shows the last frame of each output frame, and decodes those before it without showing them', () => {
  const media = track(
    { atMs: 0, isKey: true },
    { atMs: 33 },
    { atMs: 67 },
    { atMs: 95 },
    { atMs: 99 },
    { atMs: 200 },
  )
  expect(ticksOf(media, 0, 4)).toEqual([TICKS, 2 * TICKS, 2 * TICKS + 1, 2 * TICKS + 2, 3 * TICKS])
})

it('decodes from the key frame before the scene on, and shows the last frame before it at its beginning', () => {
  const media = track(
    { atMs: 0, isKey: true },
    { atMs: 500, isKey: true },
    { atMs: 940 },
    { atMs: 980 },
    { atMs: 1060 },
  )
  expect(ticksOf(media, 1000, 25)).toEqual([1, 2, TICKS, 2 * TICKS])
})

it('shows a camera as turned off until its first key frame', () => {
  const tile = { is: 'face' as const, name: 'Anna', colour: 1, x: 0, y: 0, width: 640, height: 360 }
  const tiles = [
    { ...tile, video: 'begins' },
    { ...tile, video: 'sends' },
    { ...tile, video: 'empty' },
    { ...tile, video: null },
  ]
  const videos = new Map([
    ['begins', track({ atMs: 300 }, { atMs: 400, isKey: true })],
    ['sends', track({ atMs: 0, isKey: true })],
    ['empty', track()],
  ])
  const scenes = untilDecodable({ from: 0, to: 250, tiles }, STARTED_AT_MS, file => videos.get(file) ?? null)
  expect(
    scenes.map(({ from, to, tiles: [...shown] }) => [from, to, ...shown.map(({ video }) => video)]),
  ).toEqual([
    [0, 10, null, 'sends', null, null],
    [10, 250, 'begins', 'sends', null, null],
  ])
})
