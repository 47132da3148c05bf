import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { depacketizeVp9 } from '../frames/vp9.ts'
import { COMPOSED_WITHIN_MS } from '../testing/call.ts'
import { annexB, colours } from '../testing/inspect-media.ts'
import type { TrackReader } from '../tracks/track-reader.ts'
import type { TimedFrame, VideoTrack } from '../tracks/video-track.ts'
import { ffmpegArguments } from './command.ts'
import { prepareScene, sceneOf } from './compose-video.ts'
import { layOut } from './layout.ts'
import { untilDecodable } from './place-frames.ts'

vi.setConfig({ testTimeout: COMPOSED_WITHIN_MS })

const FRAMES = 50
const STARTED_AT_MS = 1_000_000
let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'lectern-scene-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

/** The encoder settings of calls. More threads take several times the processor time, to wait for each other. */
const REALTIME = ['-deadline', 'realtime', '-cpu-used', '8', '-threads', '1']

/** Frames of one colour, 25 in a second. */
function frames(
  colour: string,
  size: string,
  count: number,
  fromMs: number,
  encoder = ['libvpx'],
): TimedFrame[] {
  const source = ['-f', 'lavfi', '-i', `color=${colour}:s=${size}:r=25`, '-frames:v', String(count)]
  const output = ['-c:v', ...encoder, ...REALTIME, '-f', 'ivf', '-']
  const ivf = execFileSync('ffmpeg', ['-v', 'error', ...source, ...output])
  const found: TimedFrame[] = []
  for (let at = 32; at < ivf.length; ) {
    const end = at + 12 + ivf.readUInt32LE(at)
    const data = ivf.subarray(at + 12, end)
    found.push({ data, isKey: ((data[0] ?? 1) & 1) === 0, atMs: STARTED_AT_MS + fromMs + found.length * 40 })
    at = end
  }
  return found
}

/** Composes a scene of two people from the frame 250 on. Returns colours left and right, at its start and its end. */
async function compose(left: TimedFrame[], right: TimedFrame[], mimeType = 'video/VP8') {
  const track = (frames: TimedFrame[]) =>
    ({ media: { kind: 'video', frames }, head: { codec: { mimeType } } }) as TrackReader
  const tracks = new Map([
    ['left', track(left)],
    ['right', track(right)],
  ])
  const tiles = layOut(
    [...tracks.keys()].map((video, colour) => ({ name: video, colour, video })),
    null,
  )
  const videoOf = (file: string) => tracks.get(file)?.media as VideoTrack
  const scenes = untilDecodable({ from: 250, to: 250 + FRAMES, tiles }, STARTED_AT_MS, videoOf)
  for (const [index, scene] of scenes.entries()) {
    const step = await prepareScene(folder, `scene-${index}`, scene, STARTED_AT_MS, tracks)
    execFileSync('ffmpeg', ['-v', 'error', '-nostdin', '-y', ...ffmpegArguments([step])], { cwd: folder })
    const packets = await sceneOf(join(folder, `scene-${index}.mkv`), scene)
    expect(packets).toHaveLength(scene.to - scene.from)
    await writeFile(join(folder, `scene-${index}.h264`), annexB(packets))
  }
  expect(scenes.at(-1)?.to).toBe(250 + FRAMES)
  const points: [number, number][] = [
    [120, 250],
    [760, 250],
  ]
  const colourAt = (index: number, seconds: number) =>
    colours(join(folder, `scene-${index}.h264`), seconds, points)
  const last = scenes.length - 1
  const lastFrom = scenes[last]?.from ?? 0
  const atEnd = 1.8 - (lastFrom - 250) / 25
  return [await colourAt(0, 0.1), await colourAt(last, atEnd)].flat().map(nameOf)
}

function nameOf([r = 0, g = 0, b = 0]: number[]): string {
  if (r > 180 && g < 90) return 'red'
  if (b > 180 && r < 90) return 'blue'
  return Math.max(r, g, b) < 60 ? 'card' : `${r},${g},${b}`
}

it('shows a camera that sends throughout, and one whose frames all precede the scene', async () => {
  const sends = frames('red', '640x360', 100, 9000)
  const stopped = frames('blue', '320x240', 10, 9000)
  expect(await compose(sends, stopped)).toEqual(['red', 'blue', 'red', 'blue'])
})

it('shows the last frame until the end, also if it is the only one or follows long after another', async () => {
  const last = [...frames('blue', '640x360', 1, 9000), ...frames('red', '640x360', 1, 10_400)]
  expect(await compose(last, frames('blue', '640x360', 1, 9990))).toEqual(['blue', 'blue', 'red', 'blue'])
})

it('shows a camera that begins within the scene, and one whose size changes', async () => {
  const begins = frames('red', '640x360', 40, 10_600)
  const changes = [...frames('red', '640x360', 30, 9500), ...frames('blue', '320x180', 40, 10_700)]
  expect(await compose(begins, changes)).toEqual(['card', 'red', 'red', 'blue'])
})

it('shows the highest spatial layer of VP9 only', async () => {
  const layer = (...[colour, size]: [string, string]) =>
    frames(colour, size, 40, 9500, ['libvpx-vp9', '-g', '1'])
  const [low, high] = [layer('blue', '320x180'), layer('red', '640x360')]
  const layered = high.map((frame, at) => {
    const payloads = [low[at], frame].map(each =>
      Buffer.concat([Buffer.from([0x08]), each?.data ?? Buffer.of()]),
    )
    const superframe = depacketizeVp9(payloads)
    if (!superframe?.isKey) throw new Error('a key frame was expected')
    return { ...superframe, atMs: frame.atMs }
  })
  expect(await compose(layered, high, 'video/VP9')).toEqual(['red', 'red', 'red', 'red'])
})

it('shows a scene without cameras', async () => {
  expect(await compose([], [])).toEqual(['card', 'card', 'card', 'card'])
})
