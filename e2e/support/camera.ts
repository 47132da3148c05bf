import { existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const FRAMES = 10
const folder = fileURLToPath(new URL('../../.cache/e2e', import.meta.url))

export interface Size {
  width: number
  height: number
}

/** Small frames save CPU time. */
const SMALL: Size = { width: 160, height: 90 }

/** Writes the video of a fake camera (YUV4MPEG2, one second of moving coloured stripes). Returns its path. */
export function writeCamera({ width, height } = SMALL): string {
  mkdirSync(folder, { recursive: true })
  const path = join(folder, `camera-${width}x${height}.y4m`)
  if (existsSync(path)) return path
  const temporary = `${path}.${process.pid}` // test files run concurrently: rename into place
  const header = Buffer.from(`YUV4MPEG2 W${width} H${height} F${FRAMES}:1 Ip A1:1 C420\n`)
  const frames = Array.from({ length: FRAMES }, (_, frame) => [
    Buffer.from('FRAME\n'),
    ...planes({ width, height }, frame),
  ])
  writeFileSync(temporary, Buffer.concat([header, ...frames.flat()]))
  renameSync(temporary, path)
  return path
}

function planes({ width, height }: Size, frame: number): Buffer[] {
  const phase = (2 * Math.PI * frame) / FRAMES // so that the video loops
  return [
    plane(width, height, (x, y) => 120 + 60 * Math.sin(x / 12 + y / 30 - phase)),
    plane(width / 2, height / 2, x => 128 + 50 * Math.sin(x / 25 - phase)),
    plane(width / 2, height / 2, (_, y) => 128 + 50 * Math.sin(y / 15 + phase)),
  ]
}

function plane(width: number, height: number, value: (x: number, y: number) => number): Buffer {
  const pixels = Buffer.alloc(width * height)
  for (let y = 0; y < height; y++) for (let x = 0; x < width; x++) pixels[y * width + x] = value(x, y)
  return pixels
}
