/**
 * `npm run board-growth -w bench`: by how much a recording shows the growth of strokes too early or too late, next to what a
 * participant saw at that time (aim: 400 ms). Lines are drawn unevenly, with rests, by a client that sends ink as browsers do, also
 * over the borders of chunks; the video of the recording is decoded, and each line is measured in each frame.
 */
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { startRecordedService } from '../recording/service.ts'
import { size } from '../support/size.ts'
import { quantile } from '../support/statistics.ts'
import { LEFT, LINE_WIDTH, Participant, RIGHT, type Seen } from './lesson.ts'

const STROKES = size('STROKES', 13, 2)
const LONGEST_MS = size('LONGEST_MS', 25_000, 3_000)
const REST_MS = 700
const FRAME_MS = 40
/** The board in a frame of 1280 by 720 (recorder's compose/layout.ts), and a unit in its pixels. */
const [TILE_WIDTH, TILE_HEIGHT] = [972, 546]
const TILE = `crop=${TILE_WIDTH}:${TILE_HEIGHT}:12:86`
const SCALE = TILE_WIDTH / 1_600
const DARK = 110
/** Of a place, in units: lines end softly in a video. */
const TOLERANCE = 12

const rowOf = (index: number) => 60 + 60 * index
const folder = mkdtempSync(join(tmpdir(), 'lectern-bench-growth-'))
const service = await startRecordedService(folder)
try {
  const { partner } = service
  const room = await partner.createRoom('growth', {
    teacher: { external_id: 'teacher', display_name: 'Anna' },
    student: { external_id: 'student', display_name: 'Ben' },
  })
  const url = new URL(room.teacher_join_url).origin
  const ready = service.ready(room.tag)
  const teacher = await Participant.enter(url, room.tag, room.teacher_join_url)
  const student = await Participant.enter(url, room.tag, room.student_join_url)
  await teacher.show()
  await teacher.isRecorded()
  const { page, seen } = await student.watch()
  const { page: own } = await teacher.watch()
  await sleep(2_000)
  const random = seeded(42)
  for (let index = 0; index < STROKES; index++) {
    const ms = 500 + Math.round((LONGEST_MS - 500) * random() ** 2)
    await teacher.draw(own, idOf(index), rowOf(index), ms, random)
    await sleep(REST_MS)
  }
  await sleep(2_000)
  for (const each of [page, own]) each.close()
  for (const each of [teacher, student]) each.leave()
  const { recording } = await ready
  const file = recording.files.find(({ path }) => path === 'recording.mkv')
  const video = join(folder, 'recording.mkv')
  writeFileSync(video, Buffer.from(await (await partner.downloadBlob(String(file?.url))).arrayBuffer()))
  const errors = await errorsOf(video, recording.started_at_ms, seen)
  const [p50, p95] = [0.5, 0.95].map(part => quantile(errors, part).toFixed(0))
  console.log(
    `${STROKES} strokes of up to ${(LONGEST_MS / 1_000).toFixed(0)} s in ${errors.length} frames: wrong by ${p50} ms, p95 ${p95} ms, at most ${Math.max(...errors).toFixed(0)} ms`,
  )
} finally {
  await service.stop()
  rmSync(folder, { recursive: true, force: true })
}

function idOf(index: number): string {
  return `stroke-${String(index).padStart(4, '0')}`
}

/** By how many milliseconds each frame is wrong while a line grows. */
async function errorsOf(
  video: string,
  startedAtMs: number,
  seen: ReadonlyMap<string, Seen>,
): Promise<number[]> {
  const errors: number[] = []
  let frame = 0
  for await (const picture of picturesOf(video)) {
    const atMs = startedAtMs + frame++ * FRAME_MS
    if ((picture[Math.round(30 * SCALE) * TILE_WIDTH + 10] as number) < DARK) continue // the board is not open yet
    for (let index = 0; index < STROKES; index++) {
      const known = seen.get(idOf(index)) ?? []
      const [from, to] = [known[0]?.[1] ?? 0, known.at(-1)?.[1] ?? 0]
      if (atMs > from - 5_000 && atMs < to + 5_000)
        errors.push(errorOf(endOf(picture, rowOf(index)), atMs, known))
    }
  }
  return errors
}

/** How far the line has come in a picture, in units; null: it is not there. */
function endOf(picture: Buffer, y: number): number | null {
  const row = Math.round(y * SCALE) * TILE_WIDTH
  for (let x = Math.round((RIGHT + LINE_WIDTH) * SCALE); x >= (LEFT - LINE_WIDTH) * SCALE; x--)
    if ((picture[row + x] as number) < DARK) return Math.min((x + 1) / SCALE - LINE_WIDTH / 2, RIGHT)
  return null
}

/** From the moments at which the participant saw the line so long. */
function errorOf(end: number | null, atMs: number, known: Seen): number {
  const first = known[0]?.[1] ?? 0
  if (end === null) return Math.max(0, atMs - first)
  const place = Math.max(end, LEFT)
  const earliest = known.find(([x]) => x >= place - TOLERANCE)?.[1] ?? Number.POSITIVE_INFINITY
  const latest = known.find(([x]) => x > place + TOLERANCE)?.[1] ?? Number.POSITIVE_INFINITY
  return Math.max(earliest - atMs, atMs - latest, 0)
}

async function* picturesOf(video: string): AsyncGenerator<Buffer> {
  const output = ['-vf', TILE, '-f', 'rawvideo', '-pix_fmt', 'gray', '-']
  const { stdout } = spawn('ffmpeg', ['-v', 'error', '-i', video, ...output], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const bytes = TILE_WIDTH * TILE_HEIGHT
  let parts: Buffer[] = []
  let length = 0
  for await (const part of stdout as AsyncIterable<Buffer>) {
    parts.push(part)
    length += part.length
    if (length < bytes) continue
    let all = Buffer.concat(parts)
    for (; all.length >= bytes; all = all.subarray(bytes)) yield all.subarray(0, bytes)
    parts = [all]
    length = all.length
  }
}

/** The same lesson each time. */
function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31
    return state / 2 ** 31
  }
}
