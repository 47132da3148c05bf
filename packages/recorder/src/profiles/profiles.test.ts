import { readFile } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeAll, expect, it, vi } from 'vitest'
import { Ffmpeg } from '../compose/ffmpeg.ts'
import { recordSession } from '../record-session.ts'
import { COMPOSED_WITHIN_MS, callOf, delivered, options } from '../testing/call.ts'
import { FakeTrack } from '../testing/fake-track.ts'
import { colours, loudness, probe, sound, topLevelBoxes } from '../testing/inspect-media.ts'
import { makeRtp, type RtpStream } from '../testing/real-rtp.ts'

vi.setConfig({ testTimeout: COMPOSED_WITHIN_MS, hookTimeout: COMPOSED_WITHIN_MS })

let voice: RtpStream
let camera: RtpStream
let screen: RtpStream
beforeAll(async () => {
  ;[voice, camera, screen] = await Promise.all([
    makeRtp('audio/opus', 'sine=440:r=48000', 3),
    makeRtp('video/VP8', 'color=red:s=320x180:r=15', 3),
    makeRtp('video/H264', 'color=blue:s=320x180:r=15', 2),
  ])
})

let call: Awaited<ReturnType<typeof callOf>>
afterEach(() => call.remove())

/** Four seconds: a microphone with a pause of one second, a camera, and a screen of another participant. */
async function record(params: Record<string, unknown>) {
  call = await callOf(params)
  const { job, startedAtMs } = call
  const [anna, ben] = ['42.1.1', '42.1.2']
  const tracks = [
    new FakeTrack({
      ...{ publicationId: 'p1', participantId: anna, source: 'microphone', stream: voice, fromMs: 500 },
      delayOf: sentMs => (sentMs >= 1500 && sentMs < 2500 ? null : 5),
    }),
    new FakeTrack({ publicationId: 'p2', participantId: anna, source: 'camera', stream: camera, fromMs: 0 }),
    new FakeTrack({
      publicationId: 'p3',
      participantId: ben,
      source: 'screen',
      stream: screen,
      fromMs: 1000,
    }),
  ]
  job.people(['Anna', 'Ben'], startedAtMs)
  for (const track of tracks) job.add(track)
  const recording = recordSession(options())(job)
  await delivered(...tracks)
  for (const track of tracks) track.play(startedAtMs, 0, 1e6)
  job.endSession(startedAtMs + 4000)
  return recording
}

/** Counts how many processes run at once. */
class CountedFfmpeg extends Ffmpeg {
  most = 0
  #running = 0

