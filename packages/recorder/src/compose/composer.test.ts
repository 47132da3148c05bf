import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
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

it('leaves the board out of the scene in which it cannot be drawn, and shows it in the others', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'lectern-composer-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const startedAtMs = 1_000_000
  const images: Images = {
    fetch: async () => {},
    load: async () => {
      throw new Error('cannot be drawn')
    },
  }
  const log = new BoardLog(folder)
  const pages = ['page0001', 'page0002'].map(page_id => ({
    ...{ page_id, width: 1600, height: 900, background: { kind: 'blank' as const } },
  }))
  const index = { pages, rights: { mode: 'everybody' as const } }
  log.changed({ ...index, shown_page_id: 'page0001' }, startedAtMs)
  log.changed({ ...index, shown_page_id: 'page0002' }, startedAtMs + 1_000)
  const image: BoardElement = {
    ...{ element_id: 'image-01', version: 1, author_id: '1', z: 1, kind: 'image' },
    data: { x: 0, y: 0, width: 100, height: 100, file_id: 'file_1' },
  }
  log.opened('page0002', [image], startedAtMs + 1_000)
  log.write()
  const presence = new PresenceHistory()
  for (const [id, atMs] of [
    ['1', startedAtMs],
    ['2', startedAtMs + 1_000],
  ] as const) // a scene begins with each
    presence.add(atMs, id, {
      ...{ participant_id: id, user_id: id, display_name: id, role: 'moderator', joined_at_ms: atMs },
    })
  const failures: string[] = []
  await mkdir(join(folder, 'tracks'))
  const composer = await Composer.open({
    folder: join(folder, 'chunks'),
    ...{ startedAtMs, presence, tracks: new Tracks(join(folder, 'tracks')) },
    board: new BoardPictures(log.file, images),
    ffmpeg: options().ffmpeg,
    failed: what => failures.push(what),
  })
  const signal = new AbortController().signal
  const endMs = startedAtMs + 2_000
  await composer.composeNext({ untilMs: endMs + 60_000, endMs, videos: 0, isLive: false, signal })
  const file = join(folder, 'recording.mkv')
  await joinChunks(composer.folder, composer.chunks, file, 'matroska')
  const brightness = async (seconds: number) =>
    Math.max(...((await colours(file, seconds, [[400, 360]]))[0] ?? []))
  expect(await brightness(0.5)).toBeGreaterThan(240)
  expect(await brightness(1.5)).toBeLessThan(200)
  expect(failures.at(-1)).toBe('board is left out')
})
