import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { encodePoints } from '@lectern/board'
import type { BoardElement } from '@lectern/protocol/control/client'
import { expect, it, onTestFinished, vi } from 'vitest'
import type { Images } from '../board/board-images.ts'
import { BoardLog } from '../board/board-log.ts'
import { BoardPictures } from '../board/board-pictures.ts'
import { recordSession } from '../record-session.ts'
import { PresenceHistory } from '../session/presence-history.ts'
import { COMPOSED_WITHIN_MS, callOf, delivered, options } from '../testing/call.ts'
import { FakeTrack } from '../testing/fake-track.ts'
import { colours, probe } from '../testing/inspect-media.ts'
import { makeRtp, type RtpStream } from '../testing/real-rtp.ts'
import { Tracks } from '../tracks/tracks.ts'
import { Composer } from './composer.ts'
import { joinChunks } from './recording-file.ts'

vi.setConfig({ testTimeout: COMPOSED_WITHIN_MS })

const IDR_UNIT = 0x65

/** Key frames without the parameters that a decoder needs: some encoders send these by other ways than RTP. */
const undecodable = ({ packets, ssrc }: RtpStream): RtpStream => ({
  packets: packets.map(({ rtp, sentMs }) => {
    const header = Buffer.from(rtp.subarray(0, 12))
    return { rtp: Buffer.concat([header, Buffer.of(IDR_UNIT, 0xee, 0xee, 0xee)]), sentMs }
  }),
  codec: { mimeType: 'video/H264', payloadType: 96, clockRate: 90_000 },
  ssrc,
})

it.each<[string, (camera: RtpStream) => RtpStream | Promise<RtpStream>]>([
  ['that cannot be decoded', undecodable],
  ['whose frames are larger than any screen', () => makeRtp('video/VP8', 'color=red:s=7700x4400:r=1', 1)],
])('leaves out a camera %s, and shows the others', async (_, left) => {
  const camera = await makeRtp('video/VP8', 'color=red:s=320x180:r=5', 2)
  const call = await callOf()
  const { job, startedAtMs } = call
  const track = (participantId: string, stream: RtpStream) =>
    new FakeTrack({ publicationId: participantId, participantId, source: 'camera', stream, fromMs: 0 })
  const tracks = [track('42.1.1', camera), track('42.1.2', await left(camera))]
  job.people(['Anna', 'Ben'], startedAtMs)
  for (const each of tracks) job.add(each)
  const recording = recordSession(options())(job)
  await delivered(...tracks)
  for (const each of tracks) each.play(startedAtMs, 0, 1e6)
  job.endSession(startedAtMs + 2000)
  expect(await recording).toMatchObject({ outcome: 'done', result: { duration_ms: 2000 } })
  const file = join(call.archive, 'recording.mkv')
  expect((await probe(file)).streams.map(({ nb_read_packets }) => nb_read_packets)).toEqual(['50', '100'])
  const [anna, ben] = await colours(file, 1, [
    [120, 250],
    [760, 250],
  ])
  expect(anna?.[0]).toBeGreaterThan(180)
  expect(Math.max(...(ben ?? [255]))).toBeLessThan(60)
  const report = JSON.parse(await readFile(join(call.archive, 'report.json'), 'utf8'))
  const failures = report.troubles.map(({ body }: { body: { what: string } }) => body.what)
  expect(failures.at(-1)).toMatch(/\.rtp is left out$/)
  await call.remove()
})

const START = 1_000_000
const PAGES = ['page0001', 'page0002'].map(page_id => ({
  ...{ page_id, width: 1600, height: 900, background: { kind: 'blank' as const } },
}))
const shows = (shown_page_id: string) => ({
  pages: PAGES,
  shown_page_id,
  rights: { mode: 'everybody' as const },
})
const NO_IMAGES: Images = { fetch: async () => {}, load: async () => null }

/** A lesson of two seconds with a board, in which Ben joins after the first one; it begins a scene. */
async function boardLesson(happen: (log: BoardLog) => void, images = NO_IMAGES) {
  const folder = await mkdtemp(join(tmpdir(), 'lectern-composer-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const log = new BoardLog(folder)
  log.changed(shows('page0001'), START)
  log.opened('page0001', [], START)
  happen(log)
  log.write()
  const presence = new PresenceHistory()
  for (const [id, joined_at_ms] of [
    ['Anna', START],
    ['Ben', START + 1_000],
  ] as const)
    presence.add(joined_at_ms, id, {
      ...{ participant_id: id, user_id: id, display_name: id, role: 'moderator', joined_at_ms },
    })
  const failures: string[] = []
  await mkdir(join(folder, 'tracks'))
  const composer = await Composer.open({
    folder: join(folder, 'chunks'),
    ...{ startedAtMs: START, presence, tracks: new Tracks(join(folder, 'tracks')) },
    board: new BoardPictures(log.file, images),
    ffmpeg: options().ffmpeg,
    failed: what => failures.push(what),
  })
  const all = { untilMs: Number.POSITIVE_INFINITY, drawnUntilMs: Number.POSITIVE_INFINITY }
  const file = join(folder, 'recording.mkv')
  return {
    failures,
    compose: (until = {}) =>
      composer.composeNext({
        ...{ ...all, endMs: START + 2_000, videos: 0, isLive: false, ...until },
        signal: new AbortController().signal,
      }),
    /** In the middle of the board, from 0 to 255. */
    async brightness(seconds: number) {
      await joinChunks(composer.folder, composer.chunks, file, 'matroska')
      const [color = []] = await colours(file, seconds, [[400, 360]])
      return Math.max(...color)
    },
  }
}

it('leaves the board out of the scene in which it cannot be drawn, and shows it in the others', async () => {
  const image: BoardElement = {
    ...{ element_id: 'image-01', version: 1, author_id: '1', z: 1, kind: 'image' },
    data: { x: 0, y: 0, width: 100, height: 100, file_id: 'file_1' },
  }
  const { compose, brightness, failures } = await boardLesson(
    log => {
      log.changed(shows('page0002'), START + 1_000)
      log.opened('page0002', [image], START + 1_000)
    },
    { ...NO_IMAGES, load: () => Promise.reject(new Error('cannot be drawn')) },
  )
  await compose()
  expect(await brightness(0.5)).toBeGreaterThan(240)
  expect(await brightness(1.5)).toBeLessThan(200)
  expect(failures.at(-1)).toBe('board is left out')
})

it('waits for the end of a stroke that is being drawn, and shows how it has grown until the end of the chunk', async () => {
  const { compose, brightness } = await boardLesson(log => {
    const points = encodePoints([
      [100, 450, 0],
      ...Array.from({ length: 99 }, (_, at) => [640 + at, 450, 0] as const),
    ])
    const data = { points, color: '#101010', width: 60, duration_ms: 20_000 }
    const stroke = { element_id: 'stroke-01', version: 1, author_id: '1', z: 1, kind: 'stroke', data }
    log.happened('page0001', 'board.elements', { elements: [stroke] as never }, START + 20_500)
  })
  expect(await compose({ drawnUntilMs: START + 500 })).toBe(false)
  expect(await compose()).toBe(true)
  expect(await brightness(0.2)).toBeGreaterThan(240)
  expect(await brightness(1.8)).toBeLessThan(60)
})