  override async run(...args: Parameters<Ffmpeg['run']>) {
    this.most = Math.max(this.most, ++this.#running)
    await super.run(...args).finally(() => this.#running--)
  }
}

const archived = (path: string) => join(call.archive, path)
const manifest = async () => JSON.parse(await readFile(archived('manifest.json'), 'utf8'))

it('consolidated_mp4 writes MP4 that plays from its first bytes on, with the same codecs and length', async () => {
  const end = await record({ profile: 'consolidated_mp4' })
  expect(end).toMatchObject({
    outcome: 'done',
    result: { profile: 'consolidated_mp4', duration_ms: 4000 },
  })
  expect(call.job.uploaded[0]).toMatchObject({ path: 'recording.mp4', contentType: 'video/mp4' })
  const file = archived('recording.mp4')
  const { format, streams } = await probe(file)
  expect(format.format_name).toContain('mp4')
  expect(streams.map(({ codec_name }) => codec_name)).toEqual(['h264', 'opus'])
  expect(Math.abs(Number(format.duration) - 4)).toBeLessThan(0.1)
  expect(Math.abs((await sound(file)).length / 48_000 - 4)).toBeLessThan(0.05)
  const [tile] = await colours(file, 0.5, [[320, 360]])
  expect(tile?.[0]).toBeGreaterThan(100)
  expect(await topLevelBoxes(file)).toEqual(['ftyp', 'moov', 'free', 'mdat'])
})

it('raw_tracks_v1 writes the media of each device and its position', async () => {
  const end = await record({ profile: 'raw_tracks_v1' })
  expect(end).toMatchObject({ outcome: 'done', result: { profile: 'raw_tracks_v1', duration_ms: 4000 } })
  expect((await manifest()).tracks).toMatchObject([
    {
      path: 'tracks/audio/device_1.ogg',
      codec: 'audio/opus',
      name: 'Anna',
      device_id: 1,
      offset_ms: expect.closeTo(505, -1),
    },
    { path: 'tracks/video/device_1_camera.ivf', codec: 'video/VP8', duration_ms: expect.closeTo(2933, -2) },
    {
      path: 'tracks/video/device_2_screen.h264',
      codec: 'video/H264',
      name: 'Ben',
      offset_ms: expect.closeTo(1005, -1),
    },
  ])
  expect(call.job.uploaded.map(({ path }) => path).sort()).toEqual([
    ...[
      'attendance.csv',
      'attendance.json',
      'chapters.json',
      'events.jsonl',
      'manifest.json',
      'report.json',
      'report.jsonl',
      'tracks/audio/device_1.ogg',
    ],
    ...['tracks/video/device_1_camera.ivf', 'tracks/video/device_2_screen.h264'],
    'tracks/video/device_2_screen.h264.timestamps.txt',
  ])
  const [red] = await colours(archived('tracks/video/device_1_camera.ivf'), 1, [[100, 100]], 320)
  const [blue] = await colours(archived('tracks/video/device_2_screen.h264'), 0.5, [[100, 100]], 320)
  expect([red?.[0], blue?.[2]]).toEqual([expect.closeTo(254, -1), expect.closeTo(254, -1)])
  expect((await probe(archived('tracks/video/device_2_screen.h264'))).streams[0]?.codec_name).toBe('h264')
  const samples = await sound(archived('tracks/audio/device_1.ogg'))
  expect(samples.length / 48_000).toBeCloseTo(3, 1)
  expect(loudness(samples, 440, 0.2, 0.9)).toBeGreaterThan(0.07)
  expect(loudness(samples, 440, 1.2, 1.8)).toBeLessThan(0.001)
  expect(loudness(samples, 440, 2.2, 2.9)).toBeGreaterThan(0.1)
})

it.each([
  ['wav', 'audio/wav', 'pcm_s16le'],
  ['mp3', 'audio/mpeg', 'mp3'],
])('decoded_audio writes one file per speaker as %s', async (format, contentType, codec) => {
  await record({ profile: 'decoded_audio', format })
  const path = `audio/device_1.${format}`
  expect((await manifest()).tracks).toMatchObject([{ path, content_type: contentType, codec }])
  expect((await probe(archived(path))).streams).toMatchObject([{ codec_name: codec }])
  expect(JSON.parse(await readFile(archived('report.json'), 'utf8'))).toMatchObject({
    format: 'lectern.recording.report.1',
    audio_format: format,
  })
  const samples = await sound(archived(path))
  expect(samples.length / 48_000).toBeCloseTo(3, 0)
  expect(loudness(samples, 440, 0.2, 0.9)).toBeGreaterThan(0.07)
})

it('decoded_audio decodes as many speakers at once as there are processors', async () => {
  const ffmpeg = new CountedFfmpeg({ live: 0, after: 0 })
  call = await callOf({ profile: 'decoded_audio' })
  const { job, startedAtMs } = call
  const count = availableParallelism() + 2
  const names = Array.from({ length: count }, (_, index) => `Speaker ${index + 1}`)
  const tracks = names.map(
    (_, index) =>
      new FakeTrack({
        ...{ publicationId: `p${index}`, participantId: `42.1.${index + 1}` },
        ...{ source: 'microphone' as const, stream: voice, fromMs: 0 },
      }),
  )
  job.people(names, startedAtMs)
  for (const track of tracks) job.add(track)
  const recording = recordSession({ ...options(), ffmpeg })(job)
  await delivered(...tracks)
  for (const track of tracks) track.play(startedAtMs, 0, 1e6)
  job.endSession(startedAtMs + 4000)
  expect(await recording).toMatchObject({ outcome: 'done' })
  expect((await manifest()).tracks).toHaveLength(count)
  expect(ffmpeg.most).toBeLessThanOrEqual(availableParallelism())
})
