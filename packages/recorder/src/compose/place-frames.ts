import type { EncodedFrame } from '../frames/frame.ts'
import type { TimedFrame, VideoTrack } from '../tracks/video-track.ts'
import type { TickedFrame } from './ivf.ts'
import { BOARD } from './layout.ts'
import type { Scene } from './scenes.ts'
import { FRAME_MS } from './video-format.ts'

/** More than a track keeps frames, so that those which are only decoded have times between two that are shown. */
export const TICKS = 10_000

/** A frame is shown at the nearest output frame. */
const HALF_FRAME_MS = FRAME_MS / 2

/**
 * The frames needed for an output of `length` frames from `fromMs` on, from a key frame on. Those which are shown have
 * multiples of TICKS as times, at least TICKS, which is the first output frame: ffmpeg decodes the others and drops them
 * before it scales anything.
 */
export function placeFrames(
  media: VideoTrack,
  fromMs: number,
  length: number,
): (EncodedFrame & TickedFrame)[] {
  const frames = framesFrom(media, fromMs).map(({ data, isKey, atMs }) => ({
    data,
    isKey,
    slot: slotOf(atMs, fromMs),
  }))
  const needed = frames.filter(({ slot }) => slot < length)
  let hidden = 0
  return needed.map(({ data, isKey, slot }, index) => {
    if (needed[index + 1]?.slot === slot) return { data, isKey, ticks: slot * TICKS + ++hidden }
    hidden = 0
    return { data, isKey, ticks: (slot + 1) * TICKS }
  })
}

/** The frames from the last key frame before that time on, or else from the first one after it. */
function framesFrom({ frames }: VideoTrack, fromMs: number): TimedFrame[] {
  const before = frames.findLastIndex(frame => frame.isKey && slotOf(frame.atMs, fromMs) === 0)
  const start = before >= 0 ? before : frames.findIndex(frame => frame.isKey)
  return start < 0 ? [] : frames.slice(start)
}

/** The output frame at which it is shown first. */
const slotOf = (atMs: number, fromMs: number) =>
  Math.max(0, Math.ceil((atMs - fromMs - HALF_FRAME_MS) / FRAME_MS))

/**
 * Divides a scene where a camera has its first frame later than at the beginning: until then it is shown as turned off.
 */
export function untilDecodable(
  scene: Scene,
  startedAtMs: number,
  videos: (file: string) => VideoTrack | null,
): Scene[] {
  const msOf = (frame: number) => startedAtMs + frame * FRAME_MS
  const first = new Map<string, number>()
  for (const { video } of scene.tiles) {
    if (video === null || video === BOARD) continue
    const media = videos(video)
    const frame = media && framesFrom(media, msOf(scene.from))[0]
    first.set(video, frame ? scene.from + slotOf(frame.atMs, msOf(scene.from)) : Number.POSITIVE_INFINITY)
  }
  const cuts = [...new Set(first.values())].filter(frame => frame > scene.from && frame < scene.to)
  const starts = [scene.from, ...cuts.sort((a, b) => a - b)]
  return starts.map((from, index) => ({
    from,
    to: starts[index + 1] ?? scene.to,
    tiles: scene.tiles.map(tile =>
      tile.video === null || (first.get(tile.video) ?? 0) <= from ? tile : { ...tile, video: null },
    ),
  }))
}
