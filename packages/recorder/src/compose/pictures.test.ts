import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { COMPOSED_WITHIN_MS } from '../testing/call.ts'
import { annexB, decoded } from '../testing/inspect-media.ts'
import { type Band, MACROBLOCK, WHOLE_PICTURE } from './band.ts'
import { ENCODER } from './compose-video.ts'
import { packetsOf } from './packets.ts'
import { completePictures } from './pictures.ts'
import { BACKGROUND, BACKGROUND_YUV, HEIGHT, WIDTH } from './video-format.ts'

vi.setConfig({ testTimeout: COMPOSED_WITHIN_MS })

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'lectern-pictures-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

const FRAMES = 45

/** Encodes something that moves in a band, without each third frame, and decodes the whole pictures and the band itself. */
async function decodeBand(band: Band, keyFrames: number) {
  const height = (band.to - band.from) * MACROBLOCK
  const margin = 24
  const moves = `testsrc2=s=${WIDTH - 2 * margin}x${height - 2 * margin}:r=25,rotate=t:c=0x${BACKGROUND}`
  const filter = `${moves},pad=${WIDTH}:${height}:${margin}:${margin}:color=0x${BACKGROUND},select=mod(n+1\\,3)`
  const file = join(folder, 'band.mkv')
  const encoder = [...ENCODER, '-g', String(keyFrames), '-f', 'matroska', file]
  const source = ['-f', 'lavfi', '-i', filter, '-t', String(FRAMES / 25)]
  execFileSync('ffmpeg', ['-v', 'error', '-y', ...source, ...encoder])
  const pictures = (await packetsOf(file)).map(each => ({ ...each, frame: Math.round(each.seconds * 25) }))
  const whole = join(folder, 'whole.h264')
  await writeFile(whole, annexB(completePictures(pictures, band, FRAMES)))
  return { pictures, whole: await decoded(whole, WIDTH, HEIGHT), band: await decoded(file, WIDTH, height) }
}

/** The greatest difference of two samples. */
function difference(a: Buffer, b: Buffer): number {
  let most = Math.abs(a.length - b.length)
  if (!a.equals(b))
    for (const [at, value] of a.entries()) most = Math.max(most, Math.abs(value - (b[at] ?? 0)))
  return most
}

/** Luma of these rows. */
const rows = (frame: Buffer, from: number, to: number) =>
  frame.subarray(from * MACROBLOCK * WIDTH, to * MACROBLOCK * WIDTH)

it.each<[string, Band, number]>([
  ['in the middle', { from: 11, to: 34 }, 250],
  ['at the top, with several key frames', { from: 0, to: 20 }, 20],
  ['at the bottom', { from: 30, to: WHOLE_PICTURE.to }, 250],
  ['that is the whole picture', WHOLE_PICTURE, 20],
])('adds background and repeated frames to a band %s', async (_, at, keyFrames) => {
  const { pictures, whole, band } = await decodeBand(at, keyFrames)
  expect(whole).toHaveLength(FRAMES)
  expect(pictures.length).toBe((FRAMES * 2) / 3)
  const shown = pictures.map(({ frame }) => frame)
  for (const [frame, picture] of whole.entries()) {
    const encoded = band[shown.findLastIndex(each => each <= frame)] as Buffer
    expect(difference(rows(picture, at.from, at.to), rows(encoded, 0, at.to - at.from))).toBeLessThanOrEqual(
      1,
    )
    for (const outside of [rows(picture, 0, at.from), rows(picture, at.to, WHOLE_PICTURE.to)])
      expect(outside.equals(Buffer.alloc(outside.length, BACKGROUND_YUV[0]))).toBe(true)
  }
})
